// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-network.h"

#include "conv-layer.h"
#include "flatten-layer.h"
#include "kernels.h"
#include "linear-layer.h"
#include "pool-layer.h"
#include "relu-layer.h"
#include "residual-layer.h"
#include "tanh-layer.h"

#include <array>
#include <cmath>

namespace dpdl
{

namespace
{

/// Whether a layer is a rectifier that the pool behind it takes over: the largest of the rectified
/// values is the rectified largest value. A residual block that begins between them needs both.
bool
IsTakenOver(const std::vector<Layer>& layers, std::size_t index)
{
    if (!std::holds_alternative<Relu>(layers[index]) || index + 1 == layers.size() ||
        !std::holds_alternative<MaxPool2d>(layers[index + 1]))
    {
        return false;
    }
    for (std::size_t end = index + 2; end < layers.size(); ++end)
    {
        const auto* residual = std::get_if<Residual>(&layers[end]);
        if (residual != nullptr && end - residual->layers == index + 1)
        {
            return false;
        }
    }
    return true;
}

} // namespace

NativeNetwork::NativeNetwork(const ModelSpec& model)
    : m_input(model.Shapes().front()),
      m_loss(model.TrainingLoss()),
      m_scores(model.Classes())
{
    m_values.emplace_back(CHUNK * m_input.Size());
    m_gradients.emplace_back(0);
    std::size_t tensor = 0;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        m_flowInto.push_back(m_values.size() - 1);
        if (HasParameters(model.Layers()[i]))
        {
            m_firstTrained = tensor == 0 ? m_layers.size() : m_firstTrained;
            AddLayer(model, i, model.Parameters()[tensor].offset);
            tensor += 2;
        }
        else if (!IsTakenOver(model.Layers(), i))
        {
            AddLayer(model, i, 0);
        }
    }
}

void
NativeNetwork::AddLayer(const ModelSpec& model, std::size_t index, std::size_t offset)
{
    const std::size_t size = model.Shapes()[index + 1].Size();
    m_layers.push_back(MakeLayer(model, index, offset));
    m_values.emplace_back(CHUNK * size);
    m_gradients.emplace_back(CHUNK * size);
    if (const auto* residual = std::get_if<Residual>(&model.Layers()[index]))
    {
        m_shortcuts.push_back({m_flowInto[index - residual->layers], m_values.size() - 1, size});
    }
}

std::unique_ptr<NativeLayer>
NativeNetwork::MakeLayer(const ModelSpec& model, std::size_t index, std::size_t offset)
{
    const Layer& layer = model.Layers()[index];
    const ImageShape& input = model.Shapes()[index];
    if (const auto* conv = std::get_if<Conv2d>(&layer))
    {
        return std::make_unique<ConvLayer>(*conv, input, offset, CHUNK);
    }
    if (const auto* linear = std::get_if<Linear>(&layer))
    {
        return std::make_unique<LinearLayer>(*linear, input, offset);
    }
    if (const auto* pool = std::get_if<MaxPool2d>(&layer))
    {
        const bool relu = index > 0 && IsTakenOver(model.Layers(), index - 1);
        return std::make_unique<PoolLayer>(*pool, input, relu, CHUNK);
    }
    if (const auto* residual = std::get_if<Residual>(&layer))
    {
        const FloatBuffer& begin = m_values[m_flowInto[index - residual->layers]];
        return std::make_unique<ResidualLayer>(begin.Data(), input.Size());
    }
    if (std::holds_alternative<Flatten>(layer))
    {
        return std::make_unique<FlattenLayer>(input);
    }
    if (std::holds_alternative<Tanh>(layer))
    {
        return std::make_unique<TanhLayer>(input.Size());
    }
    return std::make_unique<ReluLayer>(input.Size());
}

LayerData
NativeNetwork::Data(std::size_t layer, std::size_t count)
{
    return {m_values[layer].Data(),
            m_values[layer + 1].Data(),
            layer <= m_firstTrained ? nullptr : m_gradients[layer].Data(),
            m_gradients[layer + 1].Data(),
            count};
}

void
NativeNetwork::Load(const float* parameters)
{
    for (const auto& layer : m_layers)
    {
        layer->Load(parameters);
    }
}

void
NativeNetwork::Store(float* gradientSum)
{
    for (const auto& layer : m_layers)
    {
        layer->Store(gradientSum);
    }
}

void
NativeNetwork::Forward(const Batch& chunk)
{
    const std::size_t size = m_input.Size();
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        LoadImage(chunk.split->pixels.data() + chunk.examples[i] * size,
                  m_input,
                  m_values.front().Data() + i * size);
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->Forward(Data(layer, chunk.size));
    }
}

LossAim
NativeNetwork::Aim(const Batch& chunk, std::size_t example) const
{
    return {m_loss, m_scores, chunk.split->labels[chunk.examples[example]]};
}

double
NativeNetwork::LossGradients(const Batch& chunk)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        sum += ExampleLoss(Aim(chunk, i),
                           m_values.back().Data() + i * m_scores,
                           m_gradients.back().Data() + i * m_scores);
    }
    return sum;
}

void
NativeNetwork::Backward(std::size_t count)
{
    for (std::size_t layer = m_layers.size(); layer-- > m_firstTrained;)
    {
        m_layers[layer]->Backward(Data(layer, count));
        if (layer > m_firstTrained)
        {
            AddShortcuts(layer, count);
        }
    }
}

void
NativeNetwork::AddShortcuts(std::size_t flow, std::size_t count)
{
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.begin == flow)
        {
            AddScaled(m_gradients[flow].Data(),
                      m_gradients[shortcut.end].Data(),
                      1.0F,
                      count * shortcut.size);
        }
    }
}

BatchResult
NativeNetwork::Gradient(const Batch& chunk, double clip)
{
    Forward(chunk);
    BatchResult result;
    result.size = static_cast<std::uint32_t>(chunk.size);
    result.lossSum = LossGradients(chunk);
    Backward(chunk.size);
    std::array<double, CHUNK> squares{};
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->AddSquaredNorms(Data(layer, chunk.size), squares.data());
    }
    std::array<float, CHUNK> factors{};
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        const double norm = std::sqrt(squares[i]);
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        factors[i] = static_cast<float>(ClipFactor(norm, clip));
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->AddClipped(Data(layer, chunk.size), factors.data());
    }
    return result;
}

Evaluation
NativeNetwork::Score(const Batch& chunk)
{
    Forward(chunk);
    Evaluation evaluation;
    evaluation.size = chunk.size;
    for (std::size_t i = 0; i < chunk.size; ++i)
    {
        const float* scores = m_values.back().Data() + i * m_scores;
        evaluation.lossSum += ExampleLoss(Aim(chunk, i), scores, nullptr);
        evaluation.correct += IsRight(Aim(chunk, i), scores) ? 1 : 0;
    }
    return evaluation;
}

} // namespace dpdl
