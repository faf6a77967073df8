// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "native-network.h"

#include "kernels.h"
#include "layer-chain.h"
#include "native-layer.h"

#include <algorithm>
#include <cmath>

// NativeNetwork builds the native layers of a model, allocates their flows, and computes clipped
// gradient sums and evaluations of blocks of examples.

namespace dpdl
{

namespace
{

/// True if a layer is fused with another one or changes nothing.
bool
HasNoLayer(const ModelSpec& model, std::size_t index)
{
    return IsTakenOverByPool(model.Layers(), index) || IsTakenOverByTanh(model.Layers(), index) ||
           (std::holds_alternative<Flatten>(model.Layers()[index]) &&
            !IsReordered(model.Shapes()[index]));
}

/// @param together examples between Backward and AddClipped
std::unique_ptr<NativeLayer>
MakeLayer(const ModelSpec& model, std::size_t index, std::size_t offset, std::size_t together)
{
    using Made = std::unique_ptr<NativeLayer>;
    const std::size_t block = NativeNetwork::BLOCK;
    const ImageShape& input = model.Shapes()[index];
    return std::visit(
        LayerRules{
            [&](const Conv2d& conv) -> Made {
                return std::make_unique<ConvLayer>(conv, input, offset, together);
            },
            [&](const Linear& linear) -> Made {
                return std::make_unique<LinearLayer>(linear, offset, block);
            },
            [&](const MaxPool2d& pool) -> Made {
                const bool relu = index > 0 && IsTakenOverByPool(model.Layers(), index - 1);
                return std::make_unique<PoolLayer>(pool, input, relu, block);
            },
            [&](const Residual&) -> Made { return std::make_unique<ResidualLayer>(input.Size()); },
            [&](const Flatten&) -> Made { return std::make_unique<FlattenLayer>(input); },
            [&](const Tanh&) -> Made {
                const std::size_t next = index + 1;
                const bool adds =
                    next < model.Layers().size() && IsTakenOverByTanh(model.Layers(), next);
                return std::make_unique<TanhLayer>(input.Size(), adds ? block : 0);
            },
            [&](const Relu&) -> Made { return std::make_unique<ReluLayer>(input.Size()); }},
        model.Layers()[index]);
}

} // namespace

NativeNetwork::NativeNetwork(const ModelSpec& model)
    : m_input(model.Shapes().front()),
      m_loss(model.TrainingLoss()),
      m_logits(model.Classes())
{
    AddLayers(model);
    MakeRoom();
}

void
NativeNetwork::AddLayers(const ModelSpec& model)
{
    m_flows.push_back({m_input.Size(), false, 0, {}, {}});
    bool trained = false;
    bool tail = false;
    std::size_t tensor = 0;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        const Layer& layer = model.Layers()[i];
        m_flowInto.push_back(m_flows.size() - 1);
        if (NeedsFlattening(layer, model.Shapes()[i]))
        {
            AddFlow(std::make_unique<FlattenLayer>(model.Shapes()[i]), model.Shapes()[i].Size());
        }
        if (!tail && std::holds_alternative<Linear>(layer))
        {
            m_tail = m_layers.size();
            tail = true;
        }
        std::size_t offset = 0;
        if (HasParameters(layer))
        {
            m_firstTrained = trained ? m_firstTrained : m_layers.size();
            trained = true;
            offset = model.Parameters()[tensor].offset;
            tensor += 2;
        }
        if (!HasNoLayer(model, i))
        {
            AddFlow(MakeLayer(model, i, offset, tail ? BLOCK : CHUNK),
                    model.Shapes()[i + 1].Size());
        }
        if (const auto* residual = std::get_if<Residual>(&layer))
        {
            m_shortcuts.push_back(
                {m_flowInto[i - residual->layers], m_flows.size() - 1, !HasNoLayer(model, i)});
        }
    }
    m_tail = tail ? m_tail : m_layers.size();
}

