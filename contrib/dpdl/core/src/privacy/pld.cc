// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/pld.h"

#include "composed-loss.h"
#include "dpdl/privacy/gdp.h"
#include "loss-cells.h"
#include "sampled-gaussian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace dpdl
{

namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr std::size_t LARGEST_GRID = std::size_t(1) << 22;
/// Probability, relative to delta, that the composed loss leaves the grid at either end.
constexpr double OUTSIDE = 1e-6;

/// The range that the composed loss leaves with negligible probability at either end.
std::pair<double, double>
FindRange(const std::vector<Kind>& kinds, LossDirection direction, double logOutside)
{
    constexpr int CANDIDATES = 24;
    std::vector<double> up(CANDIDATES, 0.0);
    std::vector<double> down(CANDIDATES, 0.0);
    const auto exponentAt = [](int i) { return 0.02 * std::pow(1.4, i); };
    const bool remove = direction == LossDirection::REMOVE;
    for (const Kind& kind : kinds)
    {
        SampledGaussian step(kind.rate, kind.mu, -20.0);
        for (int i = 0; i < CANDIDATES; ++i)
        {
            // log E[exp(+-c loss)] under the mechanism
            const double c = exponentAt(i);
            const double upper = remove ? 1.0 + c : -c;
            const double lower = remove ? 1.0 - c : c;
            up[i] += upper < -20.0 ? INF : kind.count * step.LogMoment(upper);
            down[i] += lower < -20.0 ? INF : kind.count * step.LogMoment(lower);
        }
    }
    double highest = INF;
    double lowest = -INF;
    for (int i = 0; i < CANDIDATES; ++i)
    {
        const double c = exponentAt(i);
        highest = std::isfinite(up[i]) ? std::min(highest, (up[i] - logOutside) / c) : highest;
        lowest = std::isfinite(down[i]) ? std::max(lowest, (logOutside - down[i]) / c) : lowest;
    }
    return {std::min(lowest, 0.0), std::max(highest, 0.0)};
}

std::size_t
GridSize(std::size_t kinds, double steps)
{
    std::size_t size = std::size_t(1) << (kinds <= 16 ? 18 : kinds <= 64 ? 17 : 15);
    while (static_cast<double>(size) < 16.0 * steps && size < LARGEST_GRID)
    {
        size *= 2;
    }
    return size;
}

/// epsilon of one direction.
struct Directed
{
    double epsilon{INF}; ///< upper bound
    double slack{INF};   ///< by how much truncation and rounding raised it
};

/// One direction of a composition, evaluated on a fine or a coarse grid.
class DirectedLoss
{
  public:
    DirectedLoss(const std::vector<Kind>& kinds, LossDirection direction, double delta)
        : m_kinds(kinds),
          m_direction(direction),
          m_delta(delta),
          m_outside(OUTSIDE * delta)
    {
        for (const Kind& kind : kinds)
        {
            m_steps += kind.count;
        }
        m_size = GridSize(kinds.size(), m_steps);
        std::tie(m_lowest, m_highest) = FindRange(kinds, direction, std::log(m_outside));
    }

    Directed Evaluate(bool coarse) const
    {
        // Each step may move the loss by one cell up or down; the coarse grid has half the cells.
        const double free = static_cast<double>(m_size) - 4.0 * m_steps - 16.0;
        const double range = m_highest - m_lowest;
        if (!(range < 1e7) || !(free > 0.25 * static_cast<double>(m_size)))
        {
            return {};
        }
        Grid grid;
        grid.size = coarse ? m_size / 2 : m_size;
        grid.h = range / free * (coarse ? 2.0 : 1.0);
        grid.first = static_cast<std::int64_t>(std::floor(m_lowest / grid.h - m_steps)) - 2;
        ComposedLoss loss(m_kinds, m_direction, grid);
        const double epsilon = loss.Epsilon(m_delta - loss.Extra() - m_outside);
        return {epsilon, epsilon - loss.Epsilon(m_delta)};
    }

  private:
    const std::vector<Kind>& m_kinds;
    LossDirection m_direction;
    double m_delta;
    double m_outside;
    double m_steps{0.0};
    std::size_t m_size{0};
    double m_lowest{0.0};
    double m_highest{0.0};
};

/// At most @p most kinds, each at least as revealing as the steps that it stands for.
std::vector<Kind>
Reduce(const std::vector<Kind>& kinds, std::size_t most)
{
    std::vector<Kind> sorted = kinds;
    std::sort(sorted.begin(), sorted.end(), [](const Kind& a, const Kind& b) {
        return a.mu != b.mu ? a.mu < b.mu : a.rate < b.rate;
    });
    std::vector<Kind> reduced;
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        const std::size_t bucket = i * most / sorted.size();
        if (bucket == reduced.size())
        {
            reduced.push_back({0.0, 0.0, 0.0});
        }
        Kind& kind = reduced.back();
        kind.rate = std::max(kind.rate, sorted[i].rate);
        kind.mu = std::max(kind.mu, sorted[i].mu);
        kind.count += sorted[i].count;
    }
    return reduced;
}

