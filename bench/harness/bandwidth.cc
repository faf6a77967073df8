// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "bandwidth.h"

#include "dpdl/base/simd.h"

#include <cstring>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace dpdl
{

namespace
{

DPDL_MULTIVERSION void
AddMultiple(const float* __restrict from, float* __restrict to, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        to[i] += 1e-6F * from[i];
    }
}

} // namespace

BandwidthWork::BandwidthWork(std::size_t bytes)
    : m_from(bytes / 2 / sizeof(float), 1.0F),
      m_to(m_from.size(), 0.0F)
{
}

void
BandwidthWork::Copy()
{
    std::memcpy(m_to.data(), m_from.data(), m_from.size() * sizeof(float));
    // The compiler must assume that the copy is read.
    asm volatile("" : : "r"(m_to.data()) : "memory");
}

void
BandwidthWork::StreamCopy()
{
#if defined(__SSE__)
    constexpr std::size_t width = 4;
    // Vectors begin on 16 bytes at least, as all memory of new does.
    for (std::size_t i = 0; i + width <= m_from.size(); i += width)
    {
        _mm_stream_ps(m_to.data() + i, _mm_load_ps(m_from.data() + i));
    }
    _mm_sfence();
#else
    Copy();
#endif
}

void
BandwidthWork::AddScaled()
{
    AddMultiple(m_from.data(), m_to.data(), m_from.size());
}

double
BandwidthWork::CopyBytes() const
{
    return 2.0 * sizeof(float) * static_cast<double>(m_from.size());
}

double
BandwidthWork::AddScaledBytes() const
{
    return 3.0 * sizeof(float) * static_cast<double>(m_from.size());
}

} // namespace dpdl
