// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/exact-event.h"

#include "dpdl/base/errors.h"
#include "streams.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstring>

namespace dpdl
{

namespace
{

/// Chance of naming a pair of releases whose noise is independent.
constexpr double REPEAT_ALPHA = 1e-12;

/// A Laplace variable of scale 1 from a uniform in [0, 1).
double
Laplace(double uniform)
{
    const double centred = uniform - 0.5;
    return std::copysign(-std::log1p(-2.0 * std::abs(centred)), centred);
}

/// Squared distance; the sum is formed in double precision.
double
SquaredDistance(const std::vector<float>& a, const std::vector<float>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += difference * difference;
    }
    return sum;
}

/// The L1 norm of all coordinates of the noise but the first.
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
        // The candidates are 0 and distance in the first coordinate; all others are the same.
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

std::vector<std::pair<std::size_t, std::size_t>>
FindRepeatedNoise(const std::vector<std::vector<float>>& releases, double noise)
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    if (releases.empty() || releases.front().empty())
    {
        return pairs;
    }
    const auto dimension = static_cast<double>(releases.front().size());
    const boost::math::chi_squared_distribution<double> chi(dimension);
    const double shortest = 2.0 * noise * noise * boost::math::quantile(chi, REPEAT_ALPHA);
    for (std::size_t a = 0; a < releases.size(); ++a)
    {
        for (std::size_t b = a + 1; b < releases.size(); ++b)
        {
            if (releases[a].size() != releases[b].size())
            {
                throw Error("released vectors that are compared need the same length");
            }
            if (SquaredDistance(releases[a], releases[b]) < shortest)
            {
                pairs.emplace_back(a, b);
            }
        }
    }
    return pairs;
}

std::vector<std::size_t>
FindVanishedNoise(const std::vector<Release>& releases, double stepSize)
{
    std::vector<std::size_t> vanished;
    for (std::size_t i = 0; i < releases.size(); ++i)
    {
        const auto scale = static_cast<float>(stepSize * releases[i].Get().noise);
        if (scale == 0.0F)
        {
            vanished.push_back(i);
        }
    }
    return vanished;
}

} // namespace dpdl
