// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-mesh.h"
#include "step-rounding.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Approximate largest number of lines.
constexpr double MOST_LINES = 2048.0;

} // namespace

MeshLines
MeshLines::OverRates(double low, double high, double distance)
{
    return {low, high, distance, RateScale, RateAt};
}

MeshLines
MeshLines::OverMus(double low, double high, double distance)
{
    return {low, high, distance, MuScale, MuAt};
}

MeshLines::MeshLines(double low,
                     double high,
                     double distance,
                     double (*scaleOf)(double),
                     double (*valueAt)(double))
    : m_values{low}
{
    if (!(high > low))
    {
        return;
    }
    const double from = scaleOf(low);
    const double cells = std::ceil(std::min((scaleOf(high) - from) / distance, MOST_LINES));
    for (double i = 1.0; i < cells; ++i)
    {
        const double value = valueAt(from + (scaleOf(high) - from) * i / cells);
        if (value > m_values.back() && value < high)
        {
            m_values.push_back(value);
        }
    }
    m_values.push_back(high);
}

} // namespace dpdl
