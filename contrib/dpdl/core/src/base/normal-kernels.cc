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

constexpr std::size_t LANES = 4;

#include "dpdl/base/register-types-body.h"

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

DPDL_INLINE Doubles
Widened(const Half& x)
{
    return __builtin_convertvector(x, Doubles);
}

DPDL_INLINE Half
Narrowed(const Doubles& x)
{
    return __builtin_convertvector(x, Half);
}

#include "log-polynomial-body.h"
#include "normal-kernels-body.h"
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
