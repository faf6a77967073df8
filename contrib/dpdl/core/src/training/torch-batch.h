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
    at::Tensor images; ///< [size, channels, height, width], in [0, 1]
    at::Tensor labels; ///< [size] labels of the examples
};

/// Copies the examples of a batch: images to a device, labels on the host. @param shape of one
/// image
TorchBatch MakeTorchBatch(const Batch& batch, const ImageShape& shape, const at::Device& device);

/// Sum of the model's losses for logits [size, classes].
at::Tensor LossSum(const ModelSpec& model, const at::Tensor& logits, const at::Tensor& labels);

/// Evaluates logits [size, classes].
Evaluation EvaluateLogits(const ModelSpec& model,
                          const at::Tensor& logits,
                          const at::Tensor& labels);

/// Views of the model's parameters as tensors, without gradients; read-only.
std::vector<at::Tensor> ViewParameters(const ModelSpec& model, const float* parameters);

/// Tensors that hold a copy of the model's parameters, without gradients.
std::vector<at::Tensor> CopyParameters(const ModelSpec& model, const float* parameters);

/// Limits LibTorch to this thread, and makes it keep freed memory for the next pass.
void PrepareTorchThread();

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

#endif // DPDL_TRAINING_TORCH_BATCH_H
