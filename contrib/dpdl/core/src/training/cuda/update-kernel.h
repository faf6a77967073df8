// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_UPDATE_KERNEL_H
#define DPDL_TRAINING_CUDA_UPDATE_KERNEL_H

#include "device-normal.h"

#include <cstddef>
#include <string>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
typedef struct CUstream_st* cudaStream_t;
#endif

namespace dpdl
{
namespace cuda
{

/// The numbers of one private step.
struct UpdateRule
{
    float stepSize{0.0F}; ///< learning rate
    float noise{0.0F};    ///< standard deviation added to each element of the sum
    float divisor{1.0F};  ///< what the noisy sum is divided by (a batch size), not 0
    StreamName stream{};  ///< whose normals are drawn
};

/// Why no CUDA device can be used, in one line; empty if one can.
std::string WhyNoDevice();

/**
 * @brief z[i] -= stepSize * (sum[i] + noise * N[i]) / divisor, in one pass over device memory.
 *
 * N are the normals of the dpdl::RandomStream that rule.stream names, to 1e-6: the words are the
 * same, the rounding of the floats may differ.
 *
 * @param[in,out] z device memory, length @p count
 * @param sum device memory, length @p count
 * @param count number of parameters
 * @param rule step size, noise and the stream of the noise
 * @param stream CUDA stream to launch on; the call does not wait
 * @return empty, or the launch's error in one line
 */
std::string LaunchUpdate(float* z,
                         const float* sum,
                         std::size_t count,
                         const UpdateRule& rule,
                         cudaStream_t stream);

/**
 * @brief LaunchUpdate for vectors in host memory: copies in, updates, copies out, waits.
 * @param[in,out] z host memory, length @p count; untouched on an error
 * @param sum host memory, length @p count
 * @param count number of parameters
 * @param rule step size, noise and the stream of the noise
 * @return empty, or the error in one line
 */
std::string UpdateHostVector(float* z, const float* sum, std::size_t count, const UpdateRule& rule);

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_UPDATE_KERNEL_H
