// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mirrored-gaussian-pair.h"

#include "log-mixture.h"
#include "normal-tail.h"
#include "numbers.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

constexpr double LOG_SQRT_TWO_PI = 0.91893853320467274178;

/// log(1 + e^y)
double
LogOnePlusExp(double y)
{
    return y > 0.0 ? y + std::log1p(std::exp(-y)) : std::log1p(std::exp(y));
}

/// Normal probabilities at one point, seen from the three centres.
struct Tails
{
    NormalTail still;
    NormalTail moved;
    NormalTail rival;
};

} // namespace

MirroredGaussianPair::MirroredGaussianPair(double rate, double mu, Rival rival)
    : m_rate(rate),
      m_mu(mu),
      m_opposite(rival == Rival::OPPOSITE),
      m_half(m_opposite ? mu : 0.5 * mu),
      m_centre(m_opposite ? 0.0 : 0.5 * mu),
      m_excess([this](double t) { return At(t); }, std::min(2.0, 2.0 / mu))
{
}

LossPoint
MirroredGaussianPair::At(double t) const
{
    const double x = t + m_centre;
    LossPoint point{LogMixture(m_rate, m_mu * t), -0.5 * x * x - LOG_SQRT_TWO_PI};
    if (m_opposite)
    {
        // With w = q e^(-mu^2/2): log((1 - q + w e^(mu t)) / (1 - q + w e^(-mu t)))
        const double logRival = LogMixture(m_rate, -m_mu * t - 0.5 * m_mu * m_mu);
        const double logGain = std::log(m_rate) - 0.5 * m_mu * m_mu + m_mu * t +
                               std::log(-std::expm1(-2.0 * m_mu * t)) - logRival;
        point.loss = LogOnePlusExp(logGain);
        point.logDensity += logRival;
    }
    return point;
}

double
MirroredGaussianPair::Inverse(double loss) const
{
    if (m_opposite)
    {
        // (mu t - loss / 2) solves sinh(y) = (1 - q) / q e^(mu^2/2) sinh(loss / 2).
        const double logSinh =
            std::log1p(-m_rate) - std::log(m_rate) + 0.5 * m_mu * m_mu +
            (loss > 0.0 ? 0.5 * loss + std::log(-0.5 * std::expm1(-loss)) : -HUGE_VAL);
        const double y =
            logSinh < LARGEST_EXPONENT ? std::asinh(std::exp(logSinh)) : logSinh + std::log(2.0);
        return (0.5 * loss + y) / m_mu;
    }
    const double exponent =
        loss < LARGEST_EXPONENT ? std::log1p(std::expm1(loss) / m_rate) : loss - std::log(m_rate);
    return exponent / m_mu;
}

LossRange
MirroredGaussianPair::Range(double tail) const
{
    // Each of the two components of a mixture may have half of the tail.
    const double still = NormalTail::Quantile(0.5 * tail) - m_centre;
    const double shared = NormalTail::Quantile(0.5 * tail / m_rate);
    const double highest = std::max({still, shared + m_half, 0.0});
    const double lowest = std::max({still, shared - m_half, 0.0});
    return {-At(lowest).loss, At(highest).loss};
}

void
MirroredGaussianPair::UpperMasses(std::size_t cells, double h, double* p, double* q) const
{
    const auto tailsAt = [this, h](std::size_t i) {
        const double t = Inverse(static_cast<double>(i) * h);
        return Tails{NormalTail(t + m_centre), NormalTail(t - m_half), NormalTail(t + m_half)};
    };
    const auto set = [this, p, q](std::size_t i, double still, double moved, double rival) {
        p[i] = (1.0 - m_rate) * still + m_rate * moved;
        q[i] = (1.0 - m_rate) * still + m_rate * rival;
    };
    Tails here = tailsAt(0);
    for (std::size_t i = 1; i <= cells; ++i)
    {
        const Tails next = tailsAt(i);
        set(i,
            NormalTail::Between(here.still, next.still),
            NormalTail::Between(here.moved, next.moved),
            NormalTail::Between(here.rival, next.rival));
        here = next;
    }
    set(cells + 1, here.still.Above(), here.moved.Above(), here.rival.Above());
}

double
MirroredGaussianPair::LogExcess(double order) const
{
    const double distance = 2.0 * m_half;
    const double to = order * distance + NORMAL_TAIL;
    if (m_excess.Affordable(to))
    {
        return m_excess.Log(order, to);
    }
    // p^a q^(1-a) is convex in (p, q), so that only the moved part counts beyond 1.
    return order < 1.0 ? -HUGE_VAL
                       : std::log(m_rate) + 0.5 * order * (order - 1.0) * distance * distance;
}

} // namespace dpdl
