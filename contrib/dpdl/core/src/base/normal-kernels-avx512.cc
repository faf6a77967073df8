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

constexpr std::size_t LANES = 16;

#include "dpdl/base/register-types-body.h"

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

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return (Doubles)_mm512_maskz_cvtps_pd(0xff, (__m256)x);
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return (Half)_mm512_maskz_cvtpd_ps(0xff, (__m512d)x);
}

/**
 * -2 ln(x) for x in (0, 1]: with m the mantissa in [0.75, 1.5) and 1 / c a number near it from a
 * table of 16, ln(x) = e ln 2 + ln(1 / c) + ln(1 + r), r = m c - 1, |r| < 1/16. Around 1 the table
 * says 1, so that the relative error stays below 3e-7.
 */
DPDL_INLINE Vector
MinusTwiceLog(const Vector& x)
{
    const Vector reciprocal{1.0F,
                            0.914285719F,
                            0.864864886F,
                            0.820512831F,
                            0.780487776F,
                            0.744186044F,
                            0.711111128F,
                            0.680851042F,
                            1.30612242F,
                            1.25490201F,
                            1.20754719F,
                            1.16363633F,
                            1.12280703F,
                            1.08474576F,
                            1.04918027F,
                            1.0F};
    const Vector twiceLog{0.0F,
                          -0.179224306F,
                          -0.290363971F,
                          -0.395651461F,
                          -0.495672402F,
                          -0.590928433F,
                          -0.681853126F,
                          -0.768823461F,
                          0.53412553F,
                          0.454114972F,
                          0.377182369F,
                          0.303099733F,
                          0.231663646F,
                          0.162691283F,
                          0.0960183266F,
                          0.0F};
    const auto m = (Vector)
        _mm512_maskz_getmant_ps(0xffff, (__m512)x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
    // What the bits of x and m differ by is the exponent, 2^23 times.
    const Vector e = __builtin_convertvector((Integers)x - (Integers)m, Vector);
    const auto place = (__m512i)((Words)m >> 19);
    const Vector r =
        m * (Vector)_mm512_maskz_permutexvar_ps(0xffff, place, (__m512)reciprocal) - 1.0F;
    Vector p = -0.4F * r + 0.5F;
    p = p * r - 0.66666667F;
    p = p * r + 1.0F;
    p = p * r - 2.0F;
    const Vector rest =
        p * r + (Vector)_mm512_maskz_permutexvar_ps(0xffff, place, (__m512)twiceLog);
    return rest - 1.65259172e-7F * e;
}

#include "normal-kernels-body.h"
} // namespace

const NormalKernels NORMAL_KERNELS{Fill, Add, AddDoubles, Step, CopyWords};

} // namespace dpdl::avx512

#pragma GCC pop_options
#endif
