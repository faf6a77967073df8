// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/torch-engine.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>
#include <utility>
#include <vector>

namespace dpdl
{

namespace
{

/// Leaf tensors that hold a copy of the model's parameters.
std::vector<at::Tensor>
MakeLeaves(const ModelSpec& model, const float* parameters)
{
    std::vector<at::Tensor> leaves;
    for (const ParameterTensor& tensor : model.Parameters())
    {
        const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
        auto* data = const_cast<float*>(parameters + tensor.offset); // copied, never written to
        leaves.push_back(at::from_blob(data, shape).clone().requires_grad_(true));
    }
    return leaves;
}

/// A batch of one image.
at::Tensor
MakeImage(const Split& split, const ImageShape& shape, std::size_t example)
{
    auto* pixels = const_cast<std::uint8_t*>(split.pixels.data() + example * shape.Size());
    return at::from_blob(pixels, {1, shape.channels, shape.height, shape.width}, at::kByte)
        .to(at::kFloat)
        .div(255.0);
}

/// The loss of one example, in float32.
at::Tensor
LossOf(const ModelSpec& model, const at::Tensor& scores, std::uint8_t label)
{
    if (model.TrainingLoss() == Loss::SQUARED_ERROR)
    {
        return scores.sub(TargetOf(label)).square().sum().div(2.0);
    }
    return at::cross_entropy_loss(scores,
                                  at::full({1}, static_cast<std::int64_t>(label), at::kLong));
}

bool
IsRight(const ModelSpec& model, const at::Tensor& scores, std::uint8_t label)
{
    return model.TrainingLoss() == Loss::SQUARED_ERROR
               ? std::abs(scores.item<float>() - TargetOf(label)) <= TARGET_TOLERANCE
               : scores.argmax().item<std::int64_t>() == label;
}

/// Scores [1, classes] of a batch of one image.
at::Tensor
Scores(const ModelSpec& model, const std::vector<at::Tensor>& leaves, at::Tensor x)
{
    auto leaf = leaves.begin();
    std::vector<at::Tensor> flows; // [i] what flows into layer i
    for (const Layer& layer : model.Layers())
    {
        flows.push_back(x);
        if (const auto* conv = std::get_if<Conv2d>(&layer))
        {
            x = at::conv2d(x, leaf[0], leaf[1], conv->stride, conv->padding);
            leaf += 2;
        }
        else if (std::holds_alternative<Linear>(layer))
        {
            x = at::linear(x.reshape({1, -1}), leaf[0], leaf[1]).reshape({1, -1, 1, 1});
            leaf += 2;
        }
        else if (const auto* pool = std::get_if<MaxPool2d>(&layer))
        {
            x = at::max_pool2d(x, pool->kernel, pool->stride);
        }
        else if (const auto* residual = std::get_if<Residual>(&layer))
        {
            x = x.add(*(flows.end() - 1 - residual->layers));
        }
        else if (std::holds_alternative<Flatten>(layer))
        {
            x = x.reshape({1, -1, 1, 1});
        }
        else if (std::holds_alternative<Tanh>(layer))
        {
            x = at::tanh(x);
        }
        else
        {
            x = at::relu(x);
        }
    }
    return x.reshape({1, -1});
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
            const at::Tensor values = gradients[i].contiguous();
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

TorchEngine::TorchEngine(ModelSpec model)
    : m_model(std::move(model))
{
}

BatchResult
TorchEngine::ClippedGradientSum(const float* parameters,
                                const Batch& batch,
                                double clip,
                                float* gradientSum)
{
    const std::vector<at::Tensor> leaves = MakeLeaves(m_model, parameters);
    std::vector<double> sum(m_model.ParameterCount(), 0.0);
    BatchResult result;
    result.size = static_cast<std::uint32_t>(batch.size);
    for (std::size_t i = 0; i < batch.size; ++i)
    {
        const std::uint32_t example = batch.examples[i];
        const at::Tensor image = MakeImage(*batch.split, m_model.Shapes().front(), example);
        const at::Tensor loss =
            LossOf(m_model, Scores(m_model, leaves, image), batch.split->labels[example]);
        const std::vector<float> gradient =
            FlatGradient(m_model, torch::autograd::grad({loss}, leaves, {}, {}, false, true));
        const double norm = Norm(gradient);
        const double factor = ClipFactor(norm, clip);
        result.lossSum += static_cast<double>(loss.item<float>());
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        for (std::size_t p = 0; p < sum.size() && factor != 0.0; ++p)
        {
            sum[p] += factor * static_cast<double>(gradient[p]);
        }
    }
    std::transform(sum.begin(), sum.end(), gradientSum, [](double value) {
        return static_cast<float>(value);
    });
    return result;
}

Evaluation
TorchEngine::Evaluate(const float* parameters,
                      const Split& split,
                      std::size_t first,
                      std::size_t count)
{
    const c10::NoGradGuard guard;
    const std::vector<at::Tensor> leaves = MakeLeaves(m_model, parameters);
    Evaluation evaluation;
    evaluation.size = count;
    for (std::size_t example = first; example < first + count; ++example)
    {
        const at::Tensor image = MakeImage(split, m_model.Shapes().front(), example);
        const at::Tensor scores = Scores(m_model, leaves, image);
        const at::Tensor loss = LossOf(m_model, scores, split.labels[example]);
        evaluation.lossSum += static_cast<double>(loss.item<float>());
        evaluation.correct += IsRight(m_model, scores, split.labels[example]) ? 1 : 0;
    }
    return evaluation;
}

} // namespace dpdl
