// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/visible-noise-exposure.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

// Computes the exposure (Sigma^-1)_ii of each node with a visible release. The inverse covariance
// of the honest nodes' noise is computed once per set of colluders. For each round, a Cholesky
// factorisation removes the silent nodes from the covariance.

namespace dpdl
{

namespace
{

/// Largest total number of entries of the inverse covariances over all sets of colluders; takes 64
/// MiB.
constexpr double MOST_ENTRIES = 1U << 23U;
/// Largest number of operations to compute the inverse covariances of all sets of colluders.
constexpr double MOST_INVERSION = 1e10;
/// Noise is planned for a largest exposure of 1. A computed exposure above NEARLY_ALL and below 1
/// is rounded up to 1.
constexpr double NEARLY_ALL = 1.0 - 1e-8;
/// Largest number of operations per round, which take about 0.1 s. Silent nodes beyond this limit
/// are treated as visible.
constexpr double MOST_OF_ROUND = 1e8;

/// Computes conditional variances of a normal random vector, given some of its entries.
class Conditioning
{
  public:
    /**
     * @param covariance covariance of all entries, [size, size], positive definite; must outlive
     *        this object
     * @param size number of entries
     */
    Conditioning(const std::vector<double>& covariance, std::size_t size)
        : m_covariance(covariance),
          m_size(size)
    {
    }

    /// Variance of an entry given the entries that were passed to Learn(). Stores the entry's row
    /// of the Cholesky factor in m_row.
    double Variance(std::size_t entry)
    {
        const double* const row = m_covariance.data() + entry * m_size;
        double left = row[entry];
        m_row.clear();
        for (std::size_t j = 0; j < m_known.size(); ++j)
        {
            double rest = row[m_known[j]];
            for (std::size_t k = 0; k < j; ++k)
            {
                rest -= m_factor[j][k] * m_row[k];
            }
            m_row.push_back(rest / m_factor[j][j]);
            left -= m_row[j] * m_row[j];
        }
        return left;
    }

    /// Adds an entry to those on which Variance() conditions. No effect if Variance() of the entry
    /// is 0 or, by rounding, negative.
    void Learn(std::size_t entry)
    {
        const double left = Variance(entry);
        if (left > 0.0)
        {
            m_row.push_back(std::sqrt(left));
            m_factor.push_back(m_row);
            m_known.push_back(entry);
        }
    }

  private:
    const std::vector<double>& m_covariance; ///< covariance of all entries, [m_size, m_size]
    std::size_t m_size;                      ///< number of entries of the vector
    /// Indices of the entries on which Variance() conditions, in the order of calls of Learn().
    std::vector<std::size_t> m_known;
    /// Lower-triangular Cholesky factor of the covariance of the entries in m_known; row j belongs
    /// to m_known[j] and has j + 1 values.
    std::vector<std::vector<double>> m_factor;
    std::vector<double> m_row; ///< row of the Cholesky factor that Variance() computed last
};

} // namespace

VisibleNoiseExposure::VisibleNoiseExposure(std::vector<NodeNoise> noise, const PairNoiseRule& rule)
    : m_noise(std::move(noise)),
      m_rule(rule)
{
}

double
VisibleNoiseExposure::Most(NodeId node, std::size_t leaked) const
{
    const double own = m_noise[node].own;
    return leaked <= m_rule.colluders ? 1.0 : 1.0 / (own * own);
}

const std::vector<VisibleNoiseExposure::Rest>&
VisibleNoiseExposure::RestsOf(const std::vector<NodeId>& leaked) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const auto [found, isNew] = m_rests.try_emplace(leaked);
    if (isNew)
    {
        found->second = FindRests(leaked);
    }
    return found->second;
}

std::vector<VisibleNoiseExposure::Rest>
VisibleNoiseExposure::FindRests(const std::vector<NodeId>& leaked) const
{
    const std::size_t nodes = m_noise.size();
    const NodeSet others = OtherNodes(leaked, nodes);
    const std::size_t colluders = m_rule.colluders - std::min(m_rule.colluders, leaked.size());
    const double sets = CountSets(colluders, others.size());
    const double entries = sets * static_cast<double>(nodes * nodes);
    if (entries > MOST_ENTRIES || entries * static_cast<double>(nodes) > MOST_INVERSION)
    {
        return {};
    }
    std::vector<Rest> rests;
    NodeSet set = FirstSet(colluders);
    do
    {
        Rest rest;
        NodeSet known = leaked;
        for (NodeId place = 0; place < others.size(); ++place)
        {
            const bool colludes = std::binary_search(set.begin(), set.end(), place);
            (colludes ? known : rest.honest).push_back(others[place]);
        }
        const SymmetricMatrix covariance = SeenCovariance(m_noise, known, rest.honest);
        const SymmetricMatrix inverse = covariance.Inverse();
        const std::vector<double> values = covariance.Eigenvalues();
        rest.slack = ExposureSlack(nodes, std::fabs(values.back() / values.front()));
        for (std::size_t row = 0; row < rest.honest.size(); ++row)
        {
            for (std::size_t column = 0; column < rest.honest.size(); ++column)
            {
                rest.precision.push_back(inverse.At(row, column));
            }
        }
        rests.push_back(std::move(rest));
    } while (NextSet(set, others.size()));
    return rests;
}

