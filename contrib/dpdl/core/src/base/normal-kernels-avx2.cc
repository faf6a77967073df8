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

constexpr std::size_t LANES = 8;

#include "dpdl/base/register-types-body.h"

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

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return (Doubles)_mm256_cvtps_pd((__m128)x);
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return (Half)_mm256_cvtpd_ps((__m256d)x);
}

#include "log-polynomial-body.h"
#include "normal-kernels-body.h"
} // namespace

const NormalKernels NORMAL_KERNELS{Fill, Add, AddDoubles, Step, CopyWords};

} // namespace dpdl::avx2

#pragma GCC pop_options
#endif