void
NativeNetwork::AddFlow(std::unique_ptr<NativeLayer> layer, std::size_t size)
{
    m_flows.back().whole = m_flows.back().whole || layer->KeepsInput();
    m_flows.push_back({size, layer->KeepsOutput(), 0, {}, {}});
    m_layers.push_back(std::move(layer));
}

void
NativeNetwork::MakeRoom()
{
    for (const Shortcut& shortcut : m_shortcuts)
    {
        Flow& begin = m_flows[shortcut.begin];
        begin.whole = begin.whole || shortcut.end > m_tail;
    }
    for (std::size_t i = m_flows.size(); i-- > 0;)
    {
        m_flows[i].gradientsIn = SharesGradients(i) ? m_flows[i + 1].gradientsIn : i;
    }
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        Flow& flow = m_flows[i];
        flow.whole = flow.whole || i >= m_tail;
        flow.values = FloatBuffer(flow.size * (flow.whole ? BLOCK : CHUNK));
        if (i > m_firstTrained && flow.gradientsIn == i)
        {
            flow.gradients = FloatBuffer(flow.size * (i >= m_tail ? BLOCK : CHUNK));
        }
    }
}

/// True if a flow only enters the sum of a residual block, so it can share the gradients of that
/// sum.
bool
NativeNetwork::SharesGradients(std::size_t flow) const
{
    const auto begins = [flow](const Shortcut& shortcut) { return shortcut.begin == flow; };
    const auto ends = [flow](const Shortcut& shortcut) {
        return shortcut.hasLayer && shortcut.end == flow + 1;
    };
    return (flow >= m_tail || flow + 1 < m_tail) &&
           std::any_of(m_shortcuts.begin(), m_shortcuts.end(), ends) &&
           std::none_of(m_shortcuts.begin(), m_shortcuts.end(), begins);
}

float*
NativeNetwork::Values(std::size_t flow, std::size_t first)
{
    return m_flows[flow].values.Data() + (m_flows[flow].whole ? first * m_flows[flow].size : 0);
}

float*
NativeNetwork::Gradients(std::size_t flow, std::size_t first)
{
    return m_flows[m_flows[flow].gradientsIn].gradients.Data() +
           (flow >= m_tail ? first * m_flows[flow].size : 0);
}

LayerData
NativeNetwork::Data(std::size_t layer, const Range& range)
{
    LayerData data{Values(layer, range.first),
                   Values(layer + 1, range.first),
                   layer <= m_firstTrained ? nullptr : Gradients(layer, range.first),
                   layer < m_firstTrained ? nullptr : Gradients(layer + 1, range.first),
                   nullptr,
                   range.first,
                   range.count,
                   m_isFirst};
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.end == layer + 1)
        {
            data.begin = Values(shortcut.begin, range.first);
        }
    }
    return data;
}

void
NativeNetwork::Begin(const float* parameters)
{
    for (const auto& layer : m_layers)
    {
        layer->Begin(parameters);
    }
    m_isFirst = true;
}

template <class Feature>
void
NativeNetwork::LoadFeatures(const Feature* features, const Batch& block, const Range& range)
{
    const std::size_t size = m_input.Size();
    for (std::size_t i = range.first; i < range.first + range.count; ++i)
    {
        // Examples are in random order: prefetch the next one while reading this one.
        const std::size_t next = std::min(i + 1, block.size - 1);
        FetchAhead(features + block.examples[next] * size, size * sizeof(Feature));
        LoadImage(features + block.examples[i] * size,
                  m_input,
                  Values(0, range.first) + (i - range.first) * size);
    }
}

void
NativeNetwork::LoadImages(const Batch& block, const Range& range)
{
    const Split& split = *block.split;
    if (split.pixels.empty())
    {
        LoadFeatures(split.values.data(), block, range);
        return;
    }
    LoadFeatures(split.pixels.data(), block, range);
}

void
NativeNetwork::Forward(const Batch& block)
{
    for (std::size_t first = 0; first < block.size; first += CHUNK)
    {
        const Range chunk{first, std::min(CHUNK, block.size - first)};
        LoadImages(block, chunk);
        for (std::size_t layer = 0; layer < m_tail; ++layer)
        {
            m_layers[layer]->Forward(Data(layer, chunk));
        }
    }
    for (std::size_t layer = m_tail; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->Forward(Data(layer, {0, block.size}));
    }
}

