// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp-curves.h"

#include "sampled-gaussian.h"

#include <cmath>

namespace dpdl
{

namespace
{

// The best order minus 1 lies in the coarse range where epsilon is large and the bound is flat, and
// in the fine one where epsilon is small and the bound has a sharp bend.
constexpr double SMALLEST = 0.03;
constexpr double FINE_FROM = 2.0;
constexpr double LARGEST = 4000.0;
constexpr double COARSE_RATIO = 1.13;
constexpr double FINE_RATIO = 1.03;
/// Above this value of order * mu^2 the Renyi bound is beyond 40 and need not be sharp.
constexpr double SHARP = 80.0;

std::unique_ptr<RdpCurve>
MakeCurve(const std::vector<double>& orders, double rate, double mu)
{
    auto curve = std::make_unique<RdpCurve>();
    SampledGaussian step(rate, mu);
    for (const double order : orders)
    {
        const double logMoment = order * mu * mu > SHARP && rate > 0.0
                                     ? JensenLogMoment(rate, mu, order)
                                     : step.LogMoment(order);
        curve->logMoment.push_back(logMoment);
        curve->excess.push_back(std::expm1(logMoment));
    }
    return curve;
}

} // namespace

RdpCurves::RdpCurves()
{
    for (double b = SMALLEST; b < LARGEST; b *= b < FINE_FROM ? COARSE_RATIO : FINE_RATIO)
    {
        m_orders.push_back(1.0 + b);
    }
}

const RdpCurve&
RdpCurves::Get(double rate, double mu)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::unique_ptr<RdpCurve>& curve = m_curves[{rate, mu}];
    if (!curve)
    {
        curve = MakeCurve(m_orders, rate, mu);
    }
    return *curve;
}

std::size_t
RdpCurves::Size() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_curves.size();
}

} // namespace dpdl
