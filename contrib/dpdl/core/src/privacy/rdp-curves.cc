// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp-curves.h"

#include "step-moment.h"

#include <cmath>

namespace dpdl
{

namespace
{

// The best order minus 1 lies in the coarse range where epsilon is large and the bound is flat, and
// in the fine one where epsilon is small and the bound has a sharp bend.
constexpr double SMALLEST_ORDER = 0.03;
constexpr double FINE_FROM = 2.0;
constexpr double LARGEST = 4000.0;
constexpr double COARSE_RATIO = 1.13;
constexpr double FINE_RATIO = 1.03;

std::unique_ptr<RdpCurve>
MakeCurve(const std::vector<double>& orders, const PrivacyStep& step, Adjacency adjacency)
{
    auto curve = std::make_unique<RdpCurve>();
    const StepMoment moment(step, adjacency);
    for (const double order : orders)
    {
        const double logMoment = moment.Quick(order);
        curve->logMoment.push_back(logMoment);
        curve->excess.push_back(std::expm1(logMoment));
    }
    return curve;
}

} // namespace

RdpCurves::RdpCurves(Adjacency adjacency)
    : m_adjacency(adjacency)
{
    for (double b = SMALLEST_ORDER; b < LARGEST; b *= b < FINE_FROM ? COARSE_RATIO : FINE_RATIO)
    {
        m_orders.push_back(1.0 + b);
    }
}

const RdpCurve&
RdpCurves::Get(const PrivacyStep& step)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::unique_ptr<RdpCurve>& curve = m_curves[step];
    if (!curve)
    {
        curve = MakeCurve(m_orders, step, m_adjacency);
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
