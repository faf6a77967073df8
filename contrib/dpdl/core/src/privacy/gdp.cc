// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"

#include "dpdl/base/errors.h"
#include "normal-tail.h"

#include <algorithm>
#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>

// Converts between mu of Gaussian DP and (epsilon, delta). Mills ratios replace tail probabilities
// and exponentials, so results stay accurate even if delta underflows.

namespace dpdl
{

namespace
{

const double LOG_TWO_PI = std::log(2.0 * std::acos(-1.0));
const double SQRT_HALF = std::sqrt(0.5);
const double SQRT_HALF_PI = std::sqrt(0.5 * std::acos(-1.0));

/// Scaled complementary error function exp(x^2) erfc(x), for x > -26.
double
Erfcx(double x)
{
    if (x > 25.0)
    {
        const double y = 1.0 / (2.0 * x * x);
        double sum = 1.0;
        for (int n = 15; n >= 1; n -= 2)
        {
            sum = 1.0 - n * y * sum;
        }
        return sum / (x * SQRT_HALF_PI * std::sqrt(2.0));
    }
    // The rounding error of x^2 is corrected, because the exponential magnifies it.
    const double square = x * x;
    const double rest = std::fma(x, x, -square);
    return std::exp(square) * (1.0 + rest) * boost::math::erfc(x);
}

/// Mills ratio of the standard normal, Phi(-x) / phi(x).
double
MillsRatio(double x)
{
    return SQRT_HALF_PI * Erfcx(x * SQRT_HALF);
}

/// M(a) - M(a + mu) with the Mills ratio M, computed without cancellation as an integral of a
/// positive function.
double
MillsDifference(double a, double mu)
{
    thread_local boost::math::quadrature::exp_sinh<double> integrator;
    const double scale = 1.0 / (1.0 + std::max(a, 0.0));
    const auto integrand = [a, mu, scale](double u) {
        const double t = scale * u;
        const double exponent = -0.5 * t * t - a * t;
        return exponent < -745.0 ? 0.0 : -std::exp(exponent) * std::expm1(-mu * t);
    };
    return scale * integrator.integrate(integrand, 1e-13);
}

/// Root of an increasing function in [low, high]. Returns the end nearer to the root if there is no
/// root in the interval.
template <typename F>
double
Root(F f, double low, double high)
{
    const double fLow = f(low);
    const double fHigh = f(high);
    if (fLow >= 0.0)
    {
        return low;
    }
    if (fHigh <= 0.0)
    {
        return high;
    }
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(f,
                                          low,
                                          high,
                                          fLow,
                                          fHigh,
                                          boost::math::tools::eps_tolerance<double>(51),
                                          iterations);
    return 0.5 * (bracket.first + bracket.second);
}

void
CheckLengths(const std::vector<double>& mu, const std::vector<double>& rate)
{
    if (mu.size() != rate.size())
    {
        throw Error("a schedule needs as many sampling rates as steps");
    }
}

} // namespace

double
GdpLogDelta(double epsilon, double mu)
{
    if (mu <= 0.0)
    {
        return -INF;
    }
    if (std::isinf(mu))
    {
        return std::isinf(epsilon) ? -INF : 0.0;
    }
    const double a = epsilon / mu - 0.5 * mu;
    if (a <= -5.0)
    {
        // With the Mills ratio M, delta = 1 - Phi(a) - phi(a) M(a + mu). This form is accurate if
        // delta is close to 1.
        const double density = std::exp(-0.5 * (a * a + LOG_TWO_PI));
        const double lower = 0.5 * boost::math::erfc(-a * SQRT_HALF);
        return std::log1p(-(lower + density * MillsRatio(a + mu)));
    }
    const bool cancels = mu < 0.05 || a > 5.0;
    const double difference = cancels ? MillsDifference(a, mu) : MillsRatio(a) - MillsRatio(a + mu);
    return -0.5 * (a * a + LOG_TWO_PI) + std::log(difference);
}

double
GdpEpsilon(double mu, double delta)
{
    if (std::isinf(mu))
    {
        return INF;
    }
    if (mu <= 0.0 || delta >= boost::math::erf(0.5 * mu * SQRT_HALF))
    {
        return 0.0;
    }
    const double logDelta = std::log(delta);
    const double high = 0.5 * mu * mu + mu * std::sqrt(-2.0 * logDelta) + 1.0;
    if (std::isinf(high))
    {
        return INF;
    }
    return Root([=](double epsilon) { return logDelta - GdpLogDelta(epsilon, mu); }, 0.0, high);
}

double
GdpMu(double epsilon, double delta)
{
    const double atZero = boost::math::erf_inv(delta) / (0.5 * SQRT_HALF);
    if (epsilon <= 0.0)
    {
        return atZero;
    }
    if (std::isinf(epsilon))
    {
        return epsilon;
    }
    const double logDelta = std::log(delta);
    const auto excess = [=](double logMu) {
        return GdpLogDelta(epsilon, std::exp(logMu)) - logDelta;
    };
    const double low = std::log(std::max(atZero, epsilon / 40.0));
    double high = low + 1.0;
    while (excess(high) < 0.0)
    {
        high += 1.0;
    }
    return std::exp(Root(excess, low, high));
}

double
CltMu(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    double sum = 0.0;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        sum += rate[k] > 0.0 ? rate[k] * rate[k] * std::expm1(mu[k] * mu[k]) : 0.0;
    }
    return std::sqrt(sum);
}

