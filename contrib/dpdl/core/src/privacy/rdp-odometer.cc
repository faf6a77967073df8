// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp-odometer.h"

#include "dpdl/privacy/rdp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpdl
{

RdpOdometer::RdpOdometer(std::shared_ptr<RdpCurves> curves)
    : m_curves(curves ? std::move(curves) : std::make_shared<RdpCurves>()),
      m_logMoment(m_curves->Orders().size(), 0.0),
      m_excess(m_curves->Orders().size(), 0.0)
{
}

void
RdpOdometer::Add(const Release& release)
{
    if (!m_reason.empty())
    {
        return;
    }
    m_reason = release.Obstacle();
    if (!m_reason.empty())
    {
        return;
    }
    const double mu = release.Mu();
    const double rate = release.Get().rate;
    const std::string& sampler = release.Get().sampler;
    if (release.Get().mechanism != "gaussian" || (sampler != "poisson" && sampler != "full"))
    {
        m_reason = "the odometer accepts Gaussian noise with Poisson sampling or without sampling";
        return;
    }
    if (rate == 1.0)
    {
        m_fullMuSquared += mu * mu;
        return;
    }
    const RdpCurve& curve = m_curves->Get(rate, mu);
    for (std::size_t i = 0; i < m_logMoment.size(); ++i)
    {
        m_logMoment[i] += curve.logMoment[i];
        m_excess[i] += curve.excess[i];
    }
}

double
RdpOdometer::GridEpsilon(std::size_t index, double delta) const
{
    const double order = m_curves->Orders()[index];
    const double rdp = m_logMoment[index] / (order - 1.0) + 0.5 * order * m_fullMuSquared;
    return RdpToEpsilon(rdp, order, delta);
}

double
RdpOdometer::CellEpsilon(std::size_t index, double delta) const
{
    constexpr int SAMPLES = 20;
    const double left = m_curves->Orders()[index];
    const double right = m_curves->Orders()[index + 1];
    const double logLeft = std::log(m_excess[index] / (left * (left - 1.0)));
    const double logRight = std::log(m_excess[index + 1] / (right * (right - 1.0)));
    double best = std::numeric_limits<double>::infinity();
    for (int i = 1; i < SAMPLES; ++i)
    {
        const double t = static_cast<double>(i) / SAMPLES;
        const double order = left + t * (right - left);
        double logMoment = (1.0 - t) * m_logMoment[index] + t * m_logMoment[index + 1];
        const double logExcess = (1.0 - t) * logLeft + t * logRight;
        if (std::isfinite(logExcess))
        {
            logMoment = std::min(logMoment, order * (order - 1.0) * std::exp(logExcess));
        }
        const double rdp = logMoment / (order - 1.0) + 0.5 * order * m_fullMuSquared;
        best = std::min(best, RdpToEpsilon(rdp, order, delta));
    }
    return best;
}

double
RdpOdometer::Epsilon(double delta) const
{
    if (!m_reason.empty())
    {
        return std::numeric_limits<double>::infinity();
    }
    if (m_fullMuSquared == 0.0 && m_logMoment.back() == 0.0)
    {
        return 0.0;
    }
    std::size_t best = 0;
    double epsilon = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_logMoment.size(); ++i)
    {
        const double here = GridEpsilon(i, delta);
        if (here < epsilon)
        {
            epsilon = here;
            best = i;
        }
    }
    if (best > 0)
    {
        epsilon = std::min(epsilon, CellEpsilon(best - 1, delta));
    }
    if (best + 1 < m_logMoment.size())
    {
        epsilon = std::min(epsilon, CellEpsilon(best, delta));
    }
    return std::max(epsilon, 0.0);
}

} // namespace dpdl
