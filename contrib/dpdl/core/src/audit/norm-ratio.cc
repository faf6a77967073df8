// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/norm-ratio.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "streams.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace dpdl
{

namespace
{

/// Continued fraction of the upper incomplete gamma function (Legendre).
class UpperGammaFraction
{
  public:
    using result_type = std::pair<double, double>;

    UpperGammaFraction(double a, double x)
        : m_a(a),
          m_b(x - a + 1.0)
    {
    }

    result_type operator()()
    {
        m_k += 1.0;
        m_b += 2.0;
        return {m_k * (m_a - m_k), m_b};
    }

  private:
    double m_a;      ///< shape
    double m_b;      ///< denominator
    double m_k{0.0}; ///< index
};

/// SF / density of chi^2 with 2a degrees of freedom, at 2x.
double
MillsRatioOfChiSquared(double a, double x)
{
    const double tail = boost::math::gamma_q(a, x);
    const double density = boost::math::gamma_p_derivative(a, x);
    if (tail > 1e-200 && density > 1e-200)
    {
        return 2.0 * tail / density;
    }
    UpperGammaFraction fraction(a, x);
    std::uintmax_t terms = 100000;
    const double rest =
        boost::math::tools::continued_fraction_a(fraction,
                                                 std::numeric_limits<double>::epsilon(),
                                                 terms);
    return 2.0 * x / (x - a + 1.0 + rest);
}

} // namespace

double
NormRatioDelta(double epsilon, double ratio, std::uint64_t dimension)
{
    const double a = 0.5 * static_cast<double>(dimension);
    const double variance = ratio * ratio;
    // Half the threshold, because chi^2_d at t is twice a gamma variable at t/2.
    const double x = (epsilon + 2.0 * a * std::log(ratio)) / -std::expm1(-2.0 * std::log(ratio));
    const double tail = boost::math::gamma_q(a, x / variance);
    const double density = 0.5 * boost::math::gamma_p_derivative(a, x / variance) / variance;
    return std::clamp(tail - density * MillsRatioOfChiSquared(a, x), 0.0, 1.0);
}

double
NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta)
{
    if (!(ratio > 1.0) || !std::isfinite(ratio))
    {
        throw UsageError("option 'ratio'", ShowNumber(ratio), "a finite number above 1");
    }
    const auto excess = [&](double epsilon) {
        return NormRatioDelta(epsilon, ratio, dimension) - delta;
    };
    if (excess(0.0) <= 0.0)
    {
        return 0.0;
    }
    double high = 1.0;
    while (excess(high) > 0.0)
    {
        high *= 2.0;
    }
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(excess,
                                          high > 1.0 ? 0.5 * high : 0.0,
                                          high,
                                          boost::math::tools::eps_tolerance<double>(50),
                                          iterations);
    return bracket.first;
}

ScoreSample
PlayNormRatio(double ratio, std::uint64_t dimension, std::size_t runs, RandomSeed seed)
{
    const double a = 0.5 * static_cast<double>(dimension);
    const RandomStream with = StreamOf(seed, AuditStream::NORM_WITH, 0);
    const RandomStream without = StreamOf(seed, AuditStream::NORM_WITHOUT, 0);
    ScoreSample scores;
    for (std::size_t run = 0; run < runs; ++run)
    {
        const double small = 2.0 * boost::math::gamma_p_inv(a, without.Uniform(run));
        const double large = 2.0 * boost::math::gamma_p_inv(a, with.Uniform(run));
        scores.with.push_back(ratio * ratio * large);
        scores.without.push_back(small);
    }
    return scores;
}

} // namespace dpdl
