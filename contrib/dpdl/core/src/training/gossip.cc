// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/gossip.h"

#include "dpdl/base/simd.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dpdl
{

namespace
{

/// Coordinates whose sum stays in the first cache while the terms are added to it.
constexpr std::size_t BLOCK = 2048;
/// Coordinates that MixingError looks at.
constexpr std::size_t PROBES = 16;

/// Up to four terms of a block, so that the sum is read and written once for all of them.
struct TermGroup
{
    std::array<const float*, 4> source;
    std::array<float, 4> coefficient;
};

DPDL_MULTIVERSION void
SetToZero(float* sum, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] = 0.0F;
    }
}

DPDL_MULTIVERSION void
AddOne(const TermGroup& group, float* __restrict sum, std::size_t size)
{
    const float* a = group.source[0];
    const float x = group.coefficient[0];
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] += x * a[i];
    }
}

DPDL_MULTIVERSION void
SetToTwo(const TermGroup& group, float* __restrict sum, std::size_t size)
{
    const float* a = group.source[0];
    const float* b = group.source[1];
    const float x = group.coefficient[0];
    const float y = group.coefficient[1];
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] = x * a[i] + y * b[i];
    }
}

DPDL_MULTIVERSION void
AddFour(const TermGroup& group, float* __restrict sum, std::size_t size)
{
    const auto& [a, b, c, d] = group.source;
    const float x = group.coefficient[0];
    const float y = group.coefficient[1];
    const float z = group.coefficient[2];
    const float w = group.coefficient[3];
    for (std::size_t i = 0; i < size; ++i)
    {
        sum[i] = (((sum[i] + x * a[i]) + y * b[i]) + z * c[i]) + w * d[i];
    }
}

/// Terms of the same coordinates.
struct TermRange
{
    const MixTerm* terms; ///< the first one
    std::size_t count;    ///< how many
};

/// Terms first..first+3, as far as there are any, at the coordinates from begin on.
TermGroup
Group(const TermRange& range, std::size_t first, std::size_t begin)
{
    TermGroup group{};
    for (std::size_t t = 0; t < group.source.size() && first + t < range.count; ++t)
    {
        group.source[t] = range.terms[first + t].source->Data() + begin;
        group.coefficient[t] = static_cast<float>(range.terms[first + t].coefficient);
    }
    return group;
}

void
MixBlock(const TermRange& range, std::size_t begin, float* sum, std::size_t size)
{
    std::size_t t = 0;
    if (range.count >= 2)
    {
        SetToTwo(Group(range, 0, begin), sum, size);
        t = 2;
    }
    else
    {
        SetToZero(sum, size);
    }
    for (; t + 4 <= range.count; t += 4)
    {
        AddFour(Group(range, t, begin), sum, size);
    }
    for (; t < range.count; ++t)
    {
        AddOne(Group(range, t, begin), sum, size);
    }
}

/// Mixes the coordinates begin..end-1.
void
MixRange(const TermRange& range, std::size_t begin, std::size_t end, float* out)
{
    for (; begin < end; begin += BLOCK)
    {
        MixBlock(range, begin, out + begin, std::min(BLOCK, end - begin));
    }
}

/// The terms from @p first on that are of the same coordinates.
TermRange
RangeFrom(const std::vector<MixTerm>& terms, std::size_t first)
{
    TermRange range{&terms[first], 0};
    while (first + range.count < terms.size() &&
           terms[first + range.count].begin == range.terms->begin)
    {
        ++range.count;
    }
    return range;
}

} // namespace

void
MixParameters(const std::vector<MixTerm>& terms, ParameterVector& out)
{
    if (terms.empty())
    {
        MixRange({nullptr, 0}, 0, out.Size(), out.Data());
    }
    for (std::size_t first = 0; first < terms.size();)
    {
        const TermRange range = RangeFrom(terms, first);
        MixRange(range, range.terms->begin, std::min(range.terms->end, out.Size()), out.Data());
        first += range.count;
    }
}

double
MixingError(const std::vector<MixTerm>& terms, const ParameterVector& out)
{
    const std::size_t probes = std::min(PROBES, out.Size());
    double largest = 0.0;
    double error = 0.0;
    for (std::size_t probe = 0; probe < probes && !terms.empty(); ++probe)
    {
        const std::size_t i = probe * out.Size() / probes;
        double sum = 0.0;
        for (const MixTerm& term : terms)
        {
            const bool counts = term.begin <= i && i < term.end;
            sum += counts ? term.coefficient * static_cast<double>(term.source->Data()[i]) : 0.0;
        }
        largest = std::max(largest, std::abs(sum));
        error = std::max(error, std::abs(sum - static_cast<double>(out.Data()[i])));
    }
    return largest > 0.0 ? error / largest : 0.0;
}

} // namespace dpdl
