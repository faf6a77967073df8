// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_NORMAL_KERNELS_H
#define DPDL_BASE_NORMAL_KERNELS_H

#include "dpdl/base/random.h"
#include "dpdl/base/simd.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

// Multipliers and key increments of Philox4x32-10 (Salmon et al., SC 2011).
constexpr std::uint32_t MULTIPLIER_0 = 0xD2511F53U;
constexpr std::uint32_t MULTIPLIER_1 = 0xCD9E8D57U;
constexpr std::uint32_t WEYL_0 = 0x9E3779B9U;
constexpr std::uint32_t WEYL_1 = 0xBB67AE85U;
constexpr int PHILOX_ROUNDS = 10;

/// Kernels for random words and normals of a stream at one SIMD level. All levels give equal words.
/// Normals of two levels differ by float32 rounding if a level's multiply-add, Fused(), rounds
/// twice.
struct NormalKernels
{
    /// out[i] = standard normal number i of the stream, for i below count.
    void (*fill)(const StreamName& name, std::size_t count, float* out);

    /// values[i] += scale * standard normal number i of the stream, for i below count.
    void (*add)(const StreamName& name, std::size_t count, float scale, float* values);

    /// values[i] += scale * normal number i in double precision, for i below count.
    void (*addDoubles)(const StreamName& name, std::size_t count, double scale, double* values);

    /// values[i] += step.factor * float(step.sum[i] + step.deviation * normal number i), for i
    /// below count.
    void (*step)(const StreamName& name, std::size_t count, const NoisyStep& step, float* values);

    /// Writes the 64 words of Philox blocks first to first + 15, four per block.
    /// @param first index of a block, a multiple of 16
    /// @param[out] out [64]
    void (*words)(const StreamName& name, std::uint64_t first, std::uint32_t* out);
};

/// Kernels of a SIMD level.
/// @param level a level that the processor supports
const NormalKernels& NormalKernelsOf(SimdLevel level);

namespace avx512
{
extern const NormalKernels NORMAL_KERNELS;
} // namespace avx512

namespace avx2
{
extern const NormalKernels NORMAL_KERNELS;
} // namespace avx2

namespace portable
{
extern const NormalKernels NORMAL_KERNELS;
} // namespace portable

} // namespace dpdl

#endif // DPDL_BASE_NORMAL_KERNELS_H
