// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Vector types and basic operations for any processor. Include this file inside the namespace of
// the SIMD level. It has no include guard, so several levels can include it.

constexpr std::size_t LANES = 4;

#include "dpdl/base/register-types-body.h"

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return __builtin_convertvector(x, Doubles);
}

#if defined(__FMA__) || defined(__aarch64__)
/// a * b + c, rounded once, so the result is bit-identical to that of AVX2 and AVX-512.
DPDL_INLINE double
Fused(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

template <typename T>
DPDL_INLINE T
Fused(const T& a, const T& b, const T& c)
{
    T fused = c;
    // GCC compiles this loop to a single instruction for all lanes.
#pragma GCC unroll 4
    for (std::size_t i = 0; i < sizeof(T) / sizeof(a[0]); ++i)
    {
        fused[i] = sizeof(a[0]) == sizeof(float) ? __builtin_fmaf(a[i], b[i], c[i])
                                                 : __builtin_fma(a[i], b[i], c[i]);
    }
    return fused;
}
#else
/// a * b + c, rounded twice, because some processors have no fused multiply-add.
template <typename T>
DPDL_INLINE T
Fused(const T& a, const T& b, const T& c)
{
    return a * b + c;
}
#endif
