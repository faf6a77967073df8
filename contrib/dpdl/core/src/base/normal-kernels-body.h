// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Philox and Box-Muller. Each SIMD level includes this file once inside its namespace, after the
// definitions of its register types and
//
//   Longs Product(const Longs& a, std::uint32_t b)  low half of each lane of a, times b
//   Longs HighHalves(const Longs& a)                high half of each lane of a, as low half
//   Vector Root(const Vector& x)                    square roots
//   Half Narrowed(const Doubles& x)                 the doubles of x as floats
//
// The file has no include guard, because each SIMD level includes it.

/// -2 ln(x) for x in (0, 1]; exactly 0 for x = 1. Each SIMD level defines it.
DPDL_INLINE Vector MinusTwiceLog(const Vector& x);

/// p * x + c in each lane.
DPDL_INLINE Vector
Horner(const Vector& p, const Vector& x, float c)
{
    return Fused(p, x, Vector{} + c);
}

/// Number of Philox blocks in a chunk. The normals of a chunk are adjacent in the stream, in the
/// order that ForNormals() describes.
constexpr std::size_t BLOCKS = 16;
/// Number of normals in a chunk, four per block.
constexpr std::size_t CHUNK = 4 * BLOCKS;
/// Number of blocks whose 64-bit indices have the same high word.
constexpr std::uint64_t BLOCKS_OF_HIGH_WORD = 1ULL << 32;

/// Philox state that is common to all blocks of a stream whose 64-bit indices have the same high
/// word.
struct StreamStart
{
    Longs key[PHILOX_ROUNDS][2]; ///< Philox keys of each round
    Longs counter[3];            ///< counter words 1 to 3: high word of the index with the purpose,
                                 ///< node, round
};

/// The four output words of LANES Philox blocks: word[w] holds word w of all blocks.
struct BlockWords
{
    Words word[4];
};

/// The four state words of LANES / 2 Philox blocks. The words are in the low halves of 64-bit
/// lanes, so widening products need no shuffles. The high halves are ignored.
struct State
{
    Longs c0;
    Longs c1;
    Longs c2;
    Longs c3;
};

