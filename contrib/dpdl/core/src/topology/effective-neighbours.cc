// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/effective-neighbours.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"

#include <algorithm>
#include <cmath>
#include <vector>

// Measures the effective number of neighbours. For small graphs the covariance matrix of the
// push-sum quotients z of all nodes is iterated. For large graphs z is simulated with new random
// noise in every round. The mean of z, whose variance is known, then serves as control variate.

namespace dpdl
{

namespace
{

/// Number of independent simulations ("walks") of z for large graphs.
constexpr std::size_t WALKS = 32;
/// The effect of the initial state counts as negligible after gamma^rounds has fallen to e^-22
/// (covariance matrix) or e^-11 (simulations). gamma is the decay factor of z^2 per round.
constexpr double EXACT_DECAYS = 22.0;
constexpr double WALK_DECAYS = 11.0;

/// Largest number of multiplications for iterating the covariance matrix. If the iteration needs
/// more, z is simulated.
constexpr double MOST_PRODUCTS = 5e9;

/// Weight of one node's z in the next z of another node.
struct Term
{
    NodeId source; ///< node that sends its quotient z = x / w
    /// Weight of the sender's z in the receiver's next z; a receiver's weights sum to 1.
    double part;
};

/// Generates the mixing matrices R_0, R_1, ... of a graph sequence without message loss. The
/// sequence must outlive this object.
class Mixing
{
  public:
    explicit Mixing(const GraphSequence& graph)
        : m_graph(graph),
          m_weights(graph.Nodes(), ScaledDouble(1.0)),
          m_rows(graph.Nodes())
    {
    }

    /// Advances to the next round k.
    /// @return element i: the nonzero entries of row i of R_k
    const std::vector<std::vector<Term>>& Next()
    {
        const auto shares = DesignedShares(m_graph, m_round, m_weights);
        m_graph.Forget(m_round++);
        for (NodeId node = 0; node < m_rows.size(); ++node)
        {
            ScaledDouble sum;
            for (const MixedShare& share : shares[node])
            {
                sum += share.mass;
            }
            m_rows[node].clear();
            for (const MixedShare& share : shares[node])
            {
                m_rows[node].push_back({share.source, share.mass / sum});
            }
            m_weights[node] = sum;
        }
        return m_rows;
    }

    /// Push-sum weight of a node as a fraction, in [0, 1], of the total weight of all nodes.
    double Part(NodeId node) const
    {
        return m_weights[node].ToDouble() / static_cast<double>(m_weights.size());
    }

