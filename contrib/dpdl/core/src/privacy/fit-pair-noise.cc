// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/symmetric-matrix.h"
#include "dpdl/privacy/visible-noise-exposure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

// Computes the noise scales of DECOR that suffice against every set of colluders. In the secret
// graph, edges join nodes that share a secret. For small graphs all sets are examined. For large
// graphs a lower bound on the second smallest eigenvalue of the graph's Laplacian is used.

namespace dpdl
{

namespace
{

/// Largest number of operations for examining all sets of colluders: number of sets times nodes^3.
constexpr double MOST_OPERATIONS = 2e10;
/// With at least this number of nodes, the search uses closed forms or one decomposition of the
/// Laplacian instead of repeated matrix inverses.
constexpr std::size_t MANY_NODES = 256;
/// Variance of pair noise divided by the variance of independent noise. At this ratio, the exposure
/// (Sigma^-1)_ii of a node practically depends only on the number of nodes in its connected
/// component of the secret graph without the colluders.
constexpr double OVERWHELMING = 1e6;
/// Largest standard deviation of pair noise that is tried, in the unit of PairNoiseScale. For
/// larger values, the rounding errors of the exposure exceed the exposure.
constexpr double FARTHEST = 1e9;

/// The secret graph of a run (its edges join nodes that share a secret), and the number of
/// colluders. The list of pairs must outlive this object.
class SecretGraph
{
  public:
    SecretGraph(std::size_t nodes, const std::vector<SecretPair>& pairs, const PairNoiseRule& rule)
        : m_nodes(nodes),
          m_pairs(pairs),
          m_colluders(rule.colluders),
          m_isComplete(rule.isComplete)
    {
        std::vector<std::size_t> degrees(nodes, 0);
        for (const auto& [a, b] : m_pairs)
        {
            ++degrees[a];
            ++degrees[b];
        }
        const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
        m_leastDegree = *least;
        m_mostDegree = *most;
    }

    /// Largest exposure (Sigma^-1)_ii over the honest nodes i if the nodes @p colluders reveal
    /// their secrets. Sigma is the covariance of the honest nodes' noise (SeenCovariance()).
    /// @param colluders nodes that collude; all other nodes are honest
    /// @param own standard deviation of a node's independent noise
    /// @param pair standard deviation of pair noise
    double Worst(const NodeSet& colluders, double own, double pair) const
    {
        if (m_isComplete && m_nodes >= MANY_NODES)
        {
            const std::size_t honest = m_nodes - colluders.size();
            return CompleteExposure(own, pair, honest, honest);
        }
        const std::vector<double> diagonal = Covariance(colluders, own, pair).InverseDiagonal();
        return *std::max_element(diagonal.begin(), diagonal.end());
    }

    /// Decomposes the secret graph's Laplacian once, and returns a function that maps a standard
    /// deviation of pair noise to the largest exposure of any node without colluders. The function
    /// equals Worst({}, own, pair) up to rounding, and is faster.
    /// @param own standard deviation of a node's independent noise
    std::function<double(double)> WorstByPair(double own) const
    {
        std::vector<double> squares;
        const std::vector<double> values = Covariance({}, 0.0, 1.0).Eigenvectors(squares);
        for (double& entry : squares)
        {
            entry *= entry;
        }
        return [n = m_nodes, own, values, squares](double pair) {
            std::vector<double> exposure(n, 0.0);
            for (std::size_t k = 0; k < n; ++k)
            {
                const double hidden = own * own + pair * pair * std::max(values[k], 0.0);
                for (std::size_t i = 0; i < n; ++i)
                {
                    exposure[i] += squares[k * n + i] / hidden;
                }
            }
            return *std::max_element(exposure.begin(), exposure.end());
        };
    }

    /// True if WorstByPair() is faster than repeated calls of Worst(), each of which inverts a
    /// matrix.
    bool IsDecomposed() const
    {
        return !m_isComplete && m_nodes >= MANY_NODES;
    }

    /// Finds the set of colluders with the largest exposure Worst(). In a complete graph all sets
    /// have the same exposure, so one set is examined.
    /// @return the set, and the largest exposure of an honest node for this set
    std::pair<NodeSet, double> WorstSet(double own, double pair) const
    {
        NodeSet set = FirstSet(m_colluders);
        std::pair<NodeSet, double> worst{set, 0.0};
        do
        {
            const double exposure = Worst(set, own, pair);
            if (exposure > worst.second)
            {
                worst = {set, exposure};
            }
        } while (!m_isComplete && NextSet(set, m_nodes));
        return worst;
    }

    /// True if examining all sets of colluders takes at most MOST_OPERATIONS, or if one set
    /// suffices because the graph is complete.
    bool IsSmall() const
    {
        const double inverse = std::pow(static_cast<double>(m_nodes), 3);
        return m_isComplete || CountSets(m_colluders, m_nodes) * inverse <= MOST_OPERATIONS;
    }

    /// Algebraic connectivity l_2 of the secret graph: second smallest eigenvalue of its Laplacian.
    double Connectivity() const
    {
        return Covariance({}, 0.0, 1.0).Eigenvalues().at(1);
    }

    /// Smallest number of secrets of any node: the smallest degree of the secret graph.
    std::size_t LeastDegree() const
    {
        return m_leastDegree;
    }

    /// Factor above 1 by which a computed exposure is multiplied to cover its rounding error.
    double Slack(double own, double pair) const
    {
        // The covariance of the nodes' noise has eigenvalues from own^2 to own^2 + 2 d pair^2,
        // where d is the largest number of secrets of a node.
        const double ratio = pair / own;
        return ExposureSlack(m_nodes,
                             1.0 + 2.0 * static_cast<double>(m_mostDegree) * ratio * ratio);
    }

