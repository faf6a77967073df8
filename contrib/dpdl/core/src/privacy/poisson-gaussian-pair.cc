// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "poisson-gaussian-pair.h"

#include "normal-tail.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Lowest order at which moments are requested.
constexpr double LOWEST_ORDER = -20.0;

} // namespace

PoissonGaussianPair::PoissonGaussianPair(double rate, double mu, Side side)
    : m_rate(rate),
      m_mu(mu),
      m_remove(side == Side::REMOVE),
      m_moments(rate, mu, LOWEST_ORDER)
{
}

PldRange
PoissonGaussianPair::Range(double tail) const
{
    if (!m_remove)
    {
        const double x = NormalTail::Quantile(tail);
        return {-LossAt(x), -LossAt(-x)};
    }
    // Each of the mixture's two components may have half of the probability @p tail above the
    // range.
    const double still = NormalTail::Quantile(0.5 * tail);
    const double moved = m_mu + NormalTail::Quantile(0.5 * tail / m_rate);
    return {LossAt(-NormalTail::Quantile(tail)), LossAt(std::max(still, moved))};
}

void
PoissonGaussianPair::CellMasses(const PldGrid& grid, double* p, double* q) const
{
    // The mixture is P for REMOVE and Q for ADD. For ADD the privacy loss decreases in x, so cells
    // of ascending loss have descending x.
    double* mixture = m_remove ? p : q;
    double* normal = m_remove ? q : p;
    const auto pointAt = [this, &grid](std::size_t i) {
        return Inverse(m_remove ? grid.LossAt(i) : -grid.LossAt(i));
    };
    const auto set = [this, mixture, normal](std::size_t i, double still, double moved) {
        normal[i] = still;
        mixture[i] = (1.0 - m_rate) * still + m_rate * moved;
    };
    double x = pointAt(0);
    NormalTail still(x);
    NormalTail moved(x - m_mu);
    set(0, m_remove ? still.Below() : still.Above(), m_remove ? moved.Below() : moved.Above());
    for (std::size_t i = 1; i < grid.points; ++i)
    {
        x = pointAt(i);
        const NormalTail nextStill(x);
        const NormalTail nextMoved(x - m_mu);
        set(i, NormalTail::Between(still, nextStill), NormalTail::Between(moved, nextMoved));
        still = nextStill;
        moved = nextMoved;
    }
    set(grid.points,
        m_remove ? still.Above() : still.Below(),
        m_remove ? moved.Above() : moved.Below());
}

double
PoissonGaussianPair::LogMoment(double order) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_remove)
    {
        return m_moments.LogMoment(order);
    }
    if (1.0 - order >= LOWEST_ORDER)
    {
        return m_moments.LogMoment(1.0 - order);
    }
    // For orders above 1 the ADD direction never has the larger moment (Mironov, Talwar and Zhang,
    // 2019). In this direction the privacy loss is at most -log(1 - q) for the sampling rate q.
    return std::min(m_moments.LogMoment(order), -(order - 1.0) * std::log1p(-m_rate));
}

double
PoissonGaussianPair::LossAt(double x) const
{
    const double exponent = m_mu * x - 0.5 * m_mu * m_mu;
    if (m_rate == 1.0)
    {
        return exponent;
    }
    return exponent < LARGEST_EXPONENT ? std::log1p(m_rate * std::expm1(exponent))
                                       : exponent + std::log(m_rate);
}

double
PoissonGaussianPair::Inverse(double loss) const
{
    double exponent = loss;
    if (loss > LARGEST_EXPONENT)
    {
        exponent = loss - std::log(m_rate);
    }
    else if (m_rate < 1.0)
    {
        const double y = std::expm1(loss) / m_rate + 1.0;
        exponent = y > 0.0 ? std::log(y) : -INF;
    }
    return (exponent + 0.5 * m_mu * m_mu) / m_mu;
}

} // namespace dpdl
