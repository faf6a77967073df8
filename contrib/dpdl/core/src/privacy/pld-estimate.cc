// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-estimate.h"

#include "normal-tail.h"

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <numeric>

// Approximates the privacy loss of each pair by 32 to 1300 atoms, and solves the saddle-point
// equation for epsilon. Derives the grid's window and the tilting exponents for a precise
// evaluation.

namespace dpdl
{

namespace
{

/// The probability that all steps together truncate at either end of their privacy losses is at
/// most this fraction of delta.
constexpr double GIVEN_AWAY = 1e-6;
/// Probability of each of the two tails of a step's privacy loss. The body between the tails gets
/// finer cells.
constexpr double BODY_TAIL = 1e-3;
/// Natural logarithm of the fraction of delta that the mass outside the grid's window may
/// contribute.
constexpr double LOG_OUTSIDE = -16.0;
/// Natural logarithm of the fraction of delta below which rounding errors do not affect the choice
/// of a plan.
constexpr double LOG_ROUNDING = -10.0;
/// Relative rounding error, per step, of a sum of tilted masses.
constexpr double ROUNDING = 1e-14;
/// Fraction by which a grid's window exceeds the computed width.
constexpr double MARGIN = 0.03;
/// Largest accepted product of a tilting exponent and the largest privacy loss of a step.
constexpr double LARGEST_TILT = 500.0;

/// Zero of an increasing function in [low, high], with an error of at most 0.03.
template <typename F>
double
Bisect(F f, double low, double high)
{
    for (int i = 0; i < 24 && high - low > 0.03; ++i)
    {
        const double middle = 0.5 * (low + high);
        (f(middle) < 0.0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

} // namespace

PldEstimate::Cells::Cells(const DominatingPair& pair, const PldRange& range, std::size_t number)
{
    const double scale = std::max({std::abs(range.lowest), std::abs(range.highest), 1e-300});
    grid.h = std::max(range.highest - range.lowest, 1e-9 * scale) / static_cast<double>(number);
    grid.first = static_cast<std::int64_t>(std::floor(range.lowest / grid.h));
    grid.points = number + 2;
    p.resize(grid.points + 1);
    q.resize(grid.points + 1);
    pair.CellMasses(grid, p.data(), q.data());
}

PldEstimate::PldEstimate(const PldKinds& kinds, double delta)
    : m_tail(GIVEN_AWAY * delta / kinds.steps),
      m_logDelta(std::log(delta)),
      m_steps(kinds.steps)
{
    const std::vector<PldKind> sketch = kinds.Sketch();
    const std::size_t atoms = kinds.meshes.empty() ? 8192 : 32768;
    const std::size_t cells = std::clamp<std::size_t>(atoms / sketch.size(), 32, 512);
    for (const PldKind& kind : sketch)
    {
        AddKind(kind, cells);
    }
    FindSaddle();
    Tabulate();
}

void
PldEstimate::AddKind(const PldKind& kind, std::size_t cells)
{
    const PldRange all = kind.pair->Range(m_tail);
    const PldRange body = kind.pair->Range(std::max(BODY_TAIL, m_tail));
    const Cells middle(*kind.pair, body, cells);
    double bottom = middle.p[0];
    double top = middle.p.back();
    AddAtoms(middle);
    // Returns the privacy loss, in nats, at which the cells of a tail begin. This is `body`, the
    // border between body and tail, if the body's cells end (at `end`) less than the width of a
    // tail cell beyond the border. If not, it is `end`. If the tail's far end `last` is less than a
    // body cell beyond `end`, the result is `last`, and the tail gets no cells.
    const auto border = [&middle](double body, double end, double last, std::size_t number) {
        const double wide = std::abs(last - body) / static_cast<double>(number);
        const double start = std::abs(last - end) > middle.grid.h ? end : last;
        return std::abs(end - body) < wide ? body : start;
    };
    // The first cell of the tail overlaps the body's cells, so it gets only the remaining mass.
    const double from =
        border(body.highest, middle.grid.LossAt(middle.grid.points - 1), all.highest, cells);
    if (all.highest > from)
    {
        Cells upper(*kind.pair, {from, all.highest}, cells);
        upper.p[1] = middle.p.back() - std::accumulate(upper.p.begin() + 2, upper.p.end(), 0.0);
        upper.q[1] = middle.q.back() - std::accumulate(upper.q.begin() + 2, upper.q.end(), 0.0);
        top = upper.p.back();
        AddAtoms(upper);
    }
    const double to = border(body.lowest, middle.grid.LossAt(0), all.lowest, cells / 2);
    if (all.lowest < to)
    {
        Cells lower(*kind.pair, {all.lowest, to}, cells / 2);
        const std::size_t last = lower.grid.points - 1;
        lower.p[last] = middle.p[0] - std::accumulate(&lower.p[0], &lower.p[last], 0.0);
        lower.q[last] = middle.q[0] - std::accumulate(&lower.q[0], &lower.q[last], 0.0);
        bottom = lower.p[0];
        AddAtoms(lower);
    }
    m_atoms.push_back({all.highest, top});
    m_atoms.push_back({all.lowest, bottom});
    m_segments.push_back({m_atoms.size(), kind.count});
    m_highest = std::max(m_highest, all.highest);
    m_lowest = std::min(m_lowest, all.lowest);
}

void
PldEstimate::AddAtoms(const Cells& cells)
{
    for (std::size_t i = 1; i < cells.grid.points; ++i)
    {
        const double bottom = cells.grid.LossAt(i - 1);
        if (cells.p[i] > 0.0)
        {
            const double loss = cells.q[i] > 0.0 ? std::log(cells.p[i] / cells.q[i]) : bottom;
            m_atoms.push_back({std::clamp(loss, bottom, bottom + cells.grid.h), cells.p[i]});
        }
    }
}

PldEstimate::Cumulants
PldEstimate::At(double exponent) const
{
    Cumulants sum;
    std::size_t i = 0;
    for (const Segment& segment : m_segments)
    {
        double mass = 0.0;
        double first = 0.0;
        double second = 0.0;
        for (; i < segment.end; ++i)
        {
            const double loss = m_atoms[i].loss;
            const double weight = m_atoms[i].mass * std::exp(exponent * loss);
            mass += weight;
            first += weight * loss;
            second += weight * loss * loss;
        }
        const double mean = first / mass;
        sum.value += segment.count * std::log(mass);
        sum.mean += segment.count * mean;
        sum.variance += segment.count * (second / mass - mean * mean);
    }
    return sum;
}

void
PldEstimate::FindSaddle()
{
    const double highest = std::log(LARGEST_TILT / m_highest) - 1.5;
    // With the log moment K(c) = log E_P[e^(c l)] of the privacy loss l, epsilon at the saddle
    // point c solves K'(c) - epsilon - 1 / c - 1 / (1 + c) = 0.
    const auto epsilonAt = [](const Cumulants& k, double c) {
        return k.mean - 1.0 / c - 1.0 / (1.0 + c);
    };
    const auto tooSmall = [this, epsilonAt](double logC) {
        const double c = std::exp(logC);
        const Cumulants k = At(c);
        const double epsilon = epsilonAt(k, c);
        const double curvature =
            std::max(k.variance, 0.0) + 1.0 / (c * c) + 1.0 / ((1.0 + c) * (1.0 + c));
        const double logDelta =
            k.value - c * epsilon - std::log(c) - std::log1p(c) -
            0.5 * std::log(2.0 * boost::math::constants::pi<double>() * curvature);
        return epsilon < 0.0 ? -1.0 : m_logDelta - logDelta;
    };
    m_saddle = std::exp(Bisect(tooSmall, highest - 40.0, highest));
    m_epsilon = std::max(epsilonAt(At(m_saddle), m_saddle), 0.0);
}

void
PldEstimate::Tabulate()
{
    m_table[0.0] = 0.0;
    for (int i = -14; i <= 6; ++i)
    {
        const double size = m_saddle * std::pow(2.0, 0.5 * i);
        for (const double exponent : {size, -size})
        {
            const double largest = std::max(exponent * m_highest, exponent * m_lowest);
            const double value = largest < LARGEST_TILT ? At(exponent).value : INF;
            if (std::isfinite(value))
            {
                m_table[exponent] = value;
            }
        }
    }
}

PldPlan
PldEstimate::PlanFor(double main, double value, double low, bool sure) const
{
    // One unit of tilted mass at privacy losses above epsilon contributes at most exp(effect) *
    // delta to the privacy curve at epsilon. One unit at any privacy losses contributes at most
    // exp(effect + part) * delta.
    const double effect = value - main * low - m_logDelta;
    const double part = main * std::log(main / (1.0 + main)) - std::log1p(main);
    PldPlan plan;
    plan.logRounding = effect + part + std::log(ROUNDING * (m_steps + 10.0));
    plan.tilt.main = main;
    plan.tilt.local = std::max(main, m_saddle);
    double high = INF;
    double bottom = -INF;
    const double lowest = std::max(m_lowest, -NEGLIGIBLE_TILT / main);
    for (const auto& [exponent, moment] : m_table)
    {
        const double distance = exponent - main;
        const double least = moment - value + effect - LOG_OUTSIDE;
        const double edge = (distance > 0.0 ? least : least + part) / distance;
        if (distance > 0.0 && edge < high)
        {
            high = edge;
            plan.tilt.above = distance;
        }
        if (distance < 0.0 && edge > bottom && distance * lowest < LARGEST_TILT)
        {
            bottom = edge;
            plan.tilt.below = -distance;
        }
    }
    plan.window = {bottom, high};
    // The grid is cyclic, so privacy losses below the window are counted at least one window width
    // higher, where they hardly contribute to delta.
    const double width = (1.0 + MARGIN) * std::max(high - low, (-m_logDelta - LOG_OUTSIDE) / main);
    // The window may begin just below @p low in two cases: no exponent bounds the privacy losses
    // below the window, or epsilon is known to be at least @p low.
    if ((sure || !std::isfinite(bottom)) && width < high - bottom)
    {
        const double start = std::max(bottom, low - MARGIN * width);
        plan.window = {start, start + width};
    }
    return plan;
}

PldPlan
PldEstimate::Plan(double low, bool sure) const
{
    PldPlan best;
    double lowestCost = INF;
    for (const auto& [exponent, moment] : m_table)
    {
        if (exponent > 0.0 && exponent < 4.0 * m_saddle)
        {
            const PldPlan plan = PlanFor(exponent, moment, low, sure);
            // The cost of a plan is the logarithm of the window's width, to which the number of
            // cells is proportional. A finer grid cannot reduce rounding errors, so a logarithmic
            // rounding error above LOG_ROUNDING is added to the cost.
            const double rounding = std::max(plan.logRounding - LOG_ROUNDING, 0.0);
            const double cost = std::log(plan.Width()) + rounding;
            if (cost < lowestCost)
            {
                lowestCost = cost;
                best = plan;
            }
        }
    }
    return best;
}

} // namespace dpdl
