// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "step-mesh.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// Approximate largest number of mesh lines.
constexpr double MOST_LINES = 2048.0;

/// Maps a sampling rate to the scale of MeshLines: log(rate / (1 - rate)). For small rates, the
/// effect of a step on epsilon is about proportional to the square of rate / (1 - rate).
/// @param rate in (0, 1)
double
RateScale(double rate)
{
    return std::log(rate) - std::log1p(-rate);
}

/// Inverse of RateScale().
double
RateAt(double scale)
{
    return 1.0 / (1.0 + std::exp(-scale));
}

/// Maps mu to the scale of MeshLines: log(exp(mu^2) - 1) / 2. The effect of a sampled step on
/// epsilon is about proportional to exp(mu^2) - 1. For mu below 1e-4 the result is log(mu), and
/// above 20 it is mu^2 / 2.
/// @param mu > 0
double
MuScale(double mu)
{
    if (mu < 1e-4 || mu > 20.0)
    {
        return mu < 1.0 ? std::log(mu) : 0.5 * mu * mu;
    }
    return 0.5 * std::log(std::expm1(mu * mu));
}

/// Inverse of MuScale(), up to the errors of the approximations.
double
MuAt(double scale)
{
    if (scale < -9.0 || scale > 200.0)
    {
        return scale < 0.0 ? std::exp(scale) : std::sqrt(2.0 * scale);
    }
    return std::sqrt(std::log1p(std::exp(2.0 * scale)));
}

} // namespace

PrivacyStep
WithMuRoundedUp(const PrivacyStep& step, double distance)
{
    PrivacyStep up = step;
    const double mu = step.sampling == Amplification::NONE
                          ? 0.0
                          : MuAt(distance * std::ceil(MuScale(step.muAddRemove) / distance));
    if (mu > step.muAddRemove)
    {
        up.muAddRemove = mu;
        up.muReplace = step.muReplace * (mu / step.muAddRemove);
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
