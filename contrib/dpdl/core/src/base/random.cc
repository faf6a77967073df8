// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"

#include "dpdl/base/simd.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

constexpr std::uint32_t MULTIPLIER_0 = 0xD2511F53U;
constexpr std::uint32_t MULTIPLIER_1 = 0xCD9E8D57U;
constexpr std::uint32_t WEYL_0 = 0x9E3779B9U;
constexpr std::uint32_t WEYL_1 = 0xBB67AE85U;
constexpr int PHILOX_ROUNDS = 10;
constexpr std::uint64_t LOW_WORD = 0xffffffffU;

/// Philox blocks that are computed side by side; one lane each.
constexpr int LANES = 16;
/// Normals in a chunk: every lane's block gives four.
constexpr std::size_t CHUNK = 4 * LANES;

/// Four words of LANES consecutive Philox blocks, word by word.
struct WordChunk
{
    std::uint32_t word[4][LANES];
};

/// ln(x) for x in (0, 1], relative error below 2e-7 (Cephes' logf).
inline float
Log(float x)
{
    std::uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof(bits));
    // Mantissa in [0.75, 1.5): keeps the polynomial's argument small on both sides of 1.
    const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f400000U) >> 23;
    bits -= static_cast<std::uint32_t>(exponent) << 23;
    float mantissa;
    __builtin_memcpy(&mantissa, &bits, sizeof(mantissa));
    const float f = mantissa - 1.0F;
    const float z = f * f;
    float p = 7.0376836292e-2F;
    p = p * f - 1.1514610310e-1F;
    p = p * f + 1.1676998740e-1F;
    p = p * f - 1.2420140846e-1F;
    p = p * f + 1.4249322787e-1F;
    p = p * f - 1.6668057665e-1F;
    p = p * f + 2.0000714765e-1F;
    p = p * f - 2.4999993993e-1F;
    p = p * f + 3.3333331174e-1F;
    const auto e = static_cast<float>(exponent);
    p = p * f * z - 2.12194440e-4F * e;
    return f + (p - 0.5F * z) + 0.693359375F * e;
}

/// Cosine and sine of 2 pi turn / 2^24, for a 24-bit turn.
inline void
CosSinOfTurn(std::uint32_t turn, float& cosine, float& sine)
{
    // The nearest quarter turn, and what is left of the angle in [-pi/4, pi/4).
    const std::uint32_t quarter = (turn + 0x200000U) >> 22;
    const auto rest = static_cast<std::int32_t>(turn - (quarter << 22));
    const float x = static_cast<float>(rest) * 3.7450704e-7F; // 2 pi / 2^24
    const float z = x * x;
    const float s = ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * x + x;
    const float c =
        ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z -
        0.5F * z + 1.0F;
    const bool odd = (quarter & 1U) != 0;
    const float cosineSize = odd ? s : c;
    const float sineSize = odd ? c : s;
    cosine = ((quarter + 1U) & 2U) != 0 ? -cosineSize : cosineSize;
    sine = (quarter & 2U) != 0 ? -sineSize : sineSize;
}

