// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_CHECK_CUDA_H
#define DPDL_TRAINING_CUDA_CHECK_CUDA_H

#include "device-executor.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace dpdl
{
namespace cuda
{

/// Throws a DeviceError unless the call succeeded.
inline void
Check(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        throw DeviceError(std::string("CUDA: ") + cudaGetErrorString(error),
                          error == cudaErrorMemoryAllocation);
    }
}

/// Throws a DeviceError unless the call succeeded.
inline void
Check(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
    {
        throw DeviceError(std::string("cuBLAS: ") + cublasGetStatusString(status),
                          status == CUBLAS_STATUS_ALLOC_FAILED);
    }
}

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_CHECK_CUDA_H
