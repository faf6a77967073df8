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
 * @brief The first CUDA device. From here on LibTorch computes there in float32, without the
 *        shorter formats of tensor cores, and takes convolutions that give the same bits again.
 * @param model for the message
 * @throws UsageError if LibTorch was built without CUDA, or finds no device
 */
at::Device CudaDevice(const ModelSpec& model);

/// Throws an error of LibTorch again, as one line that says what to change.
[[noreturn]] void ThrowExplained(const c10::Error& error);

/// Calls @p work. What LibTorch throws on a device becomes one line.
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