LossAim
NativeNetwork::Aim(const Batch& block, std::size_t example) const
{
    return {m_loss, m_logits, block.Label(example)};
}

double
NativeNetwork::LossGradients(const Batch& block)
{
    const std::size_t last = m_layers.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < block.size; ++i)
    {
        sum += ExampleLoss(Aim(block, i),
                           Values(last, 0) + i * m_logits,
                           Gradients(last, 0) + i * m_logits);
    }
    return sum;
}

void
NativeNetwork::Backward(std::size_t begin, std::size_t end, const Range& range)
{
    for (std::size_t layer = end; layer-- > begin;)
    {
        m_layers[layer]->Backward(Data(layer, range));
        if (layer > m_firstTrained)
        {
            AddShortcuts(layer, range);
        }
    }
}

void
NativeNetwork::AddShortcuts(std::size_t flow, const Range& range)
{
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.begin == flow)
        {
            AddScaled(Gradients(flow, range.first),
                      Gradients(shortcut.end, range.first),
                      1.0F,
                      range.count * m_flows[flow].size);
        }
    }
}

void
NativeNetwork::AddSquaredNorms(std::size_t begin, std::size_t end, const Range& range)
{
    for (std::size_t layer = begin; layer < end; ++layer)
    {
        m_layers[layer]->AddSquaredNorms(Data(layer, range), m_squares.data() + range.first);
    }
}

void
NativeNetwork::AddClipped(std::size_t begin,
                          std::size_t end,
                          const Range& range,
                          double* gradientSum)
{
    for (std::size_t layer = begin; layer < end; ++layer)
    {
        m_layers[layer]->AddClipped(Data(layer, range),
                                    m_factors.data() + range.first,
                                    gradientSum);
    }
}

void
NativeNetwork::ClipRange(const Range& range, double clip, BatchResult& result)
{
    for (std::size_t i = range.first; i < range.first + range.count; ++i)
    {
        const double norm = std::sqrt(m_squares[i]);
        result.normSum += norm;
        result.clipped += norm <= clip ? 0 : 1;
        m_factors[i] = ClipFactor(norm, clip);
    }
}

BatchResult
NativeNetwork::Gradient(const Batch& block, double clip, double* gradientSum)
{
    const Range all{0, block.size};
    const std::size_t tail = std::max(m_tail, m_firstTrained);
    BatchResult result;
    result.size = static_cast<std::uint32_t>(block.size);
    Forward(block);
    result.lossSum = LossGradients(block);
    m_squares.fill(0.0);
    Backward(tail, m_layers.size(), all);
    AddSquaredNorms(tail, m_layers.size(), all);
    for (std::size_t first = 0; first < block.size; first += CHUNK)
    {
        const Range chunk{first, std::min(CHUNK, block.size - first)};
        if (m_firstTrained < m_tail)
        {
            Backward(m_firstTrained, m_tail, chunk);
            AddSquaredNorms(m_firstTrained, m_tail, chunk);
        }
        ClipRange(chunk, clip, result);
        if (m_firstTrained < m_tail)
        {
            AddClipped(m_firstTrained, m_tail, chunk, gradientSum);
        }
    }
    AddClipped(tail, m_layers.size(), all, gradientSum);
    for (const auto& layer : m_layers)
    {
        layer->EndBlock(m_isFirst, gradientSum);
    }
    m_isFirst = false;
    return result;
}

Evaluation
NativeNetwork::Score(const Batch& block)
{
    Forward(block);
    Evaluation evaluation;
    evaluation.size = block.size;
    for (std::size_t i = 0; i < block.size; ++i)
    {
        const float* logits = Values(m_layers.size(), 0) + i * m_logits;
        evaluation.lossSum += ExampleLoss(Aim(block, i), logits, nullptr);
        evaluation.correct += IsRight(Aim(block, i), logits) ? 1 : 0;
    }
    return evaluation;
}

} // namespace dpdl
