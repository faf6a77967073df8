// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-device.h"

#include "dpdl/base/errors.h"

#include <ATen/Context.h>
#include <torch/cuda.h>

namespace dpdl
{

at::Device
CudaDevice(const ModelSpec& model)
{
    if (!torch::cuda::is_available())
    {
        throw UsageError("device",
                         "cuda",
                         "cpu for model '" + model.Name() +
                             "': LibTorch has no CUDA here, or finds no device");
    }
    // With TF32, convolutions round their factors to 10 bits.
    at::globalContext().setAllowTF32CuDNN(false);
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setDeterministicCuDNN(true);
    return {at::kCUDA, 0};
}

void
ThrowExplained(const c10::Error& error)
{
    const std::string text = error.what_without_backtrace();
    throw Error("device: " + text.substr(0, text.find('\n')) +
                "; a smaller batchSize or model takes less memory, --device=cpu none of it");
}

} // namespace dpdl
