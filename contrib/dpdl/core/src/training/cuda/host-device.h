// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_HOST_DEVICE_H
#define DPDL_TRAINING_CUDA_HOST_DEVICE_H

/// Marks a function that runs on the host and, where nvcc compiles it, also on a device.
#ifdef __CUDACC__
#define DPDL_HOST_DEVICE __host__ __device__
#else
#define DPDL_HOST_DEVICE
#endif

#include <cstddef>
#include <cstdint>

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

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_HOST_DEVICE_H
