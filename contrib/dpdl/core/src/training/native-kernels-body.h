// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// The native engine's loops, included once for each SIMD level, inside of a namespace of the level,
// behind its registers. SUMS says how many registers there are for sums. No include guard.

DPDL_INLINE void
LoadVector(const float* from, Vector& to)
{
    __builtin_memcpy(&to, from, sizeof(to));
}

/// Keeps a value in a register, from which the compiler would otherwise load it for each use.
DPDL_INLINE void
InRegister(Vector& value)
{
#if defined(__x86_64__)
    __asm__("" : "+v"(value));
#else
    static_cast<void>(value);
#endif
}

/// A number below LANES, of which GCC would believe otherwise where it knows more of it.
DPDL_INLINE std::size_t
Hidden(std::size_t count)
{
    __asm__("" : "+r"(count));
    return count;
}

/// Reads or writes some values only. @param count at most LANES
DPDL_INLINE void
LoadVector(const float* from, std::size_t count, Vector& to)
{
    if (count >= LANES)
    {
        LoadVector(from, to);
        return;
    }
    // By way of memory: a register whose lanes are counted would always live there.
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
// The next ones are behind those before them.
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
