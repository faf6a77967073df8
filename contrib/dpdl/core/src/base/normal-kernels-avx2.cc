// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "normal-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")

namespace dpdl::avx2
{

namespace
{

#include "dpdl/base/avx2-registers-body.h"

DPDL_INLINE Longs
Product(const Longs& a, std::uint32_t b)
{
    return (Longs)_mm256_mul_epu32((__m256i)a, (__m256i)(Longs{} + b));
}

DPDL_INLINE Longs
HighHalves(const Longs& a)
{
    return (Longs)_mm256_shuffle_epi32((__m256i)a, 0xf5);
}

DPDL_INLINE Vector
Root(const Vector& x)
{
    return (Vector)_mm256_sqrt_ps((__m256)x);
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return (Half)_mm256_cvtpd_ps((__m256d)x);
}

DPDL_INLINE Words
Mantissa(const Vector& x)
{
    return (Words)x - ((Words)((Integers)x - 0x3f400000) & 0xff800000U);
}

/// Selects in each lane the table entry whose index is in bits 19 to 22 of @p m.
/// @param m bits of a mantissa in each lane
/// @param table [16] entries
DPDL_INLINE Vector
FromTable(const Words& m, const float* table)
{
    const auto place = (__m256i)(m >> 19);
    return (Vector)_mm256_blendv_ps(_mm256_permutevar8x32_ps(_mm256_loadu_ps(table), place),
                                    _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), place),
                                    (__m256)(m << 9));
}

#include "normal-kernels-body.h"
// log-table-body.h needs the types and functions of normal-kernels-body.h.
#include "log-table-body.h"
} // namespace

const NormalKernels NORMAL_KERNELS{Fill, Add, AddDoubles, Step, CopyWords};

} // namespace dpdl::avx2

#pragma GCC pop_options
#endif
