// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-pair.h"

#include "normal-tail.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <vector>

// The privacy loss of a sampled Laplace step has an atom at each end and a density between the
// ends. Moments add the atoms to Gauss-Legendre integrals over the density.

namespace dpdl
{

namespace
{

using Rule = boost::math::quadrature::gauss<double, 20>;
/// Largest number of Gauss-Legendre panels over the density.
constexpr double MOST_DENSITY_PANELS = 1000.0;

/// A quadrature point under Lap(0): the privacy loss of the mixture (1 - q) Lap(0) + q Lap(shift)
/// against Lap(0), and the natural logarithm of the point's probability.
struct Node
{
    double loss;
    double logWeight;
};

/// Quadrature points of Lap(0). The first two are the atoms, where the privacy loss of Lap(shift)
/// against Lap(0) is shift and -shift. The others are points of the density between the atoms.
/// @param width largest width of a panel, in nats of privacy loss
std::vector<Node>
NodesOf(double rate, double shift, double width)
{
    std::vector<Node> nodes = {{LogMixture(rate, shift), -shift - std::log(2.0)},
                               {LogMixture(rate, -shift), -std::log(2.0)}};
    const double panels = std::ceil(2.0 * shift / width);
    const double half = shift / panels;
    for (double panel = 0.0; panel < panels; panel += 1.0)
    {
        const double middle = (2.0 * panel + 1.0) * half - shift;
        for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
        {
            const double logWeight = std::log(Rule::weights()[i] * half) - std::log(4.0);
            for (const double sign : {-1.0, 1.0})
            {
                const double loss = middle + sign * half * Rule::abscissa()[i];
                nodes.push_back({LogMixture(rate, loss), logWeight - 0.5 * (loss + shift)});
            }
        }
    }
    return nodes;
}

/// Computes r^a - 1 - a (r - 1) for r = exp(logRatio) and the order a. The result is at least 0 for
/// a outside (0, 1).
double
Excess(double logRatio, double order)
{
    const double w = std::expm1(logRatio);
    if (std::abs(w) * std::max(std::abs(order), 2.0) < 0.1)
    {
        return BinomialTail(w, order) * w * w;
    }
    return std::expm1(order * logRatio) - order * w;
}

/**
 * @brief log E[r^order] under Lap(0) of scale 1, or an upper bound if more than MOST_DENSITY_PANELS
 *        panels were needed.
 *
 * Here r = 1 - q + q e^l, with the sampling rate q and the privacy loss l of Lap(shift) against
 * Lap(0).
 */
double
LogMixtureMoment(double rate, double shift, double order)
{
    const double top = LogMixture(rate, shift);
    const double bottom = LogMixture(rate, -shift);
    const double width = std::min(1.0, 10.0 / std::max(std::abs(order), 1.0));
    if (2.0 * shift / width > MOST_DENSITY_PANELS)
    {
        // These bounds follow from E[r] = 1 and bottom <= log r <= top. For an order in (0, 1) the
        // power is concave, so the log moment is at most 0.
        return order > 1.0 ? (order - 1.0) * top : std::max(order * bottom, 0.0);
    }
    const std::vector<Node> nodes = NodesOf(rate, shift, width);
    const double largest = std::max(order * top, order * bottom);
    double sum = 0.0;
    if (largest < LARGEST_EXPONENT)
    {
        for (const Node& node : nodes)
        {
            sum += std::exp(node.logWeight) * Excess(node.loss, order);
        }
        return std::log1p(sum);
    }
    for (const Node& node : nodes)
    {
        sum += std::exp(node.logWeight + order * node.loss - largest);
    }
    return largest + std::log(sum);
}

} // namespace

/// Probability of Lap(s) below a point, and probability of Lap(0) above that point.
struct LaplacePair::Cut
{
    double movedBelow;
    double stillAbove;
};

LaplacePair::LaplacePair(double rate, double shift, Side side)
    : m_rate(rate),
      m_shift(shift),
      m_remove(side == Side::REMOVE),
      m_top(LogMixture(rate, shift)),
      m_bottom(LogMixture(rate, -shift))
{
}

PldRange
LaplacePair::Range(double tail) const
{
    static_cast<void>(tail);
    // The range is slightly wider than the support of the privacy loss, so the cells of any grid
    // over it contain both atoms.
    const double margin = 1e-9 * (m_top - m_bottom);
    const PldRange range{m_bottom - margin, m_top + margin};
    return m_remove ? range : PldRange{-range.highest, -range.lowest};
}

LaplacePair::Cut
LaplacePair::CutAt(double loss, bool inclusive) const
{
    if (inclusive ? loss >= m_top : loss > m_top)
    {
        return {1.0, 0.0};
    }
    if (inclusive ? loss < m_bottom : loss <= m_bottom)
    {
        return {0.0, 1.0};
    }
    // `plain` is the privacy loss of Lap(s) against Lap(0) at the point where the mixture's privacy
    // loss is `loss`.
    const double y = std::expm1(std::min(loss, LARGEST_EXPONENT)) / m_rate;
    const double plain = m_rate == 1.0             ? loss
                         : loss > LARGEST_EXPONENT ? loss - std::log(m_rate)
                         : y > -1.0                ? std::log1p(y)
                                                   : -m_shift;
    const double between = std::clamp(plain, -m_shift, m_shift);
    return {0.5 * std::exp(0.5 * (between - m_shift)), 0.5 * std::exp(-0.5 * (between + m_shift))};
}

void
LaplacePair::CellMasses(const PldGrid& grid, double* p, double* q) const
{
    // For ADD, the privacy loss is minus the privacy loss of the mixture against Lap(0). So the
    // cells are filled in reverse order.
    double* mixture = m_remove ? p : q;
    double* plain = m_remove ? q : p;
    const auto cutAt = [this, &grid](std::size_t i) {
        return m_remove ? CutAt(grid.LossAt(i), true) : CutAt(-grid.LossAt(i), false);
    };
    const auto set = [this, mixture, plain](std::size_t i, double moved, double still) {
        plain[i] = still;
        mixture[i] = (1.0 - m_rate) * still + m_rate * moved;
    };
    const auto below = [&set](std::size_t i, const Cut& cut) {
        set(i, cut.movedBelow, 1.0 - cut.stillAbove);
    };
    const auto above = [&set](std::size_t i, const Cut& cut) {
        set(i, 1.0 - cut.movedBelow, cut.stillAbove);
    };
    Cut here = cutAt(0);
    m_remove ? below(0, here) : above(0, here);
    for (std::size_t i = 1; i < grid.points; ++i)
    {
        const Cut next = cutAt(i);
        set(i,
            std::abs(next.movedBelow - here.movedBelow),
            std::abs(next.stillAbove - here.stillAbove));
        here = next;
    }
    m_remove ? above(grid.points, here) : below(grid.points, here);
}

double
LaplacePair::LogMoment(double order) const
{
    return LogMixtureMoment(m_rate, m_shift, m_remove ? order : 1.0 - order);
}

} // namespace dpdl
