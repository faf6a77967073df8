// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mix-kernel.h"

#include "dpdl/base/simd.h"

#include <algorithm>
#include <cstring>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace dpdl
{

namespace
{

/// Floats that are added at once; the compiler maps them to the registers of the machine.
using Lanes = float __attribute__((vector_size(64)));
constexpr std::size_t LANES = sizeof(Lanes) / sizeof(float);
/// Lanes whose sums stay in registers while the summands are added to them.
constexpr std::size_t SUMS = 4;
constexpr std::size_t TILE = SUMS * LANES;
/// Summands of one pass: the number of streams that the processor prefetches.
constexpr std::size_t GROUP = 16;

/// Some of the summands. Unless they are the first ones, the output holds the sum of the earlier
/// ones.
struct SummandGroup
{
    const Summand* summands;
    std::size_t count;
    bool isFirst;
};

inline void
Stream(const float* values, float* out)
{
#ifdef __SSE__
    for (std::size_t i = 0; i < TILE; i += 4)
    {
        _mm_stream_ps(out + i, _mm_load_ps(values + i));
    }
#else
    std::memcpy(out, values, TILE * sizeof(float));
#endif
}

/// Sums whole tiles. @return column behind the last one
DPDL_MULTIVERSION std::size_t
SumTiles(const SummandGroup& group, const Columns& columns, float* out, bool isStreamed)
{
    std::size_t i = columns.begin;
    for (; i + TILE <= columns.end; i += TILE)
    {
        alignas(64) float tile[TILE];
        Lanes sums[SUMS];
        Lanes values;
        for (std::size_t s = 0; s < SUMS; ++s)
        {
            const float* first = group.isFirst ? group.summands->values : out;
            std::memcpy(&values, first + i + s * LANES, sizeof(Lanes));
            sums[s] = group.isFirst ? group.summands->coefficient * values : values;
        }
        for (std::size_t t = group.isFirst ? 1 : 0; t < group.count; ++t)
        {
            for (std::size_t s = 0; s < SUMS; ++s)
            {
                std::memcpy(&values, group.summands[t].values + i + s * LANES, sizeof(Lanes));
                sums[s] += group.summands[t].coefficient * values;
            }
        }
        std::memcpy(isStreamed ? tile : out + i, sums, sizeof(tile));
        if (isStreamed)
        {
            Stream(tile, out + i);
        }
    }
    return i;
}

DPDL_MULTIVERSION void
SumRest(const SummandGroup& group, const Columns& columns, float* out)
{
    for (std::size_t i = columns.begin; i < columns.end; ++i)
    {
        float sum =
            group.isFirst ? group.summands->coefficient * group.summands->values[i] : out[i];
        for (std::size_t t = group.isFirst ? 1 : 0; t < group.count; ++t)
        {
            sum += group.summands[t].coefficient * group.summands[t].values[i];
        }
        out[i] = sum;
    }
}

} // namespace

void
SumColumns(const Summand* summands,
           std::size_t count,
           const Columns& columns,
           float* out,
           SumStore store)
{
    if (count == 0)
    {
        std::fill(out + columns.begin, out + columns.end, 0.0F);
    }
    // Streamed stores need 16-byte alignment; sums that later groups read stay in the cache.
    const bool isStreamed = store == SumStore::STREAMED && count <= GROUP && columns.begin % 4 == 0;
    for (std::size_t first = 0; first < count; first += GROUP)
    {
        const SummandGroup group{summands + first, std::min(GROUP, count - first), first == 0};
        const std::size_t rest = SumTiles(group, columns, out, isStreamed);
        SumRest(group, {rest, columns.end}, out);
    }
}

void
FinishStreaming()
{
#ifdef __SSE__
    _mm_sfence();
#endif
}

} // namespace dpdl
