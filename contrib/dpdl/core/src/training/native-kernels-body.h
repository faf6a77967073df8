// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Inner loops of the native engine. The source file of each SIMD level includes this file once,
// inside its namespace, so there is no include guard. Before the #include, that source file must
// include the vector types of its level (Vector, Doubles, Half, Integers, with LANES and HALF
// elements) and define SUMS, the number of SIMD registers for sums.

DPDL_INLINE void
LoadVector(const float* from, Vector& to)
{
    __builtin_memcpy(&to, from, sizeof(to));
}

/// Keeps a value in a SIMD register. Without this, the compiler reloads the value for each use.
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

/// Returns its argument unchanged, and hides from GCC that the value is below LANES. From this
/// range, GCC would draw wrong conclusions.
DPDL_INLINE std::size_t
Hidden(std::size_t count)
{
    __asm__("" : "+r"(count));
    return count;
}

/// Loads or stores only the first @p count values. A load fills the other lanes with zeros.
/// @param count number of values; LANES or more: all lanes
DPDL_INLINE void
LoadVector(const float* from, std::size_t count, Vector& to)
{
    if (count >= LANES)
    {
        LoadVector(from, to);
        return;
    }
    // Copies through an array, because indexing the lanes of a vector would keep the vector in
    // memory.
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

/// Loads half as many floats as a register holds, and converts them to doubles.
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
// The order of these files matters: a later file calls functions of earlier files.
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
