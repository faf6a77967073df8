// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/calibration.h"

#include "dpdl/base/errors.h"
#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <sstream>

namespace dpdl
{

namespace
{

std::string
ToText(double value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

void
CheckShape(const ScheduleShape& shape)
{
    if (shape.mu.size() != shape.rate.size() || shape.mu.empty())
    {
        throw UsageError("a schedule to calibrate needs at least one step, and one sampling rate "
                         "per step");
    }
    bool spends = false;
    for (std::size_t k = 0; k < shape.mu.size(); ++k)
    {
        if (!std::isfinite(shape.mu[k]) || shape.mu[k] < 0.0)
        {
            throw UsageError("step " + std::to_string(k) + " of the schedule",
                             ToText(shape.mu[k]),
                             "a finite strength of at least 0");
        }
        if (!(shape.rate[k] > 0.0 && shape.rate[k] <= 1.0))
        {
            throw UsageError("sampling rate of step " + std::to_string(k),
                             ToText(shape.rate[k]),
                             "a probability in (0, 1]");
        }
        spends = spends || shape.mu[k] > 0.0;
    }
    if (!spends)
    {
        throw UsageError("a schedule to calibrate needs a step whose strength is above 0");
    }
}

/// The releases of a shape at unit scale: sensitivity mu, noise 1.
std::vector<Release>
ReleasesOf(const ScheduleShape& shape, double scale)
{
    std::vector<Release> releases;
    releases.reserve(shape.mu.size());
    for (std::size_t k = 0; k < shape.mu.size(); ++k)
    {
        Release::Fields fields;
        fields.round = static_cast<Round>(k);
        fields.mechanism = "gaussian";
        fields.sampler = "poisson";
        fields.rate = shape.rate[k];
        fields.sensitivity = scale * shape.mu[k];
        fields.noise = 1.0;
        releases.emplace_back(fields);
    }
    return releases;
}

/// log(epsilon(scale) / target), and why epsilon is infinite.
class Excess
{
  public:
    Excess(const Accountant& accountant, const ScheduleShape& shape, double target, double delta)
        : m_accountant(accountant),
          m_shape(shape),
          m_target(target),
          m_delta(delta)
    {
    }

    double operator()(double logScale)
    {
        const Guarantee guarantee =
            m_accountant.Evaluate(ReleasesOf(m_shape, std::exp(logScale)), m_delta);
        m_reason = guarantee.reason;
        // Bounded, so that the root finder can interpolate.
        return std::clamp(std::log(guarantee.epsilon / m_target), -50.0, 50.0);
    }

    [[noreturn]] void Fail() const
    {
        throw UsageError("option 'epsilon'",
                         ToText(m_target),
                         "a target that the accountant '" + m_accountant.Name() +
                             "' can confirm for this schedule" +
                             (m_reason.empty() ? "" : " (" + m_reason + ")"));
    }

  private:
    const Accountant& m_accountant;
    const ScheduleShape& m_shape;
    double m_target;
    double m_delta;
    std::string m_reason;
};

} // namespace

ScheduleShape
ScheduleShape::Constant(double rate, std::uint32_t steps)
{
    return {std::vector<double>(steps, 1.0), std::vector<double>(steps, rate)};
}

ScheduleShape
ScheduleShape::Growing(double rate, std::uint32_t steps, double growth)
{
    ScheduleShape shape = Constant(rate, steps);
    for (std::uint32_t k = 0; k < steps; ++k)
    {
        shape.mu[k] = std::pow(growth, static_cast<double>(k) / steps);
    }
    return shape;
}

void
CheckTarget(double epsilon, double delta)
{
    if (!(epsilon > 0.0) || !std::isfinite(epsilon))
    {
        throw UsageError("option 'epsilon'", ToText(epsilon), "a finite number above 0");
    }
    if (!(delta > 0.0 && delta < 1.0))
    {
        throw UsageError("option 'delta'", ToText(delta), "a number in (0, 1)");
    }
}

double
CalibrateScaleByClt(const ScheduleShape& shape, double epsilon, double delta)
{
    CheckTarget(epsilon, delta);
    CheckShape(shape);
    return CltScale(GdpMu(epsilon, delta), shape.mu, shape.rate);
}

double
CalibrateScale(const Accountant& accountant,
               const ScheduleShape& shape,
               double epsilon,
               double delta)
{
    Excess excess(accountant, shape, epsilon, delta);
    double high = std::log(CalibrateScaleByClt(shape, epsilon, delta));
    double low = high;
    double atHigh = excess(high);
    double atLow = atHigh;
    constexpr int MOST = 24;
    double step = 0.1;
    for (int i = 0; atLow > 0.0; ++i, step *= 2.0)
    {
        if (i == MOST || low - step < -600.0)
        {
            excess.Fail();
        }
        high = low;
        atHigh = atLow;
        low -= step;
        atLow = excess(low);
    }
    for (int i = 0; atHigh <= 0.0; ++i, step *= 2.0)
    {
        if (i == MOST || high + step > 600.0)
        {
            excess.Fail();
        }
        low = high;
        atLow = atHigh;
        high += step;
        atHigh = excess(high);
    }
    if (atLow == 0.0)
    {
        return std::exp(low);
    }
    const auto close = [](double a, double b) { return std::abs(b - a) < 1e-8; };
    std::uintmax_t iterations = 100;
    const auto bracket =
        boost::math::tools::toms748_solve([&excess](double x) { return excess(x); },
                                          low,
                                          high,
                                          atLow,
                                          atHigh,
                                          close,
                                          iterations);
    return std::exp(bracket.first);
}

double
CalibrateNoiseMultiplier(const Accountant& accountant,
                         double rate,
                         std::uint32_t steps,
                         double epsilon,
                         double delta)
{
    return 1.0 / CalibrateScale(accountant, ScheduleShape::Constant(rate, steps), epsilon, delta);
}

} // namespace dpdl