void
VisibleNoiseExposure::OfComplete(const std::vector<bool>& seen,
                                 const std::vector<NodeId>& leaked,
                                 std::vector<double>& exposure) const
{
    const NodeNoise& row = m_noise.front();
    const std::size_t honest = m_noise.size() - std::max(m_rule.colluders, leaked.size());
    const auto made = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
    // The exposure is largest if the colluders are silent nodes. If there are fewer silent nodes
    // than colluders, the others are visible nodes.
    const double most =
        CompleteExposure(row.own, row.shared.front().weight, honest, std::min(made, honest));
    for (NodeId node = 0; node < seen.size(); ++node)
    {
        const double bound = std::min(Most(node, leaked.size()), most * ExposureSlack(seen.size()));
        exposure[node] = seen[node] ? bound : 0.0;
    }
}

void
VisibleNoiseExposure::OfWorstSet(const std::vector<bool>& seen,
                                 const std::vector<NodeId>& leaked,
                                 std::vector<double>& exposure) const
{
    const std::vector<Rest>& rests = RestsOf(leaked);
    for (NodeId node = 0; node < seen.size() && rests.empty(); ++node)
    {
        exposure[node] = seen[node] ? Most(node, leaked.size()) : 0.0;
    }
    for (const Rest& rest : rests)
    {
        // Conditioning the inverse covariance on an entry is equivalent to removing the entry's row
        // and column from the covariance.
        const std::size_t size = rest.honest.size();
        const double each = static_cast<double>(rests.size() * size);
        auto left = static_cast<std::size_t>(std::sqrt(MOST_OF_ROUND / each));
        Conditioning precision(rest.precision, size);
        for (std::size_t row = 0; row < size && left > 0; ++row)
        {
            if (!seen[rest.honest[row]])
            {
                precision.Learn(row);
                --left;
            }
        }
        const double slack = rest.slack - 1.0;
        for (std::size_t row = 0; row < size; ++row)
        {
            const double most = Most(rest.honest[row], leaked.size());
            double& largest = exposure[rest.honest[row]];
            if (seen[rest.honest[row]] && largest < most)
            {
                largest = std::clamp(precision.Variance(row) + slack * most, largest, most);
            }
        }
    }
}

std::vector<double>
VisibleNoiseExposure::Of(const std::vector<bool>& released, const std::vector<NodeId>& leaked) const
{
    std::vector<bool> seen = released;
    for (const NodeId node : leaked)
    {
        seen[node] = false;
    }
    std::vector<double> exposure(released.size(), 0.0);
    if (std::count(seen.begin(), seen.end(), true) > 0)
    {
        const auto find = m_rule.isComplete ? &VisibleNoiseExposure::OfComplete
                                            : &VisibleNoiseExposure::OfWorstSet;
        (this->*find)(seen, leaked, exposure);
    }
    for (const NodeId node : leaked)
    {
        const double own = m_noise[node].own;
        exposure[node] = released[node] ? 1.0 / (own * own) : 0.0;
    }
    for (double& part : exposure)
    {
        // Nodes with the planned exposure of 1 differ only by rounding errors. Rounding up makes
        // their exposures, and so their ledger entries, equal.
        part = part < 1.0 && part > NEARLY_ALL ? 1.0 : part;
    }
    return exposure;
}

NodeSet
FirstSet(std::size_t size)
{
    NodeSet set(size);
    std::iota(set.begin(), set.end(), NodeId{0});
    return set;
}

NodeSet
OtherNodes(const NodeSet& set, std::size_t nodes)
{
    const NodeSet all = FirstSet(nodes);
    NodeSet others;
    std::set_difference(all.begin(), all.end(), set.begin(), set.end(), std::back_inserter(others));
    return others;
}

bool
NextSet(NodeSet& set, std::size_t nodes)
{
    for (std::size_t i = set.size(); i-- > 0;)
    {
        if (set[i] + (set.size() - i) < nodes)
        {
            ++set[i];
            for (std::size_t j = i + 1; j < set.size(); ++j)
            {
                set[j] = set[j - 1] + 1;
            }
            return true;
        }
    }
    return false;
}

double
CountSets(std::size_t size, std::size_t nodes)
{
    double sets = 1.0;
    for (std::size_t i = 0; i < size; ++i)
    {
        sets *= static_cast<double>(nodes - i) / static_cast<double>(i + 1);
    }
    return sets;
}

double
ExposureSlack(std::size_t nodes, double condition)
{
    constexpr double LEAST_CONDITION = 1e4;
    return 1.0 + std::max(condition, LEAST_CONDITION) * static_cast<double>(nodes) *
                     std::numeric_limits<double>::epsilon();
}

double
CompleteExposure(double own, double pair, std::size_t honest, std::size_t seen)
{
    const double shared = pair * pair;
    const double unseen = own * own + shared * static_cast<double>(honest - seen);
    return (1.0 + shared / unseen) / (own * own + shared * static_cast<double>(honest));
}

} // namespace dpdl
