// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mix-kernel.h"

#include "dpdl/base/simd.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

// The kernel that mixes one vector from its terms, and the measurement of its rounding errors.

namespace dpdl
{

namespace
{

/// Number of coordinates that are summed at once. The sums (8 KiB) stay in the L1 cache.
constexpr std::size_t BLOCK = 2048;

/// Vector of 16 floats; the compiler maps it to the SIMD registers of the processor.
using Lanes = float __attribute__((vector_size(64)));
constexpr std::size_t LANES = sizeof(Lanes) / sizeof(float);
/// Number of vectors of type `Lanes` whose sums stay in registers while summands are added.
constexpr std::size_t SUMS = 4;
constexpr std::size_t TILE = SUMS * LANES;
/// Largest number of summands that one pass adds: about the number of memory streams that a
/// processor prefetches.
constexpr std::size_t GROUP = 16;

/// A group of up to GROUP summands. Except for the first group, the output already holds the sum of
/// the earlier groups.
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

/// Sums a group in tiles of TILE columns. The columns after the last whole tile are left to
/// SumRest().
/// @return index of the first column that is in no whole tile
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
    // A streamed store writes four floats to an address that must be a multiple of 16 bytes; `out`
    // is aligned, so columns.begin must be a multiple of 4. With several groups, each group reads
    // the sums of the previous group, so these sums are not streamed past the cache.
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

void
MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out)
{
    thread_local std::vector<Summand> summands;
    std::size_t first = 0;
    do
    {
        summands.clear();
        const std::size_t last = AppendSummands(terms, first, summands);
        Columns columns{0, out.Size()};
        if (!terms.empty())
        {
            columns = {terms[first].begin, std::min(terms[first].end, out.Size())};
        }
        for (; columns.begin < columns.end; columns.begin += BLOCK)
        {
            SumColumns(summands.data(),
                       summands.size(),
                       {columns.begin, std::min(columns.begin + BLOCK, columns.end)},
                       out.Data(),
                       SumStore::CACHED);
        }
        first = last;
    } while (first < terms.size());
}

void
AddMomentum(std::vector<MixTerm>& terms, const ParameterHandle& last, double gamma)
{
    for (MixTerm& term : terms)
    {
        term.coefficient *= gamma;
    }
    terms.push_back({last, 1.0 - gamma, terms.front().begin, terms.front().end});
}

void
MixExactly(const std::vector<MixTerm>& terms, ParameterVector& out)
{
    std::vector<double> sums(out.Size(), 0.0);
    for (const MixTerm& term : terms)
    {
        const float* const values = std::as_const(*term.source).Data();
        for (std::size_t i = term.begin; i < std::min(term.end, sums.size()); ++i)
        {
            sums[i] += term.coefficient * values[i];
        }
    }
    RoundToFloat(sums.data(), out.Data(), sums.size());
}

std::size_t
AppendSummands(const std::vector<MixTerm>& terms, std::size_t first, std::vector<Summand>& summands)
{
    std::size_t next = first;
    for (; next < terms.size() && terms[next].begin == terms[first].begin; ++next)
    {
        summands.push_back(
            {terms[next].source->Data(), static_cast<float>(terms[next].coefficient)});
    }
    return next;
}

MixProbe
ProbeMix(const std::vector<MixTerm>& terms, const ParameterVector& out, std::size_t coordinate)
{
    double sum = 0.0;
    for (const MixTerm& term : terms)
    {
        const bool counts = term.begin <= coordinate && coordinate < term.end;
        sum +=
            counts ? term.coefficient * static_cast<double>(term.source->Data()[coordinate]) : 0.0;
    }
    return {std::abs(sum), std::abs(sum - static_cast<double>(out.Data()[coordinate]))};
}

void
MixProbe::Add(const MixProbe& other)
{
    magnitude = std::max(magnitude, other.magnitude);
    error = std::max(error, other.error);
}

double
MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out)
{
    MixProbe largest;
    for (std::size_t probe = 0; probe < MixProbe::COUNT && !terms.empty(); ++probe)
    {
        largest.Add(ProbeMix(terms, out, MixProbe::Coordinate(probe, out.Size())));
    }
    return largest.Relative();
}

} // namespace dpdl