/// Words of blocks first .. first + LANES - 1.
inline WordChunk
PhiloxChunk(std::uint64_t first,
            const std::array<std::uint32_t, 3>& stream,
            const std::array<std::uint32_t, 2>& key)
{
    // The purpose shares a word with the high bits of the block: 2^48 blocks a stream.
    // 64-bit lanes: the widening products need no shuffles.
    std::uint64_t c0[LANES];
    std::uint64_t c1[LANES];
    std::uint64_t c2[LANES];
    std::uint64_t c3[LANES];
    for (int lane = 0; lane < LANES; ++lane)
    {
        const std::uint64_t block = first + static_cast<std::uint64_t>(lane);
        c0[lane] = block & LOW_WORD;
        c1[lane] = ((block >> 32) & 0xffffU) | (stream[0] << 16);
        c2[lane] = stream[1];
        c3[lane] = stream[2];
    }
    std::uint32_t k0 = key[0];
    std::uint32_t k1 = key[1];
    for (int round = 0; round < PHILOX_ROUNDS; ++round)
    {
        for (int lane = 0; lane < LANES; ++lane)
        {
            const std::uint64_t p0 = (c0[lane] & LOW_WORD) * MULTIPLIER_0;
            const std::uint64_t p1 = (c2[lane] & LOW_WORD) * MULTIPLIER_1;
            c0[lane] = (p1 >> 32) ^ c1[lane] ^ k0;
            c2[lane] = (p0 >> 32) ^ c3[lane] ^ k1;
            c1[lane] = p1 & LOW_WORD;
            c3[lane] = p0 & LOW_WORD;
        }
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    WordChunk chunk;
    for (int lane = 0; lane < LANES; ++lane)
    {
        chunk.word[0][lane] = static_cast<std::uint32_t>(c0[lane]);
        chunk.word[1][lane] = static_cast<std::uint32_t>(c1[lane]);
        chunk.word[2][lane] = static_cast<std::uint32_t>(c2[lane]);
        chunk.word[3][lane] = static_cast<std::uint32_t>(c3[lane]);
    }
    return chunk;
}

/// CHUNK normals: cosines then sines of the first word pair, then of the second, lane by lane.
inline void
NormalChunk(const WordChunk& words, float* out)
{
    for (int pair = 0; pair < 2; ++pair)
    {
        const std::uint32_t* high = words.word[2 * pair];
        const std::uint32_t* low = words.word[2 * pair + 1];
        float* cosines = out + 2 * LANES * pair;
        float* sines = cosines + LANES;
        for (int lane = 0; lane < LANES; ++lane)
        {
            // 40-bit radius in (0, 1), from the high word and 8 bits of the low one.
            const float tail = static_cast<float>(low[lane] & 0xffU) + 0.5F;
            const float head =
                static_cast<float>(static_cast<std::int32_t>(high[lane] >> 1)) * 2.0F +
                static_cast<float>(static_cast<std::int32_t>(high[lane] & 1U));
            const float u = std::min(head * 0x1p-32F + tail * 0x1p-40F, 0x1.fffffep-1F);
            const float radius = std::sqrt(-2.0F * Log(u));
            float c;
            float s;
            CosSinOfTurn(low[lane] >> 8, c, s);
            cosines[lane] = radius * c;
            sines[lane] = radius * s;
        }
    }
}

DPDL_MULTIVERSION void
FillNormals(float* out,
            std::size_t count,
            const std::array<std::uint32_t, 3>& stream,
            const std::array<std::uint32_t, 2>& key)
{
    std::size_t i = 0;
    for (; i + CHUNK <= count; i += CHUNK)
    {
        NormalChunk(PhiloxChunk(i / 4, stream, key), out + i);
    }
    if (i < count)
    {
        float rest[CHUNK];
        NormalChunk(PhiloxChunk(i / 4, stream, key), rest);
        std::copy(rest, rest + (count - i), out + i);
    }
}

DPDL_MULTIVERSION void
AddNormals(float* values,
           std::size_t count,
           float scale,
           const std::array<std::uint32_t, 3>& stream,
           const std::array<std::uint32_t, 2>& key)
{
    float normals[CHUNK];
    for (std::size_t i = 0; i < count; i += CHUNK)
    {
        NormalChunk(PhiloxChunk(i / 4, stream, key), normals);
        const std::size_t length = std::min(CHUNK, count - i);
        for (std::size_t j = 0; j < length; ++j)
        {
            values[i + j] += scale * normals[j];
        }
    }
}

DPDL_MULTIVERSION void
CopyWords(std::uint64_t first,
          std::uint32_t* out,
          const std::array<std::uint32_t, 3>& stream,
          const std::array<std::uint32_t, 2>& key)
{
    const WordChunk chunk = PhiloxChunk(first, stream, key);
    for (int lane = 0; lane < LANES; ++lane)
    {
        for (int word = 0; word < 4; ++word)
        {
            out[4 * lane + word] = chunk.word[word][lane];
        }
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
    : m_key{seed.seed, seed.run},
      m_counter{static_cast<std::uint32_t>(purpose), node, round}
{
}

std::array<std::uint32_t, 4>
RandomStream::Block(std::uint64_t index) const
{
    return Philox4x32({static_cast<std::uint32_t>(index),
                       (static_cast<std::uint32_t>(index >> 32) & 0xffffU) | (m_counter[0] << 16),
                       m_counter[1],
                       m_counter[2]},
                      m_key);
}

std::uint32_t
RandomStream::Word(std::uint64_t element) const
{
    return Block(element / 4)[element % 4];
}

void
RandomStream::FillWords(std::uint64_t chunk, std::uint32_t* out) const
{
    static_assert(WORDS_AT_ONCE == 4 * LANES);
    CopyWords(LANES * chunk, out, m_counter, m_key);
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
    FillNormals(out, count, m_counter, m_key);
}

void
RandomStream::AddNormal(float* values, std::size_t count, float scale) const
{
    AddNormals(values, count, scale, m_counter, m_key);
}

} // namespace dpdl
