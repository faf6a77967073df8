// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/contour.h"

#include "inverted-curve.h"
#include "numbers.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// The larger of the answers in the directions asked for.
template <typename Function>
std::optional<double>
Largest(Direction direction, double nothing, Function answer)
{
    double largest = nothing;
    for (const bool remove : {true, false})
    {
        if (direction != (remove ? Direction::ADD : Direction::REMOVE))
        {
            const std::optional<double> value = answer(remove);
            if (!value)
            {
                return std::nullopt;
            }
            largest = std::max(largest, *value);
        }
    }
    return largest;
}

} // namespace

void
ContourInversion::Add(double rate, double mu, std::uint64_t count)
{
    if (rate == 1.0)
    {
        m_fullMuSquared += static_cast<double>(count) * mu * mu;
    }
    else if (rate > 0.0 && mu > 0.0 && count > 0)
    {
        m_steps[rate][mu] += static_cast<double>(count);
    }
}

std::optional<double>
ContourInversion::LogDelta(double epsilon, Direction direction) const
{
    if (m_steps.empty() && m_fullMuSquared == 0.0)
    {
        return -INF;
    }
    return Largest(direction, -INF, [this, epsilon](bool remove) {
        return InvertedCurve(m_steps, m_fullMuSquared, remove).LogDelta(epsilon);
    });
}

std::optional<double>
ContourInversion::Epsilon(double delta, Direction direction) const
{
    if (m_steps.empty() && m_fullMuSquared == 0.0)
    {
        return 0.0;
    }
    return Largest(direction, 0.0, [this, delta](bool remove) {
        return InvertedCurve(m_steps, m_fullMuSquared, remove).Epsilon(delta);
    });
}

} // namespace dpdl
