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
    const Words place = (m >> 19) & 15U;
    return Vector{table[place[0]], table[place[1]], table[place[2]], table[place[3]]};
}

#include "normal-kernels-body.h"
// log-table-body.h needs the types and functions of normal-kernels-body.h.
#include "log-table-body.h"
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
