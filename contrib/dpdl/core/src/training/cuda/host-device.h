// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_HOST_DEVICE_H
#define DPDL_TRAINING_CUDA_HOST_DEVICE_H

#include <cfloat>
#include <cstddef>
#include <cstdint>

/// Marks a function that runs on the host and, where nvcc compiles it, also on a device.
#ifdef __CUDACC__
#define DPDL_HOST_DEVICE __host__ __device__
#else
#define DPDL_HOST_DEVICE
#endif

namespace dpdl
{

namespace cuda
{

/// index / divisor, both below 2^32: a 64-bit division is several times slower on a device.
DPDL_HOST_DEVICE inline std::uint32_t
Quotient(std::size_t index, std::size_t divisor)
{
    return static_cast<std::uint32_t>(index) / static_cast<std::uint32_t>(divisor);
}

/// Relative margin of the clip bound for float32 rounding.
constexpr double CLIP_RESERVE = 1e-6;

/// The rule of dpdl::ClipFactor().
DPDL_HOST_DEVICE inline double
ClipFactorOf(double norm, double clip)
{
    if (clip > DBL_MAX)
    {
        return 1.0;
    }
    if (!(norm <= DBL_MAX))
    {
        return 0.0;
    }
    const double bound = clip * (1.0 - CLIP_RESERVE);
    const double factor = norm > bound ? bound / norm : 1.0;
    // Below FLT_MIN, rounding to float32 could enlarge the factor by more than CLIP_RESERVE.
    return factor < FLT_MIN ? 0.0 : factor;
}

} // namespace cuda

} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_HOST_DEVICE_H
