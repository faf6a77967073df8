// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_BATCH_H
#define DPDL_TRAINING_TORCH_BATCH_H

#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/model.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

namespace dpdl
{

/// Images and labels of a batch as tensors.
struct TorchBatch
{
    at::Tensor images; ///< [size, channels, height, width]; images of bytes are scaled to [0, 1]
    at::Tensor labels; ///< [size] labels in double precision, from Batch::Label()
};

/// Copies the examples of a batch: images to a device, labels to the host.
/// @param shape shape of one image
TorchBatch MakeTorchBatch(const Batch& batch, const ImageShape& shape, const at::Device& device);

/// Sum of the examples' objectives.
/// @param logits [size, classes]
/// @param labels [size]
/// @return a float32 tensor with one value
at::Tensor LossSum(const ModelSpec& model, const at::Tensor& logits, const at::Tensor& labels);

/// Sum of the objectives, and number of correct answers.
/// @param logits [size, classes]
/// @param labels [size]
Evaluation EvaluateLogits(const ModelSpec& model,
                          const at::Tensor& logits,
                          const at::Tensor& labels);

/// Limits LibTorch and OpenBLAS to one thread, and makes the process keep freed memory. The engines
/// call it in every worker thread before they compute.
void PrepareTorchThread();

/**
 * @brief Returns the first CUDA device, and sets LibTorch to float32 without TF32 and to
 *        deterministic convolutions.
 * @param model model whose name is in the error message
 * @throws UsageError if LibTorch was built without CUDA, or finds no device
 */
at::Device CudaDevice(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_BATCH_H
