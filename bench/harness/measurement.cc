// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Joins two measurements repetition by repetition.
template <typename Join>
Measurement
Joined(const Measurement& above, const Measurement& below, Join join)
{
    const std::vector<double>& a = above.Values();
    const std::vector<double>& b = below.Values();
    const std::size_t count = a.empty() || b.empty() ? 0 : std::max(a.size(), b.size());
    Measurement joined;
    for (std::size_t i = 0; i < count; ++i)
    {
        joined.Add(join(a[i * a.size() / count], b[i * b.size() / count]));
    }
    return joined;
}

} // namespace

Measurement::Measurement(std::vector<double> values)
    : m_values(std::move(values))
{
}

void
Measurement::Add(double value)
{
    m_values.push_back(value);
}

const std::vector<double>&
Measurement::Values() const
{
    return m_values;
}

double
Measurement::Quantile(double share) const
{
    if (m_values.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<double> sorted = m_values;
    std::sort(sorted.begin(), sorted.end());
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(position));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

double
Measurement::Median() const
{
    return Quantile(0.5);
}

double
Measurement::Minimum() const
{
    return Quantile(0.0);
}

Measurement
Ratios(const Measurement& above, const Measurement& below)
{
    return Joined(above, below, [](double a, double b) { return a / b; });
}

Measurement
Sum(const Measurement& above, const Measurement& below, double factor)
{
    return Joined(above, below, [factor](double a, double b) { return a + factor * b; });
}

} // namespace dpdl
