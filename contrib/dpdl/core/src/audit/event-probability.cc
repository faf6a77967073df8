// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/event-probability.h"

#include "dpdl/audit/one-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// Converts a uniform random number in [0, 1) to a random number with the Laplace distribution of
/// scale 1.
double
Laplace(double uniform)
{
    const double centred = uniform - 0.5;
    return std::copysign(-std::log1p(-2.0 * std::abs(centred)), centred);
}

/// L1 norm of Laplace noise of scale 1 over all coordinates except the first one.
double
NormOfOthers(const RandomStream& stream, std::size_t dimension)
{
    double norm = 0.0;
    for (std::size_t i = 1; i < dimension; ++i)
    {
        norm += std::abs(Laplace(stream.Uniform(i)));
    }
    return norm;
}

/// Generates the coefficients of Legendre's continued fraction for the upper incomplete gamma
/// function. Boost's continued_fraction_a() calls it.
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
    double m_a;      ///< shape parameter of the gamma function
    double m_b;      ///< denominator of the current coefficient
    double m_k{0.0}; ///< index of the current coefficient
};

/// Upper tail probability of the chi^2 distribution with 2a degrees of freedom at 2x, divided by
/// its density at 2x.
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

std::size_t
CountUnchangedMessages(double gradientNorm,
                       double scale,
                       double stepSize,
                       std::size_t dimension,
                       std::size_t runs,
                       RandomSeed seed)
{
    const auto noise = static_cast<float>(scale * gradientNorm);
    const auto step = static_cast<float>(stepSize);
    std::vector<float> before(dimension);
    std::vector<float> update(dimension);
    std::size_t unchanged = 0;
    for (std::size_t run = 0; run < runs; ++run)
    {
        const auto number = static_cast<std::uint32_t>(run);
        StreamOf(seed, AuditStream::ZERO_MODEL, number).FillNormal(before.data(), dimension);
        StreamOf(seed, AuditStream::ZERO_NOISE, number).FillNormal(update.data(), dimension);
        std::vector<float> after = before;
        for (std::size_t i = 0; i < dimension; ++i)
        {
            const float gradient = i == 0 ? static_cast<float>(gradientNorm) : 0.0F;
            after[i] -= step * (gradient + noise * update[i]);
        }
        const std::size_t bytes = dimension * sizeof(float);
        unchanged += std::memcmp(before.data(), after.data(), bytes) == 0 ? 1 : 0;
    }
    return unchanged;
}

double
ZeroGradientDelta(std::uint64_t localSamples, std::uint64_t rounds)
{
    const double rate = 1.0 / static_cast<double>(localSamples);
    return -std::expm1(static_cast<double>(rounds) * std::log1p(-rate));
}

ScalarGuesses
PlayBroadcastScalar(double distance, std::size_t dimension, std::size_t runs, RandomSeed seed)
{
    ScalarGuesses guesses;
    guesses.runs = runs;
    const RandomStream coins = StreamOf(seed, AuditStream::SCALAR_COINS, 0);
    for (std::size_t run = 0; run < runs; ++run)
    {
        const bool second = coins.Uniform(run) < 0.5;
        const RandomStream noise =
            StreamOf(seed, AuditStream::SCALAR_NOISE, static_cast<std::uint32_t>(run));
        const double first = Laplace(noise.Uniform(0));
        const double others = NormOfOthers(noise, dimension);
        const double norm = std::abs(first) + others;
        // Both candidate vectors are 0, except for the first coordinate of the second vector, which
        // is @p distance.
        const double seen = first + (second ? distance : 0.0);
        const double residual0 = std::abs(seen) + others;
        const double residual1 = std::abs(seen - distance) + others;
        const bool byScalar = std::abs(residual1 - norm) < std::abs(residual0 - norm);
        const bool byLikelihood = residual1 < residual0;
        guesses.withScalar += byScalar == second ? 1 : 0;
        guesses.withoutScalar += byLikelihood == second ? 1 : 0;
    }
    return guesses;
}

double
NormRatioDelta(double epsilon, double ratio, std::uint64_t dimension)
{
    const double a = 0.5 * static_cast<double>(dimension);
    const double variance = ratio * ratio;
    // Half a chi^2_d variable has a gamma distribution with shape a, so the threshold t of the
    // chi^2_d variable becomes x = t / 2.
    const double x = (epsilon + 2.0 * a * std::log(ratio)) / -std::expm1(-2.0 * std::log(ratio));
    const double tail = boost::math::gamma_q(a, x / variance);
    const double density = 0.5 * boost::math::gamma_p_derivative(a, x / variance) / variance;
    return std::clamp(tail - density * MillsRatioOfChiSquared(a, x), 0.0, 1.0);
}

double
NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta)
{
    DPDL_REFUSE_IF(!IsNormRatio(ratio), "option 'ratio'", ShowNumber(ratio), NORM_RATIOS);
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
