// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TEST_STATISTICS_H
#define DPDL_TEST_STATISTICS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace dpdl
{

/// Pearson's statistic.
struct ChiSquare
{
    double value{0.0};    ///< sum of (seen - expected)^2 / expected
    std::size_t cells{0}; ///< number of cells

    /// What a right distribution exceeds with a probability of 3e-7 (Wilson and Hilferty, 1931).
    double Limit() const
    {
        const double freedom = static_cast<double>(cells) - 1.0;
        const double part = 2.0 / (9.0 * freedom);
        return freedom * std::pow(1.0 - part + 5.0 * std::sqrt(part), 3.0);
    }
};

/**
 * @brief Compares counts with probabilities.
 * @param counts how often each value was seen
 * @param probabilities of the values; those of less than ten expected sightings share a cell
 * @param draws number of draws
 */
inline ChiSquare
FitOf(const std::vector<double>& counts, const std::vector<double>& probabilities, double draws)
{
    ChiSquare fit;
    double rareSeen = 0.0;
    double rareExpected = 0.0;
    auto add = [&fit](double seen, double expected) {
        fit.value += (seen - expected) * (seen - expected) / expected;
        ++fit.cells;
    };
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        const double expected = probabilities[i] * draws;
        if (expected < 10.0)
        {
            rareSeen += counts[i];
            rareExpected += expected;
        }
        else
        {
            add(counts[i], expected);
        }
    }
    if (rareExpected > 1.0)
    {
        add(rareSeen, rareExpected);
    }
    return fit;
}

/// Compares values with the standard normal distribution, in cells of equal probability.
inline ChiSquare
FitToNormal(const std::vector<double>& values)
{
    const std::size_t cells = 100;
    std::vector<double> counts(cells);
    for (const double value : values)
    {
        const double rank = 0.5 * std::erfc(-value / std::sqrt(2.0));
        counts[std::min(cells - 1, static_cast<std::size_t>(rank * cells))] += 1.0;
    }
    return FitOf(counts, std::vector<double>(cells, 1.0 / cells), values.size());
}

} // namespace dpdl

#endif // DPDL_TEST_STATISTICS_H
