// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "composed-pld.h"

#include "normal-tail.h"

#include <algorithm>

// Epsilon is the point at which the discretised privacy curve equals delta. The upper bound adds
// all numerical errors of the probabilities to the curve. The lower bound subtracts them, and also
// subtracts the effect of the discretisation on epsilon.

namespace dpdl
{

namespace
{

/// The estimated effect of discretisation assumes worst-case rounding for at most this number of
/// steps, because their privacy losses may be distributed unlike the tilted losses.
constexpr double UNUSUAL = 4.0;
/// If the densities of the privacy loss near epsilon differ by more than this factor, the
/// second-order expansion of the discretisation's effect is not used.
constexpr double UNEVEN = 4.0;
/// Assumed largest shift of the composed privacy loss by rounding to the grid, if the expansion is
/// not used. The unit is (standard deviation of the rounding + width of a cell).
constexpr double FARTHEST = 4.0;
/// Safety factor on the second-order estimate of the discretisation error.
constexpr double SAFETY = 1.25;

} // namespace

ComposedPld::ComposedPld(PldSpectrum& spectrum,
                         double h,
                         const PldTilt& tilt,
                         const PldRange& window)
    : m_size(static_cast<std::int64_t>(spectrum.Size())),
      m_h(h),
      m_tilt(tilt.main),
      m_totals(spectrum.Finish()),
      m_masses(spectrum.Masses())
{
    const double middle = 0.5 * (window.lowest + window.highest) / h;
    m_first = static_cast<std::int64_t>(std::floor(middle)) - m_size / 2;
    const double lowest = static_cast<double>(m_first) * h;
    const double least = std::max(lowest, 0.0);
    const double width = static_cast<double>(m_size) * h;
    // The grid is cyclic: a privacy loss above its upper end is counted at a lower grid point.
    // Losses above least + width are counted above `least`, so they distort the part of the curve
    // that is searched for epsilon.
    const double above = m_totals.logAbove - tilt.above * (least + width);
    m_missing =
        std::exp(m_totals.logMoment + m_totals.logAbove - (m_tilt + tilt.above) * (lowest + width));
    // The grid is cyclic, so privacy losses below it are counted at grid points at least one grid
    // width higher.
    const double factor = m_tilt * std::log(m_tilt / (1.0 + m_tilt)) - std::log1p(m_tilt);
    const double below = factor + m_totals.logBelow + tilt.below * lowest;
    const double back = -m_tilt * width - std::log(-std::expm1(-m_tilt * width));
    const bool few = below + m_totals.logMoment - m_tilt * least < back;
    m_returned = few ? 0.0 : std::exp(back);
    m_error = std::exp(factor) * (m_totals.roundoff + m_totals.moved) +
              std::exp(above) / -std::expm1(-tilt.above * width) + (few ? std::exp(below) : 0.0);
}

std::int64_t
ComposedPld::Position(std::int64_t index) const
{
    const std::int64_t rest = index % m_size;
    return rest < 0 ? rest + m_size : rest;
}

double
ComposedPld::Upper(double delta) const
{
    const double added = m_missing + m_returned - std::expm1(m_totals.logFinite);
    return delta > added && std::isfinite(m_error) ? Find(delta - added, 1.0).epsilon : INF;
}

EpsilonBounds
ComposedPld::Bounds(double delta) const
{
    EpsilonBounds bounds{Upper(delta), 0.0};
    if (!std::isfinite(bounds.upper))
    {
        return bounds;
    }
    const Crossing lower = Find(delta + m_returned, -1.0);
    if (lower.epsilon > 0.0)
    {
        bounds.lower = std::max(lower.epsilon - Discretisation(lower), 0.0);
    }
    return bounds;
}

double
ComposedPld::Inside(double above, double sum, double discounted, double threshold) const
{
    const double part = (sum - threshold) / discounted;
    return part > 0.0 ? above + std::min(std::log(part), 0.0) : -INF;
}

ComposedPld::Crossing
ComposedPld::Find(double delta, double side) const
{
    // Logarithm of the value that the tilted curve must have at privacy loss 0 for the given delta.
    const double logDelta = std::log(delta) - m_totals.logMoment - side * m_totals.logSlack;
    const double decay = std::exp(-m_tilt * m_h);
    const double decayMore = std::exp(-(m_tilt + 1.0) * m_h);
    const double gap = -std::expm1(-m_h);
    const auto thresholdAt = [this, logDelta](std::int64_t index) {
        return std::exp(std::min(logDelta + m_tilt * static_cast<double>(index) * m_h, 700.0));
    };
    // At the beginning of an iteration, e is the privacy loss at index + 1, `curve` is the sum over
    // l >= e of m exp(-t (l - e)) (1 - exp(e - l)), and `discounted` that of m exp(-(t + 1) (l -
    // e)).
    double curve = 0.0;
    double discounted = 0.0;
    double threshold = INF;
    const std::int64_t last = m_first + m_size - 1;
    const std::int64_t lowest = std::max<std::int64_t>(m_first, 0);
    std::int64_t position = Position(last);
    std::int64_t index = last;
    for (; index >= lowest; --index)
    {
        const double nextCurve = decay * (curve + gap * discounted);
        const double above = threshold;
        threshold = (last - index) % 64 == 0 ? thresholdAt(index) : threshold * decay;
        if (nextCurve + side * m_error > threshold)
        {
            const double top = static_cast<double>(index + 1) * m_h;
            const double bottom = static_cast<double>(index) * m_h;
            if (index == last)
            {
                return {INF, index, 0.0};
            }
            const double errors = side * m_error / decay;
            const double inside = Inside(top, curve + discounted + errors, discounted, above);
            return {std::max(inside, bottom), index, discounted};
        }
        discounted = m_masses[position] + decayMore * discounted;
        curve = nextCurve;
        position = (position == 0 ? m_size : position) - 1;
    }
    // The curve is below delta even at the lowest tested epsilon: the larger of 0 and the lowest
    // privacy loss of the grid.
    return {side > 0.0 ? static_cast<double>(lowest) * m_h : 0.0, m_first, discounted};
}

double
ComposedPld::Discretisation(const Crossing& crossing) const
{
    // Each density near epsilon is an average over about two standard deviations of the rounding.
    // `spread` and `raised` include the worst case of rounding for up to UNUSUAL steps.
    const double few = std::min(m_totals.steps, UNUSUAL);
    const double spread = m_totals.spread + 0.25 * few * m_h * m_h;
    const double raised = m_totals.raised + few * std::min(m_h, 0.125 * m_h * m_h);
    const double deviation = std::sqrt(spread);
    const std::int64_t furthest = m_size / 16;
    const auto reach = static_cast<std::int64_t>(
        std::clamp(2.0 * deviation / m_h, 1.0, static_cast<double>(furthest)));
    double near = 0.0;
    double least = INF;
    double most = 0.0;
    for (std::int64_t window = -3; window < 3; ++window)
    {
        const double density = Density(crossing.index, window * reach, reach);
        least = std::min(least, density);
        most = std::max(most, density);
        near = window == -1 || window == 0 ? std::max(near, density) : near;
    }
    if (!(most < UNEVEN * least))
    {
        const double likely = raised + FARTHEST * (deviation + m_h);
        return std::min(likely, m_totals.steps * m_h);
    }
    const double curvature = std::max(near / crossing.discounted - 1.0, 0.0);
    return SAFETY * (raised + 0.5 * spread * curvature);
}

double
ComposedPld::Density(std::int64_t origin, std::int64_t first, std::int64_t cells) const
{
    double sum = 0.0;
    for (std::int64_t i = first; i < first + cells; ++i)
    {
        sum += m_masses[Position(origin + 1 + i)] *
               std::exp(-m_tilt * static_cast<double>(i + 1) * m_h);
    }
    return sum / (static_cast<double>(cells) * m_h);
}

} // namespace dpdl
