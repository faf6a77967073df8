// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/exact-event.h"

#include "streams.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace dpdl
{

namespace
{

/// Converts a uniform in [0, 1) to a Laplace variable of scale 1.
double
Laplace(double uniform)
{
    const double centred = uniform - 0.5;
    return std::copysign(-std::log1p(-2.0 * std::abs(centred)), centred);
}

/// L1 norm of the noise without its first coordinate.
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
        // The candidates are 0 and distance in the first coordinate, and equal in all others.
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

} // namespace dpdl