  private:
    const GraphSequence& m_graph;
    Round m_round{0};
    std::vector<ScaledDouble> m_weights;   ///< push-sum weight w of each node; index: node
    std::vector<std::vector<Term>> m_rows; ///< sparse rows of the last R_k; index: receiver
};

/// Computes target = R source, where @p rows are the sparse rows of R. @p source and @p target are
/// [n, width], row-major.
void
Multiply(const std::vector<std::vector<Term>>& rows,
         const std::vector<double>& source,
         std::vector<double>& target,
         std::size_t width)
{
    std::fill(target.begin(), target.end(), 0.0);
    for (std::size_t node = 0; node < rows.size(); ++node)
    {
        for (const Term& term : rows[node])
        {
            for (std::size_t i = 0; i < width; ++i)
            {
                target[node * width + i] += term.part * source[term.source * width + i];
            }
        }
    }
}

void
Transpose(std::vector<double>& matrix, std::size_t n)
{
    for (std::size_t row = 0; row < n; ++row)
    {
        for (std::size_t column = 0; column < row; ++column)
        {
            std::swap(matrix[row * n + column], matrix[column * n + row]);
        }
    }
}

EffectiveNeighbours
ByCovariance(const GraphSequence& graph, double gamma, Round decay, Round period)
{
    const std::size_t n = graph.Nodes();
    Mixing mixing(graph);
    std::vector<double> covariance(n * n, 0.0);
    std::vector<double> product(n * n);
    double variance = 0.0;
    for (Round round = 0; round < decay + period; ++round)
    {
        for (std::size_t i = 0; i < covariance.size(); ++i)
        {
            covariance[i] = gamma * covariance[i] + (i % (n + 1) == 0 ? 1.0 : 0.0);
        }
        const auto& rows = mixing.Next();
        // R C R^T = R (R C)^T, because the covariance C is symmetric.
        Multiply(rows, covariance, product, n);
        Transpose(product, n);
        Multiply(rows, product, covariance, n);
        for (std::size_t i = 0; round >= decay && i < n; ++i)
        {
            variance += covariance[i * (n + 1)];
        }
    }
    return {static_cast<double>(n) * period / ((1.0 - gamma) * variance), 0.0};
}

/// Sums over the rounds after the initial decay; index: simulation ("walk").
struct WalkSums
{
    /// Element i: sum over the rounds of the mean over the nodes of z^2, in simulation i.
    std::vector<double> squares = std::vector<double>(WALKS);
    /// Element i: sum over the rounds of the squared mean of z, weighted by push-sum weight, in
    /// simulation i.
    std::vector<double> means = std::vector<double>(WALKS);
    double meanVariance{0.0}; ///< expectation of an element of `means`
};

/// Estimates the effective number of neighbours. The control variate is the mean of z, weighted by
/// push-sum weight. Its variance is known exactly, because mixing preserves this mean.
EffectiveNeighbours
Estimate(const WalkSums& sums, double gamma, Round rounds)
{
    const double walks = WALKS;
    double square = 0.0;
    double mean = 0.0;
    for (std::size_t walk = 0; walk < WALKS; ++walk)
    {
        square += sums.squares[walk] / walks;
        mean += sums.means[walk] / walks;
    }
    double covariance = 0.0;
    double variance = 0.0;
    for (std::size_t walk = 0; walk < WALKS; ++walk)
    {
        covariance += (sums.squares[walk] - square) * (sums.means[walk] - mean);
        variance += std::pow(sums.means[walk] - mean, 2);
    }
    const double slope = variance > 0.0 ? covariance / variance : 0.0;
    double rest = 0.0;
    for (std::size_t walk = 0; walk < WALKS; ++walk)
    {
        rest += std::pow(sums.squares[walk] - square - slope * (sums.means[walk] - mean), 2);
    }
    const double corrected = square - slope * (mean - sums.meanVariance);
    const double value = rounds / ((1.0 - gamma) * corrected);
    return {value, value * std::sqrt(rest / (walks * (walks - 2.0))) / corrected};
}

EffectiveNeighbours
ByWalks(const GraphSequence& graph, double gamma, Round decay, Round rounds)
{
    const std::size_t n = graph.Nodes();
    Mixing mixing(graph);
    std::vector<double> z(n * WALKS, 0.0);
    std::vector<double> next(n * WALKS);
    WalkSums sums;
    double meanVariance = 0.0;
    for (Round round = 0; round < decay + rounds; ++round)
    {
        meanVariance *= gamma;
        for (NodeId node = 0; node < n; ++node)
        {
            meanVariance += std::pow(mixing.Part(node), 2);
            const std::uint32_t signs = Philox4x32({node, round, 0, 0}, {2, 0})[0];
            for (std::size_t walk = 0; walk < WALKS; ++walk)
            {
                double& value = z[node * WALKS + walk];
                value = std::sqrt(gamma) * value + ((signs >> walk & 1U) != 0 ? 1.0 : -1.0);
            }
        }
        Multiply(mixing.Next(), z, next, WALKS);
        z.swap(next);
        if (round < decay)
        {
            continue;
        }
        sums.meanVariance += meanVariance;
        for (std::size_t walk = 0; walk < WALKS; ++walk)
        {
            double mean = 0.0;
            for (NodeId node = 0; node < n; ++node)
            {
                const double value = z[node * WALKS + walk];
                mean += mixing.Part(node) * value;
                sums.squares[walk] += value * value / static_cast<double>(n);
            }
            sums.means[walk] += mean * mean;
        }
    }
    return Estimate(sums, gamma, rounds);
}

/// Number of nonzero mixing weights in round 0: edges and self-loops.
double
TermsOf(const GraphSequence& graph)
{
    auto terms = static_cast<double>(graph.Nodes());
    for (NodeId node = 0; node < graph.Nodes(); ++node)
    {
        terms += static_cast<double>(graph.OutNeighbours(node, 0).size());
    }
    return terms;
}

} // namespace

EffectiveNeighbours
MeasureEffectiveNeighbours(const GraphSequence& graph, double gamma, std::size_t mostDense)
{
    DPDL_REFUSE_IF(graph.FollowsRun(), "a topology that follows the run has no graphs before it");
    const double memory = 1.0 / (1.0 - gamma);
    const auto rounds = [memory](double decays) { return 1 + static_cast<Round>(decays * memory); };
    // An aperiodic sequence is represented by its first 22 / (1 - gamma) rounds.
    const Round period = graph.Period() > 0 ? graph.Period() : rounds(EXACT_DECAYS);
    const double products = 2.0 * static_cast<double>(graph.Nodes()) * TermsOf(graph) *
                            (static_cast<double>(rounds(EXACT_DECAYS)) + period);
    return graph.Nodes() <= mostDense && products <= MOST_PRODUCTS
               ? ByCovariance(graph, gamma, rounds(EXACT_DECAYS), period)
               : ByWalks(graph, gamma, rounds(WALK_DECAYS), std::max(period, rounds(WALK_DECAYS)));
}

} // namespace dpdl
