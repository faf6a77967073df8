// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp-odometer.h"

#include "dpdl/privacy/rdp.h"
#include "step-moment.h"

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
    for (const auto& [step, count] : NormalForm({release}))
    {
        const std::string reason = WhyNoMoment(step, m_curves->Neighbours());
        if (!reason.empty())
        {
            m_reason = "the odometer " + reason;
        }
        else if (release.Get().sampler == "shuffle")
        {
            CountEpoch(step, release.Get().epoch);
        }
        else
        {
            Count(step, 1.0);
        }
    }
}

void
RdpOdometer::CountEpoch(const PrivacyStep& step, std::uint32_t epoch)
{
    const auto [entry, first] = m_epochs.insert({{step.noise, epoch}, step});
    PrivacyStep& worst = entry->second;
    if (!first && step.mu <= worst.mu && step.swing <= worst.swing)
    {
        return;
    }
    if (!first)
    {
        Count(worst, -1.0);
        worst.mu = std::max(worst.mu, step.mu);
        worst.swing = std::max(worst.swing, step.swing);
    }
    Count(worst, 1.0);
}

void
RdpOdometer::Count(const PrivacyStep& step, double sign)
{
    if (step.noise != NoiseKind::LAPLACE && step.rate == 1.0)
    {
        const double shift = step.Shift(m_curves->Neighbours());
        m_fullMuSquared += sign * shift * shift;
        return;
    }
    const RdpCurve& curve = m_curves->Get(step);
    for (std::size_t i = 0; i < m_logMoment.size(); ++i)
    {
        m_logMoment[i] += sign * curve.logMoment[i];
        const double excess = m_excess[i] + sign * curve.excess[i];
        // Infinity cannot be taken back; the logarithms bound on their own.
        m_excess[i] = std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
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
