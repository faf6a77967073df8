// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/toeplitz-noise.h"

#include <algorithm>
#include <numeric>

namespace dpdl
{

double
ResponseError(const std::vector<double>& column, const std::vector<std::vector<double>>& response)
{
    const double sensitivity =
        std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
    double error = 0.0;
    // After the loop, noise[k] is the effect of one round's independent noise Z, multiplied by
    // C^-1, on the results k rounds later. C has the first column `column`.
    std::vector<std::vector<double>> noise = response;
    for (std::size_t lag = 0; lag < noise.size(); ++lag)
    {
        std::vector<double>& values = noise[lag];
        for (std::size_t k = 1; k < std::min(column.size(), lag + 1); ++k)
        {
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                values[i] -= column[k] * noise[lag - k][i];
            }
        }
        const auto rounds = static_cast<double>(noise.size() - lag);
        for (const double value : values)
        {
            error += rounds * value * value;
        }
    }
    return sensitivity * error;
}

std::vector<double>
FitBands(std::size_t bands, const std::vector<std::vector<double>>& response)
{
    constexpr double FIRST_STEP = 0.125;
    constexpr double LAST_STEP = 1e-4;
    std::vector<double> column = SquareRootColumn(bands);
    double least = ResponseError(column, response);
    for (double step = FIRST_STEP; step > LAST_STEP;)
    {
        bool isBetter = false;
        for (std::size_t k = 1; k < bands; ++k)
        {
            for (const double move : {step, -step})
            {
                const double before = column[k];
                column[k] += move;
                const double error = ResponseError(column, response);
                if (error < least)
                {
                    least = error;
                    isBetter = true;
                    break;
                }
                column[k] = before;
            }
        }
        step = isBetter ? step : step / 2.0;
    }
    return column;
}

} // namespace dpdl