  private:
    SymmetricMatrix Covariance(const NodeSet& colluders, double own, double pair) const
    {
        return SeenCovariance(PairNoise(m_nodes, m_pairs, own, pair),
                              colluders,
                              OtherNodes(colluders, m_nodes));
    }

    std::size_t m_nodes;                    ///< number of nodes of the run
    const std::vector<SecretPair>& m_pairs; ///< pairs of nodes that share a secret
    std::size_t m_colluders;   ///< number of nodes that collude and reveal their secrets
    bool m_isComplete;         ///< true: every two nodes share a secret
    std::size_t m_leastDegree; ///< smallest number of secrets that a node shares
    std::size_t m_mostDegree;  ///< largest number of secrets that a node shares
};

/// Smallest standard deviation of pair noise, >= 0, at which the decreasing function @p exposure is
/// at most 1.
/// @throws UsageError naming hyper-parameter 'kappa' if the result exceeded FARTHEST
template <typename Function>
double
LeastPairNoise(const Function& exposure)
{
    double most = 1.0;
    while (exposure(most) > 1.0)
    {
        DPDL_REFUSE_IF(most > FARTHEST,
                       "hyper-parameter 'kappa' is too small: rounding errors of a "
                       "covariance of these nodes exceed it; expected more");
        most *= 2.0;
    }
    double least = 0.0;
    constexpr int HALVINGS = 60;
    for (int i = 0; i < HALVINGS; ++i)
    {
        const double middle = 0.5 * (least + most);
        (exposure(middle) > 1.0 ? least : most) = middle;
    }
    return most;
}

/// Finds the noise scales by enumeration of sets of colluders. Each iteration adds the set with the
/// largest exposure to a list, and fits the pair noise to all sets in the list. The iterations end
/// once the fitted noise suffices for all sets.
PairNoiseScale
FitBySets(const SecretGraph& graph, double kappa)
{
    const double alone = graph.WorstSet(1.0, std::sqrt(OVERWHELMING)).second;
    PairNoiseScale scale{std::sqrt((1.0 + kappa) * alone), 0.0};
    std::vector<NodeSet> sets;
    for (;;)
    {
        const auto [set, exposure] = graph.WorstSet(scale.own, scale.pair);
        if (exposure * graph.Slack(scale.own, scale.pair) <= 1.0)
        {
            return scale;
        }
        sets.push_back(set);
        // The next call of WorstSet() may find a different set with the same exposure up to
        // rounding. The squared slack keeps this exposure below the limit of 1.
        const auto slack = [&](double pair) { return std::pow(graph.Slack(scale.own, pair), 2); };
        if (set.empty() && graph.IsDecomposed())
        {
            const auto worst = graph.WorstByPair(scale.own);
            scale.pair = LeastPairNoise([&](double pair) { return worst(pair) * slack(pair); });
            continue;
        }
        scale.pair = LeastPairNoise([&](double pair) {
            double worst = 0.0;
            for (const NodeSet& known : sets)
            {
                worst = std::max(worst, graph.Worst(known, scale.own, pair));
            }
            return worst * slack(pair);
        });
    }
}

/**
 * @brief Finds the noise scales from a bound on the eigenvalues of the honest nodes' secret graph.
 * @param graph the secret graph of all nodes
 * @param honest number of nodes that do not collude
 * @param connectivity lower bound on the second smallest eigenvalue of the graph's Laplacian
 * @param kappa PairNoiseRule::kappa, > 0
 */
PairNoiseScale
FitBySpectrum(const SecretGraph& graph, double honest, double connectivity, double kappa)
{
    PairNoiseScale scale{std::sqrt((1.0 + kappa) / honest), 0.0};
    const double own = scale.own * scale.own;
    scale.pair = LeastPairNoise([&](double pair) {
        const double rest = own + pair * pair * connectivity;
        return graph.Slack(scale.own, pair) * (1.0 / (honest * own) + (1.0 - 1.0 / honest) / rest);
    });
    return scale;
}

UsageError
TooManyColluders(std::size_t colluders, const std::string& accepted)
{
    return {"hyper-parameter 'colluders'", std::to_string(colluders), accepted};
}

} // namespace

PairNoiseScale
FitPairNoise(std::size_t nodes, const std::vector<SecretPair>& pairs, const PairNoiseRule& rule)
{
    const SecretGraph graph(nodes, pairs, rule);
    const std::size_t degree = graph.LeastDegree();
    DPDL_REFUSE_IF(degree == 0,
                   "option 'topology': a node shares secrets with no other; expected one "
                   "that joins every node to another, or hyper:secrets=1");
    if (rule.colluders >= degree)
    {
        throw TooManyColluders(rule.colluders,
                               "0 to " + std::to_string(degree - 1) +
                                   ": a node of this secret graph shares secrets with " +
                                   std::to_string(degree) + " others");
    }
    if (graph.IsSmall())
    {
        return FitBySets(graph, rule.kappa);
    }
    const double connectivity = graph.Connectivity() - static_cast<double>(rule.colluders);
    if (!(connectivity > 0.0))
    {
        throw TooManyColluders(rule.colluders,
                               "fewer, or hyper:secrets=1: of this graph of " +
                                   std::to_string(nodes) +
                                   " nodes not all sets of colluders can be examined, and its "
                                   "connectivity " +
                                   ShowRounded(graph.Connectivity(), 3) + " does not exceed them");
    }
    return FitBySpectrum(graph,
                         static_cast<double>(nodes - rule.colluders),
                         connectivity,
                         rule.kappa);
}

} // namespace dpdl
