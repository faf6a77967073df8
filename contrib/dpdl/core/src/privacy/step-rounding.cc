// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-rounding.h"

#include "step-mesh.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Approximate largest number of lines.
constexpr double MOST_LINES = 2048.0;

} // namespace

double
RateScale(double rate)
{
    return std::log(rate) - std::log1p(-rate);
}

double
RateAt(double scale)
{
    return 1.0 / (1.0 + std::exp(-scale));
}

double
MuScale(double mu)
{
    if (mu < 1e-4 || mu > 20.0)
    {
        return mu < 1.0 ? std::log(mu) : 0.5 * mu * mu;
    }
    return 0.5 * std::log(std::expm1(mu * mu));
}

double
MuAt(double scale)
{
    if (scale < -9.0 || scale > 200.0)
    {
        return scale < 0.0 ? std::exp(scale) : std::sqrt(2.0 * scale);
    }
    return std::sqrt(std::log1p(std::exp(2.0 * scale)));
}

PrivacyStep
StepRounding::Up(const PrivacyStep& step) const
{
    PrivacyStep up = step;
    if (step.sampling == Amplification::NONE)
    {
        return up;
    }
    const double mu = MuAt(m_mu * std::ceil(MuScale(step.muAddRemove) / m_mu));
    if (mu > step.muAddRemove)
    {
        up.muAddRemove = mu;
        up.muReplace = step.muReplace * (mu / step.muAddRemove);
    }
    if (m_rate > 0.0 && step.rate < 1.0)
    {
        const double rate = RateAt(m_rate * std::ceil(RateScale(step.rate) / m_rate));
        up.rate = rate > step.rate && rate < 1.0 ? rate : step.rate;
    }
    return up;
}

MeshLines
MeshLines::OverRates(double low, double high, double distance)
{
    return {low, high, distance, RateScale, RateAt};
}

MeshLines
MeshLines::OverMus(double low, double high, double distance)
{
    return {low, high, distance, MuScale, MuAt};
}

MeshLines::MeshLines(double low,
                     double high,
                     double distance,
                     double (*scaleOf)(double),
                     double (*valueAt)(double))
    : m_values{low}
{
    if (!(high > low))
    {
        return;
    }
    const double from = scaleOf(low);
    const double cells = std::ceil(std::min((scaleOf(high) - from) / distance, MOST_LINES));
    for (double i = 1.0; i < cells; ++i)
    {
        const double value = valueAt(from + (scaleOf(high) - from) * i / cells);
        if (value > m_values.back() && value < high)
        {
            m_values.push_back(value);
        }
    }
    m_values.push_back(high);
}

} // namespace dpdl
