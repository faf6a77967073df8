// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_BATCH_H
#define DPDL_TRAINING_TORCH_BATCH_H

#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/model.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/util/Exception.h>
#include <vector>

namespace dpdl
{

/// Images and labels of a batch as tensors.
struct TorchBatch
{
    at::Tensor images; ///< [size, channels, height, width]; images of bytes are scaled to [0, 1]
    at::Tensor labels; ///< [size] in double precision: labels, flipped if the batch is
};

/// Copies the examples of a batch: images to a device, labels to the host.
/// @param shape size of one image
TorchBatch MakeTorchBatch(const Batch& batch, const ImageShape& shape, const at::Device& device);

/// Sum of the examples' objectives. @param logits [size, classes] @param labels [size]
at::Tensor LossSum(const ModelSpec& model, const at::Tensor& logits, const at::Tensor& labels);

/// Objective and number of correct answers. @param logits [size, classes] @param labels [size]
Evaluation EvaluateLogits(const ModelSpec& model,
                          const at::Tensor& logits,
                          const at::Tensor& labels);

/// Views of the flat parameter vector as tensors, read-only and without gradients.
std::vector<at::Tensor> ViewParameters(const ModelSpec& model, const float* parameters);

/// Copies of the parameters as tensors, without gradients.
std::vector<at::Tensor> CopyParameters(const ModelSpec& model, const float* parameters);

/// Limits LibTorch to one thread per worker, and makes the process keep freed memory for the next
/// pass.
void PrepareTorchThread();

/**
 * @brief Returns the first CUDA device, and sets LibTorch to float32 without TF32 and to
 *        deterministic convolutions.
 * @param model its name is in the error message
 * @throws UsageError if LibTorch was built without CUDA, or finds no device
 */
at::Device CudaDevice(const ModelSpec& model);

/// Throws the error of a device as one line, with advice.
[[noreturn]] void ThrowExplained(const c10::Error& error);

/// Calls @p work, and converts LibTorch errors on a device by ThrowExplained().
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

#endif // DPDL_TRAINING_TORCH_BATCH_H
