// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/toeplitz-noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dpdl
{

std::vector<double>
SquareRootColumn(std::size_t count)
{
    std::vector<double> column(count, 1.0);
    for (std::size_t k = 1; k < count; ++k)
    {
        const auto twice = 2.0 * static_cast<double>(k);
        column[k] = column[k - 1] * (twice - 1.0) / twice;
    }
    return column;
}

std::vector<double>
InverseColumn(const std::vector<double>& column, std::size_t rounds)
{
    std::vector<double> inverse(rounds, 0.0);
    for (std::size_t t = 0; t < rounds; ++t)
    {
        double sum = t == 0 ? 1.0 : 0.0;
        for (std::size_t k = 1; k < std::min(column.size(), t + 1); ++k)
        {
            sum -= column[k] * inverse[t - k];
        }
        inverse[t] = sum / column[0];
    }
    // Trailing coefficients below this fraction of the first coefficient are dropped. Their
    // contribution to the noise is below the rounding error of the noise.
    constexpr double NEGLIGIBLE = 1e-18;
    while (!inverse.empty() && std::fabs(inverse.back()) < NEGLIGIBLE * std::fabs(inverse[0]))
    {
        inverse.pop_back();
    }
    return inverse;
}

double
ToeplitzSensitivity(const std::vector<double>& column,
                    std::size_t rounds,
                    std::size_t participations,
                    std::size_t separation)
{
    std::vector<double> moved(rounds, 0.0);
    for (std::size_t i = 0; i < participations && i * separation < rounds; ++i)
    {
        const std::size_t first = i * separation;
        for (std::size_t t = first; t < std::min(rounds, first + column.size()); ++t)
        {
            moved[t] += column[t - first];
        }
    }
    return std::sqrt(std::inner_product(moved.begin(), moved.end(), moved.begin(), 0.0));
}

} // namespace dpdl
