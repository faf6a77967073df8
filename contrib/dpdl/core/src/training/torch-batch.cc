// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-batch.h"

#include "dpdl/base/errors.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Reduction.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <malloc.h>
#include <mutex>
#include <torch/cuda.h>

extern "C" void openblas_set_num_threads(int threads);

namespace dpdl
{

namespace
{

/// Makes glibc keep freed memory for later allocations. Activations take megabytes, and new pages
/// in every pass would take longer than most layers.
void
KeepFreedMemory()
{
#ifdef __GLIBC__
    static std::once_flag once;
    std::call_once(once, [] {
        mallopt(M_MMAP_THRESHOLD, 1 << 30);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
    });
#endif
}

/// Copies the features of an example as floats. Bytes are scaled to [0, 1].
/// @param example index into the split
/// @param size number of features
/// @param[out] out [size]
void
CopyFeatures(const Split& split, std::size_t example, std::size_t size, float* out)
{
    if (split.pixels.empty())
    {
        std::copy_n(split.values.data() + example * size, size, out);
        return;
    }
    const std::uint8_t* image = split.pixels.data() + example * size;
    std::transform(image, image + size, out, [](std::uint8_t p) {
        return static_cast<float>(p) / 255.0F;
    });
}

} // namespace

TorchBatch
MakeTorchBatch(const Batch& batch, const ImageShape& shape, const at::Device& device)
{
    const auto size = static_cast<std::int64_t>(batch.size);
    // On CUDA, use pinned memory, so the copy to the device does not block.
    TorchBatch result{at::empty({size, shape.channels, shape.height, shape.width},
                                at::TensorOptions().pinned_memory(device.is_cuda())),
                      at::empty({size}, at::kDouble)};
    auto* pixels = result.images.data_ptr<float>();
    auto* labels = result.labels.data_ptr<double>();
    for (std::size_t i = 0; i < batch.size; ++i)
    {
        const std::size_t example = batch.examples[i];
        CopyFeatures(*batch.split, example, shape.Size(), pixels + i * shape.Size());
        labels[i] = batch.Label(i);
    }
    constexpr bool notBlocking = true;
    result.images = result.images.to(device, at::kFloat, notBlocking);
    return result;
}

at::Tensor
LossSum(const ModelSpec& model, const at::Tensor& logits, const at::Tensor& labels)
{
    if (model.TrainingLoss() == Loss::SQUARED_ERROR)
    {
        return logits.flatten().sub(labels.to(logits.options())).square().sum().div(2.0);
    }
    return at::cross_entropy_loss(logits,
                                  labels.to(logits.device(), at::kLong),
                                  {},
                                  at::Reduction::Sum);
}

Evaluation
EvaluateLogits(const ModelSpec& model, const at::Tensor& logits, const at::Tensor& labels)
{
    const at::Tensor right =
        model.TrainingLoss() == Loss::SQUARED_ERROR
            ? logits.cpu().flatten().sub(labels.to(at::kFloat)).abs().le(TARGET_TOLERANCE)
            : logits.argmax(1).cpu().eq(labels);
    Evaluation evaluation;
    evaluation.size = static_cast<std::uint64_t>(labels.numel());
    evaluation.lossSum = static_cast<double>(LossSum(model, logits, labels).item<float>());
    evaluation.correct = static_cast<std::uint64_t>(right.sum().item<std::int64_t>());
    return evaluation;
}

void
PrepareTorchThread()
{
    KeepFreedMemory();
    thread_local bool done = false;
    if (!done)
    {
        static std::mutex mutex;
        const std::lock_guard<std::mutex> lock(mutex);
        openblas_set_num_threads(1);
        at::set_num_threads(1);
        done = true;
    }
}

at::Device
CudaDevice(const ModelSpec& model)
{
    DPDL_REFUSE_IF(!torch::cuda::is_available(),
                   "device",
                   "cuda",
                   "cpu for model '" + model.Name() +
                       "': LibTorch has no CUDA here, or finds no device");
    // TF32 would round the factors of convolutions and matrix products to 10 bits.
    at::globalContext().setAllowTF32CuDNN(false);
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setDeterministicCuDNN(true);
    return {at::kCUDA, 0};
}

} // namespace dpdl
