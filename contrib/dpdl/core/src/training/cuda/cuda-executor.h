// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_CUDA_EXECUTOR_H
#define DPDL_TRAINING_CUDA_CUDA_EXECUTOR_H

#include "device-executor.h"

namespace dpdl
{
namespace cuda
{

/// Reason why no CUDA device can be used, in one line; empty if a device can be used.
std::string WhyNoDevice();

/**
 * @brief The executor of the first CUDA device: cuBLAS in float32, one stream, CUDA graphs.
 * @throws DeviceError if there is no device, or it cannot be used
 */
std::unique_ptr<DeviceExecutor> MakeCudaExecutor();

/// Entry points of the library dpdl-core-cuda. WhyNoDevice() and MakeCudaExecutor() load the
/// library and call them.
struct CudaLibrary
{
    /// Reason why no CUDA device can be used, in one line; empty if a device can be used.
    std::string (*whyNoDevice)();
    /// Makes the executor of the first CUDA device. Throws DeviceError if no device can be used.
    std::unique_ptr<DeviceExecutor> (*makeExecutor)();
};

} // namespace cuda
} // namespace dpdl

/// Entry point of the library dpdl-core-cuda, which LoadPart() finds by name.
extern "C" const dpdl::cuda::CudaLibrary* DpdlCudaLibrary();

#endif // DPDL_TRAINING_CUDA_CUDA_EXECUTOR_H