DPDL_INLINE StreamStart
StartOf(const StreamName& name, std::uint32_t highWord)
{
    StreamStart start;
    std::uint32_t k0 = name.key[0];
    std::uint32_t k1 = name.key[1];
    for (Longs(&key)[2] : start.key)
    {
        key[0] = Longs{} + k0;
        key[1] = Longs{} + k1;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    // The purpose and the 16 high bits of the block index share one word, so a stream has 2^48
    // blocks.
    start.counter[0] = Longs{} + ((highWord & 0xffffU) | (name.counter[0] << 16));
    start.counter[1] = Longs{} + name.counter[1];
    start.counter[2] = Longs{} + name.counter[2];
    return start;
}

/// Applies one round of Philox other than the last one.
DPDL_INLINE void
PhiloxRound(const Longs (&key)[2], State& s)
{
    const Longs p0 = Product(s.c0, MULTIPLIER_0);
    const Longs p1 = Product(s.c2, MULTIPLIER_1);
    s.c0 = HighHalves(p1) ^ s.c1 ^ key[0];
    s.c2 = HighHalves(p0) ^ s.c3 ^ key[1];
    s.c1 = p1;
    s.c3 = p0;
}

/// Collects the low or the high 32-bit halves of all 64-bit lanes of two registers.
/// @param half 0: low halves, 1: high halves
DPDL_INLINE Words
Join(const Longs& first, const Longs& second, std::uint32_t half)
{
#ifdef __clang__
    Words joined;
    for (std::size_t lane = 0; lane < LANES; ++lane)
    {
        const Longs& longs = lane < LANES / 2 ? first : second;
        joined[lane] = static_cast<std::uint32_t>(longs[lane % (LANES / 2)] >> (32 * half));
    }
    return joined;
#else
    Words lanes;
    for (std::size_t lane = 0; lane < LANES; ++lane)
    {
        lanes[lane] = static_cast<std::uint32_t>(2 * lane) + half;
    }
    return __builtin_shuffle((Words)first, (Words)second, lanes);
#endif
}

/// Output words of LANES consecutive Philox blocks.
/// @param start state for the high word of all block indices
/// @param first low word of the first block's index
DPDL_INLINE BlockWords
PhiloxWords(const StreamStart& start, std::uint32_t first)
{
    Longs lane;
    for (std::size_t i = 0; i < LANES / 2; ++i)
    {
        lane[i] = i;
    }
    State a{lane + first, start.counter[0], start.counter[1], start.counter[2]};
    State b{a.c0 + LANES / 2, start.counter[0], start.counter[1], start.counter[2]};
#pragma GCC unroll 9
    for (int round = 0; round < PHILOX_ROUNDS - 1; ++round)
    {
        PhiloxRound(start.key[round], a);
        PhiloxRound(start.key[round], b);
    }
    // The last round of Philox works on registers of 32-bit words.
    const Longs a0 = Product(a.c0, MULTIPLIER_0);
    const Longs a1 = Product(a.c2, MULTIPLIER_1);
    const Longs b0 = Product(b.c0, MULTIPLIER_0);
    const Longs b1 = Product(b.c2, MULTIPLIER_1);
    const auto& key = start.key[PHILOX_ROUNDS - 1];
    return {{Join(a1, b1, 1) ^ Join(a.c1, b.c1, 0) ^ Join(key[0], key[0], 0),
             Join(a1, b1, 0),
             Join(a0, b0, 1) ^ Join(a.c3, b.c3, 0) ^ Join(key[1], key[1], 0),
             Join(a0, b0, 0)}};
}

/// Cosine and sine of 2 pi (low >> 8) / 2^24. ForPair() then rotates by the angle of the 8 low
/// bits.
DPDL_INLINE void
CosSinOfTurn(const Words& low, Vector& cosine, Vector& sine)
{
    // The two high bits of the shifted word are a number of quarter turns. The other bits are an
    // angle in [-pi/4, pi/4).
    const Words shifted = low + 0x20000000U;
    const auto rest = (Integers)((low << 2) & 0xfffffc00U);
    const Vector x = __builtin_convertvector(rest, Vector) * 3.65729530e-10F; // 2 pi / 2^34
    const Vector z = x * x;
    Vector s = Horner(Vector{} - 1.9515295891e-4F, z, 8.3321608736e-3F);
    s = Horner(s, z, -1.6666654611e-1F);
    s = Fused(s, z * x, x);
    Vector c = Horner(Vector{} + 2.443315711809948e-5F, z, -1.388731625493765e-3F);
    c = Horner(c, z, 4.166664568298827e-2F);
    c = Horner(c, z, -0.5F);
    c = Horner(c, z, 1.0F);
    const Integers odd = (shifted & 0x40000000U) != 0U;
    const Words sign = Words{} + 0x80000000U;
    cosine = (Vector)((Words)(odd ? s : c) ^ ((shifted + 0x40000000U) & sign));
    sine = (Vector)((Words)(odd ? c : s) ^ (shifted & sign));
}

/// Converts half of the lanes to double precision.
/// @param half 0: first half of the lanes, 1: second half
DPDL_INLINE Doubles
ToDoubles(const Vector& values, std::size_t half)
{
    Half lanes;
    __builtin_memcpy(&lanes,
                     reinterpret_cast<const char*>(&values) + half * sizeof(lanes),
                     sizeof(lanes));
    return Widened(lanes);
}

/// Angle in radians by which the lowest bit of a word rotates a pair: 2 pi / 2^32.
constexpr double TURN_OF_BIT = 0x1.921fb54442d18p-30;
/// Relative growth of a radius per unit of the 8 low bits of a word. All 8 bits together span the
/// last digit of a float.
constexpr double GROWTH_OF_BIT = 0x1p-32;

/**
 * Makes two normals for each of LANES blocks and calls use(index, normals) for HALF normals at a
 * time. Normals from cosines have indices from @p offset on, normals from sines from offset +
 * BLOCKS on.
 *
 * Radius and direction are floats, which lie on grids. An observer with two candidates for a noisy
 * sum could use the grids to identify the right one. The 8 bits of a word beyond float precision
 * rotate and stretch the pair in double precision, so float32 hides both grids.
 */
template <typename Use>
DPDL_INLINE void
ForPair(const Words& high, const Words& low, std::size_t offset, const Use& use)
{
    // 40-bit radius in (0, 1], from the high word and 8 bits of the low word. Both parts are exact,
    // so their sum is rounded once. The 8 bits are placed in the mantissa of a number at 2^-17,
    // which is then subtracted.
    const Words tailBits = ((high << 8) & ~0xffU) | (low & 0xffU);
    const Vector tail = (Vector)((tailBits & 0xffffU) | 0x37000000U) - (0x1p-17F - 0x1p-41F);
    const Vector head = __builtin_convertvector((Integers)(high >> 8), Vector);
    const Vector radius = Root(MinusTwiceLog(head * 0x1p-24F + tail));
    const Vector bits = __builtin_convertvector((Integers)(low & 0xffU), Vector);
    Vector cosine;
    Vector sine;
    CosSinOfTurn(low, cosine, sine);
    for (std::size_t half = 0; half < 2; ++half)
    {
        const Doubles b = ToDoubles(bits, half);
        const Doubles turn = TURN_OF_BIT * b;
        const Doubles c = ToDoubles(cosine, half);
        const Doubles s = ToDoubles(sine, half);
        Doubles r = ToDoubles(radius, half);
        r = Fused(GROWTH_OF_BIT * b - 127.5 * GROWTH_OF_BIT, r, r);
        use(offset + half * HALF, r * Fused(-turn, s, c));
        use(offset + BLOCKS + half * HALF, r * Fused(turn, c, s));
    }
}

/// Computes the CHUNK normals of BLOCKS adjacent Philox blocks by the Box-Muller method. Calls
/// use(index, normals) for HALF normals at a time, with the indices index to index + HALF - 1
/// within the chunk.
///
/// A chunk has four parts of BLOCKS normals, one normal per block: cosines, then sines of the first
/// word pair, then cosines, then sines of the second word pair.
/// @param first index of the first block in the stream
template <typename Use>
DPDL_INLINE void
ForNormals(const StreamStart& start, std::uint32_t first, const Use& use)
{
    for (std::size_t block = 0; block < BLOCKS; block += LANES)
    {
        const BlockWords words = PhiloxWords(start, first + static_cast<std::uint32_t>(block));
        for (std::size_t pair = 0; pair < 2; ++pair)
        {
            ForPair(words.word[2 * pair], words.word[2 * pair + 1], 2 * BLOCKS * pair + block, use);
        }
    }
}

/// Makes the first @p count normals of a stream.
/// @param several called as several(i, normals) for HALF normals from index i on, chunk by chunk
/// @param one called as one(i, normal) for each normal of a partial last chunk
template <typename Several, typename One>
DPDL_INLINE void
ForEachNormal(const StreamName& name, std::size_t count, const Several& several, const One& one)
{
    std::size_t i = 0;
    while (i < count)
    {
        const std::uint64_t highWord = i / 4 / BLOCKS_OF_HIGH_WORD;
        const StreamStart start = StartOf(name, static_cast<std::uint32_t>(highWord));
        const std::uint64_t end = 4 * (highWord + 1) * BLOCKS_OF_HIGH_WORD;
        for (; i + CHUNK <= count && i < end; i += CHUNK)
        {
            ForNormals(
                start,
                static_cast<std::uint32_t>(i / 4),
                [&](std::size_t offset, const Doubles& normals) { several(i + offset, normals); });
        }
        if (i < count && i < end)
        {
            double normals[CHUNK];
            ForNormals(start,
                       static_cast<std::uint32_t>(i / 4),
                       [&](std::size_t offset, const Doubles& values) {
                           __builtin_memcpy(normals + offset, &values, sizeof(values));
                       });
            for (const std::size_t first = i; i < count; ++i)
            {
                one(i, normals[i - first]);
            }
        }
    }
}

void
Fill(const StreamName& name, std::size_t count, float* out)
{
    ForEachNormal(
        name,
        count,
        [&](std::size_t i, const Doubles& normals) {
            const Half values = Narrowed(normals);
            __builtin_memcpy(out + i, &values, sizeof(values));
        },
        [&](std::size_t i, double normal) { out[i] = static_cast<float>(normal); });
}

void
Add(const StreamName& name, std::size_t count, float scale, float* values)
{
    ForEachNormal(
        name,
        count,
        [&](std::size_t i, const Doubles& normals) {
            Half sum;
            __builtin_memcpy(&sum, values + i, sizeof(sum));
            sum += scale * Narrowed(normals);
            __builtin_memcpy(values + i, &sum, sizeof(sum));
        },
        [&](std::size_t i, double normal) { values[i] += scale * static_cast<float>(normal); });
}

void
AddDoubles(const StreamName& name, std::size_t count, double scale, double* values)
{
    ForEachNormal(
        name,
        count,
        [&](std::size_t i, const Doubles& normals) {
            Doubles sum;
            __builtin_memcpy(&sum, values + i, sizeof(sum));
            sum = Fused(scale - Doubles{}, normals, sum);
            __builtin_memcpy(values + i, &sum, sizeof(sum));
        },
        [&](std::size_t i, double normal) { values[i] = Fused(scale, normal, values[i]); });
}

void
Step(const StreamName& name, std::size_t count, const NoisyStep& step, float* values)
{
    ForEachNormal(
        name,
        count,
        [&](std::size_t i, const Doubles& normals) {
            Doubles sum;
            Half value;
            __builtin_memcpy(&sum, step.sum + i, sizeof(sum));
            __builtin_memcpy(&value, values + i, sizeof(value));
            sum = Fused(step.deviation - Doubles{}, normals, sum);
            value += step.factor * Narrowed(sum);
            __builtin_memcpy(values + i, &value, sizeof(value));
        },
        [&](std::size_t i, double normal) {
            const double sum = Fused(step.deviation, normal, step.sum[i]);
            values[i] += step.factor * static_cast<float>(sum);
        });
}

void
CopyWords(const StreamName& name, std::uint64_t first, std::uint32_t* out)
{
    const StreamStart start =
        StartOf(name, static_cast<std::uint32_t>(first / BLOCKS_OF_HIGH_WORD));
    for (std::size_t block = 0; block < BLOCKS; block += LANES)
    {
        const BlockWords words = PhiloxWords(start, static_cast<std::uint32_t>(first + block));
        for (std::size_t lane = 0; lane < LANES; ++lane)
        {
            for (std::size_t word = 0; word < 4; ++word)
            {
                out[4 * (block + lane) + word] = words.word[word][lane];
            }
        }
    }
}
