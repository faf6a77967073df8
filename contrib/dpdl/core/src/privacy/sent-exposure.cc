// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/sent-exposure.h"

#include "colluder-sets.h"
#include "dpdl/privacy/noise-covariance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpdl
{

namespace
{

/// Entries of all precisions, 64 MiB.
constexpr double MOST_ENTRIES = 1U << 23U;
/// Operations that their inverses may take.
constexpr double MOST_INVERSION = 1e10;
/// Operations of a round, a tenth of a second; silent nodes beyond are treated as seen.
constexpr double MOST_OF_ROUND = 1e8;

/// Conditions a normal vector on some of its entries, one after the other, given its covariance.
class Conditioning
{
  public:
    /// @param covariance [size size], definite @param size of the vector
    Conditioning(const std::vector<double>& covariance, std::size_t size)
        : m_covariance(covariance),
          m_size(size)
    {
    }

    /// The variance that is left of an entry; m_row receives its row of the Cholesky factor.
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

    /// Learns an entry. An entry that rounding leaves no variance is passed over.
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
    const std::vector<double>& m_covariance;   ///< of all entries
    std::size_t m_size;                        ///< of the vector
    std::vector<std::size_t> m_known;          ///< entries, in the order in which they were learnt
    std::vector<std::vector<double>> m_factor; ///< Cholesky, of their covariance
    std::vector<double> m_row;                 ///< see Variance()
};

} // namespace

SentExposure::SentExposure(std::vector<NodeNoise> noise, const PairNoiseRule& rule)
    : m_noise(std::move(noise)),
      m_rule(rule)
{
}

void
SentExposure::FindRests() const
{
    const std::size_t nodes = m_noise.size();
    const double sets = CountSets(m_rule.colluders, nodes);
    const double entries = sets * static_cast<double>(nodes * nodes);
    if (entries > MOST_ENTRIES || entries * static_cast<double>(nodes) > MOST_INVERSION)
    {
        return;
    }
    NodeSet set = FirstSet(m_rule.colluders);
    do
    {
        Rest rest;
        for (NodeId node = 0; node < nodes; ++node)
        {
            if (!std::binary_search(set.begin(), set.end(), node))
            {
                rest.honest.push_back(node);
            }
        }
        const SymmetricMatrix inverse = SeenCovariance(m_noise, set, rest.honest).Inverse();
        for (std::size_t row = 0; row < rest.honest.size(); ++row)
        {
            for (std::size_t column = 0; column < rest.honest.size(); ++column)
            {
                rest.precision.push_back(inverse.At(row, column));
            }
        }
        m_rests.push_back(std::move(rest));
    } while (NextSet(set, nodes));
}

void
SentExposure::Raise(const Rest& rest,
                    const std::vector<bool>& released,
                    std::vector<double>& exposure) const
{
    // To drop a row of a covariance is to condition on it in the inverse.
    const std::size_t size = rest.honest.size();
    const double each = static_cast<double>(m_rests.size() * size);
    auto left = static_cast<std::size_t>(std::sqrt(MOST_OF_ROUND / each));
    Conditioning precision(rest.precision, size);
    for (std::size_t row = 0; row < size && left > 0; ++row)
    {
        if (!released[rest.honest[row]])
        {
            precision.Learn(row);
            --left;
        }
    }
    const double slack = ExposureSlack(m_noise.size()) - 1.0;
    for (std::size_t row = 0; row < size; ++row)
    {
        double& largest = exposure[rest.honest[row]];
        if (released[rest.honest[row]] && largest < 1.0)
        {
            largest = std::clamp(precision.Variance(row) + slack, largest, 1.0);
        }
    }
}

double
SentExposure::OfComplete(std::size_t made) const
{
    const NodeNoise& row = m_noise.front();
    const std::size_t honest = m_noise.size() - m_rule.colluders;
    // The worst colluders are those that are not seen anyway.
    const double exposure =
        CompleteExposure(row.own, row.shared.front().weight, honest, std::min(made, honest));
    return std::min(1.0, exposure * ExposureSlack(m_noise.size()));
}

std::vector<double>
SentExposure::Of(const std::vector<bool>& released) const
{
    const auto made = static_cast<std::size_t>(std::count(released.begin(), released.end(), true));
    const auto forEach = [&released](double value) {
        std::vector<double> exposure(released.size(), 0.0);
        for (std::size_t node = 0; node < released.size(); ++node)
        {
            exposure[node] = released[node] ? value : 0.0;
        }
        return exposure;
    };
    if (made == released.size())
    {
        return forEach(1.0);
    }
    if (m_rule.isComplete)
    {
        return forEach(OfComplete(made));
    }
    std::call_once(m_once, [this] { FindRests(); });
    std::vector<double> exposure = forEach(m_rests.empty() ? 1.0 : 0.0);
    for (const Rest& rest : m_rests)
    {
        Raise(rest, released, exposure);
    }
    return exposure;
}

} // namespace dpdl
