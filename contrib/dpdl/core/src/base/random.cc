// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"

#include "dpdl/base/simd.h"
#include "normal-kernels.h"

#include <algorithm>
#include <cstring>

// Philox4x32-10 and the streams on top of it. Normals and words come from the SIMD kernels of the
// processor's level; this file computes Laplace variables.

namespace dpdl
{

namespace
{

/// Kernels of the SIMD level that ResolveSimdLevel() chooses for this processor.
const NormalKernels&
Kernels()
{
    static const NormalKernels& kernels = NormalKernelsOf(ResolveSimdLevel());
    return kernels;
}

/// Number of Laplace variables per chunk of random words; each takes two words.
constexpr std::size_t LAPLACE_CHUNK = RandomStream::WORDS_AT_ONCE / 2;

/**
 * ln(x) for x in (0, 1], accurate to 1e-15. Let x = 2^e (1 + f) and s = f / (2 + f). Then ln(x) = e
 * ln 2 + 2 s + s R(s^2), with FreeBSD's polynomial R. A library call would not be vectorised.
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
 * Adds @p deviation times independent Laplace variables of scale 1 to values [count]. Each variable
 * is a function of a uniform number u in (0, 1). u is the exact middle of one of 2^52 equal cells
 * of [0, 1), which 52 of 64 random bits select, so u is never 0 or 1.
 * @param words [2 * count] random words
 */
DPDL_MULTIVERSION void
AddLaplaceChunk(const std::uint32_t* words, double deviation, std::size_t count, double* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t bits =
            (static_cast<std::uint64_t>(words[2 * i]) << 32) | words[2 * i + 1];
        // A double in [1, 2) with the 52 high bits as mantissa. Subtracting 1 and adding half a
        // cell gives u.
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

std::array<std::uint32_t, 4>
Philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key)
{
    for (int round = 0; round < PHILOX_ROUNDS; ++round)
    {
        const std::uint64_t p0 = static_cast<std::uint64_t>(MULTIPLIER_0) * counter[0];
        const std::uint64_t p1 = static_cast<std::uint64_t>(MULTIPLIER_1) * counter[2];
        counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(p1),
                   static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(p0)};
        key[0] += WEYL_0;
        key[1] += WEYL_1;
    }
    return counter;
}

RandomStream::RandomStream(RandomSeed seed, RandomPurpose purpose, NodeId node, Round round)
    : m_name{{seed.seed, seed.run}, {static_cast<std::uint32_t>(purpose), node, round}}
{
}

std::array<std::uint32_t, 4>
RandomStream::Block(std::uint64_t index) const
{
    const std::array<std::uint32_t, 3>& counter = m_name.counter;
    return Philox4x32({static_cast<std::uint32_t>(index),
                       (static_cast<std::uint32_t>(index >> 32) & 0xffffU) | (counter[0] << 16),
                       counter[1],
                       counter[2]},
                      m_name.key);
}

std::uint32_t
RandomStream::Word(std::uint64_t element) const
{
    return Block(element / 4)[element % 4];
}

void
RandomStream::FillWords(std::uint64_t chunk, std::uint32_t* out) const
{
    Kernels().words(m_name, WORDS_AT_ONCE / 4 * chunk, out);
}

double
RandomStream::Uniform(std::uint64_t element) const
{
    const std::array<std::uint32_t, 4> block = Block(element / 2);
    const std::size_t half = 2 * (element % 2);
    const std::uint64_t bits = (static_cast<std::uint64_t>(block[half]) << 32) | block[half + 1];
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

std::uint32_t
RandomStream::Integer(std::uint64_t element, std::uint32_t bound) const
{
    const auto value = static_cast<std::uint32_t>(Uniform(element) * bound);
    return std::min(value, bound - 1);
}

void
RandomStream::FillNormal(float* out, std::size_t count) const
{
    Kernels().fill(m_name, count, out);
}

void
RandomStream::AddNormal(float* values, std::size_t count, float scale) const
{
    Kernels().add(m_name, count, scale, values);
}

void
RandomStream::AddNormal(double* values, std::size_t count, double scale) const
{
    Kernels().addDoubles(m_name, count, scale, values);
}

void
RandomStream::AddNormalStep(const NoisyStep& step, std::size_t count, float* values) const
{
    Kernels().step(m_name, count, step, values);
}

void
RandomStream::AddLaplace(double* values, std::size_t count, double scale) const
{
    std::array<std::uint32_t, WORDS_AT_ONCE> words;
    for (std::size_t begin = 0; begin < count; begin += LAPLACE_CHUNK)
    {
        FillWords(begin / LAPLACE_CHUNK, words.data());
        const std::size_t length = std::min(LAPLACE_CHUNK, count - begin);
        AddLaplaceChunk(words.data(), scale, length, values + begin);
    }
}

} // namespace dpdl
