// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "normal-kernels.h"

#include <cmath>

namespace dpdl
{

namespace portable
{

namespace
{

#include "dpdl/base/portable-registers-body.h"

DPDL_INLINE Longs
Product(const Longs& a, std::uint32_t b)
{
    return (a & 0xffffffffU) * (Longs{} + b);
}

DPDL_INLINE Longs
HighHalves(const Longs& a)
{
    return a >> 32;
}

DPDL_INLINE Vector
Root(const Vector& x)
{
    return Vector{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return __builtin_convertvector(x, Half);
}

#include "normal-kernels-body.h"

/// -2 ln(x) for x in (0, 1], relative error below 2e-7 (Cephes' logf, scaled).
DPDL_INLINE Vector
MinusTwiceLog(const Vector& x)
{
    // A mantissa in [0.75, 1.5) keeps the polynomial's argument small on both sides of 1.
    const Integers exponent = ((Integers)x - 0x3f400000) >> 23;
    const Vector f = (Vector)((Integers)x - (exponent << 23)) - 1.0F;
    const Vector z = f * f;
    Vector p = Horner(Vector{} + 7.0376836292e-2F, f, -1.1514610310e-1F);
    p = Horner(p, f, 1.1676998740e-1F);
    p = Horner(p, f, -1.2420140846e-1F);
    p = Horner(p, f, 1.4249322787e-1F);
    p = Horner(p, f, -1.6668057665e-1F);
    p = Horner(p, f, 2.0000714765e-1F);
    p = Horner(p, f, -2.4999993993e-1F);
    p = Horner(p, f, 3.3333331174e-1F);
    const Vector e = __builtin_convertvector(exponent, Vector);
    return (-2.0F * f) + (z - 2.0F * (p * f * z)) - 1.3862944F * e;
}
} // namespace

const NormalKernels NORMAL_KERNELS{Fill, Add, AddDoubles, Step, CopyWords};

} // namespace portable

const NormalKernels&
NormalKernelsOf(SimdLevel level)
{
#ifdef DPDL_SIMD_LEVELS
    return OfLevel(level, portable::NORMAL_KERNELS, avx2::NORMAL_KERNELS, avx512::NORMAL_KERNELS);
#else
    static_cast<void>(level);
    return portable::NORMAL_KERNELS;
#endif
}

} // namespace dpdl
