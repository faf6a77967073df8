// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Vector types and basic operations for AVX2. Include this file inside the namespace of the SIMD
// level. It has no include guard, so several levels can include it.

constexpr std::size_t LANES = 8;

#include "dpdl/base/register-types-body.h"

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return (Doubles)_mm256_cvtps_pd((__m128)x);
}

/// a * b + c in each lane, rounded once.
DPDL_INLINE Vector
Fused(const Vector& a, const Vector& b, const Vector& c)
{
    return (Vector)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

DPDL_INLINE Doubles
Fused(const Doubles& a, const Doubles& b, const Doubles& c)
{
    return (Doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}

DPDL_INLINE double
Fused(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
