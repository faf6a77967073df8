// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_DEVICE_H
#define DPDL_TRAINING_TORCH_DEVICE_H

#include "dpdl/training/model.h"

#include <c10/core/Device.h>
#include <c10/util/Exception.h>

namespace dpdl
{

/**
 * @brief Returns the first CUDA device, and sets LibTorch to plain float32 without TF32, with
 *        deterministic convolutions.
 * @param model for the message
 * @throws UsageError if LibTorch was built without CUDA, or finds no device
 */
at::Device CudaDevice(const ModelSpec& model);

/// Rethrows an error of LibTorch as one line that says what to change.
[[noreturn]] void ThrowExplained(const c10::Error& error);

/// Calls @p work; converts LibTorch errors on a device to one line.
template <typename Work>
auto
ExplainDevice(const at::Device& device, const Work& work)
{
    try
    {
        return work();
    }
    catch (const c10::Error& error)
    {
        if (device.is_cpu())
        {
            throw;
        }
        ThrowExplained(error);
    }
}

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_DEVICE_H
