// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/per-example-loop-engine.h"

#include "gradient-sum.h"
#include "kernels.h"
#include "torch-batch.h"
#include "torch-device.h"
#include "torch-function.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

at::Device
DeviceOf(PerExampleLoopEngine::Place place)
{
    return place == PerExampleLoopEngine::Place::CUDA ? at::Device(at::kCUDA, 0)
                                                      : at::Device(at::kCPU);
}

/// The gradient of one example as a flat vector; what autograd leaves undefined is zero.
std::vector<float>
FlatGradient(const ModelSpec& model, const std::vector<at::Tensor>& gradients)
{
    std::vector<float> flat(model.ParameterCount(), 0.0F);
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        if (gradients[i].defined())
        {
            const at::Tensor values = gradients[i].cpu().contiguous();
            std::copy_n(values.data_ptr<float>(),
                        values.numel(),
                        flat.begin() + static_cast<std::ptrdiff_t>(model.Parameters()[i].offset));
        }
    }
    return flat;
}

double
Norm(const std::vector<float>& values)
{
    double sum = 0.0;
    for (const float value : values)
    {
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    return std::sqrt(sum);
}

} // namespace

PerExampleLoopEngine::PerExampleLoopEngine(ModelSpec model, Place place)
    : m_model(std::move(model)),
      m_forward(MakeTorchForward(m_model)),
      m_place(place)
{
    if (place == Place::CUDA)
    {
        m_forward->SetDevice(CudaDevice(m_model));
    }
}

PerExampleLoopEngine::~PerExampleLoopEngine() = default;

BatchResult
PerExampleLoopEngine::ClippedGradientSum(const float* parameters,
                                         const Batch& batch,
                                         double clip,
                                         double* gradientSum)
{
    return ExplainDevice(DeviceOf(m_place),
                         [&] { return SumGradients(parameters, batch, clip, gradientSum); });
}

Evaluation
PerExampleLoopEngine::Evaluate(const float* parameters,
                               const Split& split,
                               std::size_t first,
                               std::size_t count)
{
    return ExplainDevice(DeviceOf(m_place),
                         [&] { return EvaluateImages(parameters, split, first, count); });
}

BatchResult
PerExampleLoopEngine::SumGradients(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum)
{
    PrepareTorchThread();
    const std::vector<at::Tensor>& leaves = m_forward->Load(parameters);
    const ImageShape& shape = m_model.Shapes().front();
    GradientSum sum(gradientSum, m_model.ParameterCount());
    BatchResult result;
    result.size = static_cast<std::uint32_t>(batch.size);
    // With batch statistics an example has no separate gradient; without clipping none is needed.
    const std::size_t atOnce =
        m_model.HasBatchStatistics() ? std::max<std::size_t>(batch.size, 1) : 1;
    if (atOnce > 1 && std::isfinite(clip))
    {
        CheckPerExampleGradients(m_model);
    }
    for (std::size_t i = 0; i < batch.size; i += atOnce)
    {
        const TorchBatch part = MakeTorchBatch(batch.Part(i, atOnce), shape, DeviceOf(m_place));
        const at::Tensor loss = LossSum(m_model, m_forward->Forward(part.images), part.labels);
        const std::vector<float> gradient =
            FlatGradient(m_model, torch::autograd::grad({loss}, leaves, {}, {}, false, true));
        const double norm = Norm(gradient);
        const double factor = ClipFactor(norm, clip);
        result.lossSum += static_cast<double>(loss.item<float>());
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        if (factor != 0.0)
        {
            AddScaled(sum.Next(1), gradient.data(), factor, gradient.size());
        }
    }
    sum.Finish();
    return result;
}

Evaluation
PerExampleLoopEngine::EvaluateImages(const float* parameters,
                                     const Split& split,
                                     std::size_t first,
                                     std::size_t count)
{
    PrepareTorchThread();
    const c10::NoGradGuard guard;
    m_forward->Load(parameters);
    const ImageShape& shape = m_model.Shapes().front();
    const std::size_t atOnce = m_model.HasBatchStatistics() ? std::max<std::size_t>(count, 1) : 1;
    std::vector<std::uint32_t> examples(count);
    std::iota(examples.begin(), examples.end(), static_cast<std::uint32_t>(first));
    Evaluation evaluation;
    for (std::size_t i = 0; i < count; i += atOnce)
    {
        const TorchBatch part =
            MakeTorchBatch({&split, examples.data() + i, atOnce}, shape, DeviceOf(m_place));
        evaluation += EvaluateLogits(m_model, m_forward->Forward(part.images), part.labels);
    }
    return evaluation;
}

} // namespace dpdl
