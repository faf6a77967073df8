// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-noise.h"

#include "dpdl/base/simd.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace dpdl
{

namespace
{

/// Values that one chunk of random words gives: two words for each.
constexpr std::size_t CHUNK = RandomStream::WORDS_AT_ONCE / 2;

/**
 * ln(x) for x in (0, 1], to 1e-15: with x = 2^e (1 + f) and s = f / (2 + f) it is e ln 2 + 2 s +
 * s R(s^2), R being FreeBSD's polynomial. A function of the library would not be vectorised.
 */
inline double
Log(double x)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(bits));
    // Mantissa in [sqrt(1/2), sqrt(2)).
    const std::uint64_t shifted = bits - 0x3fe6a09e667f3bcdULL;
    const auto exponent = static_cast<std::int64_t>(shifted) >> 52;
    bits -= static_cast<std::uint64_t>(exponent) << 52;
    double mantissa = 0.0;
    std::memcpy(&mantissa, &bits, sizeof(mantissa));
    const double f = mantissa - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double p = 1.479819860511658591e-1;
    p = p * z + 1.531383769920937332e-1;
    p = p * z + 1.818357216161805012e-1;
    p = p * z + 2.222219843214978396e-1;
    p = p * z + 2.857142874366239149e-1;
    p = p * z + 3.999999999940941908e-1;
    p = p * z + 6.666666666666735130e-1;
    return static_cast<double>(exponent) * 6.931471805599453094e-1 + (2.0 * s + s * (p * z));
}

/**
 * Adds Laplace variables times a deviation to the values of a chunk. Each is made of 64 random
 * bits, of which 52 count: the middle of a cell of [0, 1), never 0 and never 1, and exact.
 */
DPDL_MULTIVERSION void
AddChunk(const std::uint32_t* words, double deviation, std::size_t count, double* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t bits =
            (static_cast<std::uint64_t>(words[2 * i]) << 32) | words[2 * i + 1];
        // A number in [1, 2) with these 52 bits, and half a cell more.
        const std::uint64_t cell = (bits >> 12) | 0x3ff0000000000000ULL;
        double u = 0.0;
        std::memcpy(&u, &cell, sizeof(u));
        u = (u - 1.0) + 0x1p-53;
        const bool low = u < 0.5;
        const double size = deviation * Log(2.0 * (low ? u : 1.0 - u));
        values[i] += low ? size : -size;
    }
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
LaplaceNoise::DoFit(double clip, double mu, std::size_t /* count */) const
{
    return {clip / mu, 0.0, clip};
}

void
LaplaceNoise::AddNoise(double* values,
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
        AddChunk(words.data(), scale.deviation, length, values + begin);
    }
}

} // namespace dpdl
