// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "normal-kernels.h"

#ifdef DPDL_SIMD_LEVELS
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")

namespace dpdl::avx512
{

namespace
{

#include "dpdl/base/avx512-registers-body.h"

DPDL_INLINE Longs
Product(const Longs& a, std::uint32_t b)
{
    return (Longs)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)(Longs{} + b));
}

DPDL_INLINE Longs
HighHalves(const Longs& a)
{
    return (Longs)_mm512_maskz_shuffle_epi32(0xffff, (__m512i)a, _MM_PERM_DDBB);
}

DPDL_INLINE Vector
Root(const Vector& x)
{
    return (Vector)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return (Half)_mm512_maskz_cvtpd_ps(0xff, (__m512d)x);
}

DPDL_INLINE Words
Mantissa(const Vector& x)
{
    return (
        Words)_mm512_maskz_getmant_ps(0xffff, (__m512)x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
}

/// Selects in each lane the table entry whose index is in bits 19 to 22 of @p m.
/// @param m bits of a mantissa in each lane
/// @param table [16] entries
DPDL_INLINE Vector
FromTable(const Words& m, const float* table)
{
    return (Vector)_mm512_maskz_permutexvar_ps(0xffff, (__m512i)(m >> 19), _mm512_loadu_ps(table));
}

#include "normal-kernels-body.h"
// log-table-body.h needs the types and functions of normal-kernels-body.h.
#include "log-table-body.h"
} // namespace

const NormalKernels NORMAL_KERNELS{Fill, Add, AddDoubles, Step, CopyWords};

} // namespace dpdl::avx512

#pragma GCC pop_options
#endif
