// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_BATCH_H
#define DPDL_TRAINING_TORCH_BATCH_H

#include "dpdl/training/gradient-engine.h"

#include <ATen/core/Tensor.h>
#include <vector>

namespace dpdl
{

/// Images and labels of a batch as tensors.
struct TorchBatch
{
    at::Tensor images; ///< [size, channels, height, width], in [0, 1]
    at::Tensor labels; ///< [size]
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

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_BATCH_H