double
CltFixedMu(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    double sum = 0.0;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        // Phi(3 mu / 2) + 3 Phi(-mu / 2) - 2 is of third order in mu, so it is computed with erf,
        // which is accurate near 0.
        const double near = std::erf(0.5 * mu[k] * std::sqrt(0.5));
        const double far = std::erf(1.5 * mu[k] * std::sqrt(0.5));
        const double grown = std::expm1(mu[k] * mu[k]) * 0.5 * (1.0 + far);
        if (rate[k] > 0.0)
        {
            sum += 2.0 * rate[k] * rate[k] * (grown + 0.5 * (far - 3.0 * near));
        }
    }
    return std::sqrt(sum);
}

double
CltKappa(const std::vector<double>& mu, const std::vector<double>& rate)
{
    CheckLengths(mu, rate);
    double third = 0.0;
    double variance = 0.0;
    for (std::size_t k = 0; k < mu.size(); ++k)
    {
        // With m = mu^2, a step adds p^3 (e^(3m) - 3 e^m + 2) = p^3 (e^m - 1)^2 (e^m + 2) to the
        // third cumulant. The product has no cancellation.
        const double grown = std::expm1(mu[k] * mu[k]);
        const double scaled = rate[k] * rate[k] * grown;
        if (rate[k] > 0.0)
        {
            third += rate[k] * scaled * grown * (grown + 3.0);
            variance += scaled;
        }
    }
    if (variance == 0.0)
    {
        return 0.0;
    }
    const double kappa = third / variance / std::sqrt(variance);
    return std::isfinite(kappa) ? kappa : std::numeric_limits<double>::infinity();
}

double
CltScale(double muTotal, const std::vector<double>& shape, const std::vector<double>& rate)
{
    CheckLengths(shape, rate);
    const double target = muTotal * muTotal;
    double high = std::numeric_limits<double>::infinity();
    double sumOfSquares = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < shape.size(); ++k)
    {
        const double square = rate[k] * rate[k];
        if (shape[k] > 0.0 && square > 0.0)
        {
            // The mu of a single step must not exceed the total. This limit also keeps the
            // exponentials finite.
            high = std::min(high, std::sqrt(std::log1p(target / square)) / shape[k]);
            sumOfSquares += square;
            largest = std::max(largest, shape[k]);
        }
    }
    DPDL_REFUSE_IF(!std::isfinite(high) || !(muTotal > 0.0),
                   "a schedule needs a step that uses data, and a total above 0");
    const double low = std::sqrt(std::log1p(target / sumOfSquares)) / largest;
    const auto excess = [&](double logScale) {
        const double scale = std::exp(logScale);
        double sum = 0.0;
        for (std::size_t k = 0; k < shape.size(); ++k)
        {
            const double mu = scale * shape[k];
            sum += rate[k] * rate[k] * std::expm1(mu * mu);
        }
        return std::log(sum / target);
    };
    const double margin = 1e-12;
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(excess,
                                          std::log(low) - margin,
                                          std::log(high) + margin,
                                          boost::math::tools::eps_tolerance<double>(50),
                                          iterations);
    return std::exp(0.5 * (bracket.first + bracket.second));
}

} // namespace dpdl