/// Both directions; a direction that is smaller even on the coarse grid is not refined.
void
Compose(const std::vector<Kind>& kinds, double delta, PldBound& bound)
{
    const DirectedLoss losses[] = {{kinds, LossDirection::REMOVE, delta},
                                   {kinds, LossDirection::ADD, delta}};
    const Directed coarse[] = {losses[0].Evaluate(true), losses[1].Evaluate(true)};
    Directed best[] = {coarse[0], coarse[1]};
    const int larger = coarse[1].epsilon > coarse[0].epsilon ? 1 : 0;
    best[larger] = losses[larger].Evaluate(false);
    if (best[1 - larger].epsilon > best[larger].epsilon)
    {
        best[1 - larger] = losses[1 - larger].Evaluate(false);
    }
    bound.removeEpsilon = best[0].epsilon;
    bound.addEpsilon = best[1].epsilon;
    const int worst = best[1].epsilon > best[0].epsilon ? 1 : 0;
    bound.epsilon = best[worst].epsilon;
    // Of second order in the width: halving the cells removes three quarters of the error.
    const double difference = std::abs(coarse[worst].epsilon - bound.epsilon);
    bound.error = std::isfinite(bound.epsilon) ? difference + best[worst].slack : INF;
}

} // namespace

void
PldComposition::Add(double rate, double mu, std::uint64_t count)
{
    if (rate == 1.0)
    {
        m_fullMuSquared += static_cast<double>(count) * mu * mu;
    }
    else if (rate > 0.0 && mu > 0.0 && count > 0)
    {
        m_steps[{rate, mu}] += count;
    }
}

PldBound
PldComposition::Bound(double delta, std::size_t mostKinds) const
{
    PldBound bound;
    if (m_steps.empty())
    {
        bound.epsilon = GdpEpsilon(std::sqrt(m_fullMuSquared), delta);
        bound.removeEpsilon = bound.epsilon;
        bound.addEpsilon = bound.epsilon;
        return bound;
    }
    std::vector<Kind> kinds;
    for (const auto& [step, count] : m_steps)
    {
        kinds.push_back({step.first, step.second, static_cast<double>(count)});
    }
    bound.grouped = kinds.size() > std::max<std::size_t>(mostKinds, 1);
    if (bound.grouped)
    {
        kinds = Reduce(kinds, std::max<std::size_t>(mostKinds, 1));
    }
    if (m_fullMuSquared > 0.0)
    {
        // Steps without sampling compose to one Gaussian step exactly.
        kinds.push_back({1.0, std::sqrt(m_fullMuSquared), 1.0});
    }
    Compose(kinds, delta, bound);
    return bound;
}

} // namespace dpdl
