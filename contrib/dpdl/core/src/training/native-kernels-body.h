// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Loops of the native engine. Each SIMD level includes this file once, in its namespace, after its
// vector types. SUMS is the number of registers for sums. No include guard.

DPDL_INLINE void
LoadVector(const float* from, Vector& to)
{
    __builtin_memcpy(&to, from, sizeof(to));
}

/// Forces a value into a register; otherwise the compiler reloads it for each use.
DPDL_INLINE void
InRegister(Vector& value)
{
#if defined(__x86_64__)
    __asm__("" : "+v"(value));
#elif defined(__aarch64__)
    __asm__("" : "+w"(value));
#else
    static_cast<void>(value);
#endif
}

/// Hides the range of a number below LANES from GCC, which would draw wrong conclusions from it.
DPDL_INLINE std::size_t
Hidden(std::size_t count)
{
    __asm__("" : "+r"(count));
    return count;
}

/// Reads or writes the first values only. @param count at most LANES
DPDL_INLINE void
LoadVector(const float* from, std::size_t count, Vector& to)
{
    if (count >= LANES)
    {
        LoadVector(from, to);
        return;
    }
    // Uses a buffer: a register with indexed lanes would be kept in memory.
    float lanes[LANES] = {};
    const std::size_t few = Hidden(count);
    for (std::size_t i = 0; i < few; ++i)
    {
        lanes[i] = from[i];
    }
    LoadVector(lanes, to);
}

DPDL_INLINE void
StoreVector(const Vector& from, std::size_t count, float* to)
{
    if (count >= LANES)
    {
        __builtin_memcpy(to, &from, sizeof(from));
        return;
    }
    float lanes[LANES];
    __builtin_memcpy(lanes, &from, sizeof(from));
    const std::size_t few = Hidden(count);
    for (std::size_t i = 0; i < few; ++i)
    {
        to[i] = lanes[i];
    }
}

/// Half a register of floats as doubles.
DPDL_INLINE void
LoadDoubles(const float* from, Doubles& to)
{
    Half half;
    __builtin_memcpy(&half, from, sizeof(half));
    to = Widened(half);
}

#include "conv-kernels-body.h"
#include "logit-kernels-body.h"
#include "pool-kernels-body.h"
#include "weight-gradient-kernels-body.h"
// Later files use functions of earlier ones.
#include "product-kernels-body.h"
#include "sum-kernels-body.h"
#include "transform-kernels-body.h"

constexpr NativeKernels KERNELS{Correlate,
                                WeightGradient,
                                ApplyTransform,
                                Score,
                                AddProducts,
                                AddScaledRows,
                                SquaredNorm,
                                Pool,
                                PoolGradient};
