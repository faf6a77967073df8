// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace dpdl
{

namespace
{

/// Values that one chunk of random words gives: two words for each.
constexpr std::size_t CHUNK = RandomStream::WORDS_AT_ONCE / 2;

/// Laplace of scale 1 from 64 random bits, of which 52 count.
double
StandardLaplace(std::uint32_t high, std::uint32_t low)
{
    const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32) | low;
    // The middle of a cell of [0, 1): never 0 and never 1, and exact.
    const double u = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
    return u < 0.5 ? std::log(2.0 * u) : -std::log(2.0 * (1.0 - u));
}

} // namespace

LaplaceNoise::LaplaceNoise(RandomSeed seed)
    : m_seed(seed)
{
}

std::string
LaplaceNoise::Name() const
{
    return "laplace";
}

std::string
LaplaceNoise::Statement() const
{
    return "float32 Laplace noise of a seeded generator: reproducible, and a simulation of privacy "
           "only, because whoever knows the seed can take the noise off";
}

std::string
LaplaceNoise::Mechanism() const
{
    return "laplace";
}

NoiseScale
LaplaceNoise::Fit(double clip, double mu, std::size_t /* count */) const
{
    return {clip / mu, 0.0, clip};
}

void
LaplaceNoise::AddNoise(float* values,
                       std::size_t count,
                       const NoiseScale& scale,
                       NodeId node,
                       Round round) const
{
    const RandomStream stream(m_seed, RandomPurpose::NOISE, node, round);
    std::array<std::uint32_t, RandomStream::WORDS_AT_ONCE> words;
    for (std::size_t begin = 0; begin < count; begin += CHUNK)
    {
        stream.FillWords(begin / CHUNK, words.data());
        const std::size_t length = std::min(CHUNK, count - begin);
        for (std::size_t i = 0; i < length; ++i)
        {
            const double noise = scale.deviation * StandardLaplace(words[2 * i], words[2 * i + 1]);
            float& value = values[begin + i];
            value = static_cast<float>(static_cast<double>(value) + noise);
        }
    }
}

} // namespace dpdl
