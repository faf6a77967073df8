// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "device-network.h"

#include "layer-chain.h"

#include <algorithm>

// DeviceNetwork builds device layers from a model, allocates the activations between them, and runs
// them forward and backward for all nodes.

namespace dpdl
{

DeviceNetwork::DeviceNetwork(const ModelSpec& model)
{
    m_sizes.push_back(model.Shapes().front().Size());
    std::size_t tensor = 0;
    for (std::size_t i = 0; i < model.Layers().size(); ++i)
    {
        m_flowInto.push_back(m_layers.size());
        if (HasParameters(model.Layers()[i]))
        {
            AddModelLayer(model, i, model.Parameters()[tensor].offset);
            m_firstTrained = tensor == 0 ? m_layers.size() - 1 : m_firstTrained;
            tensor += 2;
        }
        else if (!IsTakenOverByPool(model.Layers(), i))
        {
            AddModelLayer(model, i, 0);
        }
    }
}

DeviceNetwork::~DeviceNetwork() = default;

void
DeviceNetwork::AddLayer(std::unique_ptr<DeviceLayer> layer, std::size_t outputSize)
{
    m_layers.push_back(std::move(layer));
    m_sizes.push_back(outputSize);
}

void
DeviceNetwork::AddModelLayer(const ModelSpec& model, std::size_t index, std::size_t offset)
{
    const Layer& layer = model.Layers()[index];
    const ImageShape& input = model.Shapes()[index];
    const std::size_t size = model.Shapes()[index + 1].Size();
    const bool relu = index > 0 && IsTakenOverByPool(model.Layers(), index - 1);
    // A residual block that begins here reads the values before this layer, with their bias.
    const auto leftBias = [&] {
        return m_layers.empty() || BeginsResidual(model.Layers(), index - (relu ? 1 : 0))
                   ? BiasPlace{}
                   : m_layers.back()->LeaveBias();
    };
    std::visit(
        LayerRules{
            [&](const Conv2d& conv) {
                AddLayer(std::make_unique<DeviceConvLayer>(conv, input, offset), size);
            },
            [&](const Linear& linear) {
                if (NeedsFlattening(layer, input))
                {
                    AddLayer(std::make_unique<DeviceFlattenLayer>(input), input.Size());
                }
                AddLayer(std::make_unique<DeviceLinearLayer>(linear, offset), size);
            },
            [&](const MaxPool2d& pool) {
                AddLayer(std::make_unique<DevicePoolLayer>(pool, input, relu, leftBias()), size);
            },
            [&](const Residual& residual) { AddResidual(residual, index, size); },
            [&](const Flatten&) { AddLayer(std::make_unique<DeviceFlattenLayer>(input), size); },
            [&](const Tanh&) {
                AddLayer(
                    std::make_unique<DeviceFunctionLayer>(DeviceFunctionLayer::Kind::TANH, size),
                    size);
            },
            [&](const Relu&) {
                AddLayer(std::make_unique<DeviceFunctionLayer>(DeviceFunctionLayer::Kind::RELU,
                                                               size,
                                                               leftBias()),
                         size);
            }},
        layer);
}

void
DeviceNetwork::AddResidual(const Residual& residual, std::size_t index, std::size_t size)
{
    const std::size_t begin = m_flowInto[index - residual.layers];
    auto layer = std::make_unique<DeviceResidualLayer>(begin, size);
    m_residuals.push_back(layer.get());
    AddLayer(std::move(layer), size);
    m_shortcuts.push_back({begin, m_layers.size(), size});
}

std::size_t
DeviceNetwork::BytesPerExample() const
{
    std::size_t bytes = 0;
    std::size_t scratch = 0;
    for (const auto& layer : m_layers)
    {
        bytes += layer->BytesPerExample();
        scratch = std::max(scratch, layer->ScratchPerExample());
    }
    for (const std::size_t size : m_sizes)
    {
        bytes += 2 * size * sizeof(float);
    }
    // A layer has at most two parts, each with a norm.
    return bytes + scratch * sizeof(float) + 2 * m_layers.size() * sizeof(double);
}

void
DeviceNetwork::Reserve(cuda::DeviceExecutor& executor, std::size_t nodes, std::size_t examples)
{
    // Free the old memory first: the device may lack memory for both.
    m_values.clear();
    m_gradients.clear();
    m_scratch = {};
    std::size_t scratch = 0;
    for (const auto& layer : m_layers)
    {
        layer->Reserve(executor, nodes, examples);
        scratch = std::max(scratch, layer->ScratchPerExample());
    }
    m_scratch = {executor, examples * scratch};
    for (const std::size_t size : m_sizes)
    {
        m_values.emplace_back(executor, examples * size);
        m_gradients.emplace_back(executor, examples * size);
    }
    for (DeviceResidualLayer* residual : m_residuals)
    {
        residual->SetBegin(m_values[residual->Begin()].Data());
    }
    ReserveParts(executor, examples);
}

void
DeviceNetwork::ReserveParts(cuda::DeviceExecutor& executor, std::size_t examples)
{
    std::vector<cuda::GradientPart> parts;
    m_summed = 0;
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        for (cuda::GradientPart part : m_layers[layer]->Parts(Flow(layer)))
        {
            m_summed += part.isInput ? 0 : part.width;
            part.end = m_summed;
            parts.push_back(part);
        }
    }
    m_parts = {executor, parts.size()};
    m_squares = {executor, examples * parts.size()};
    if (!parts.empty())
    {
        executor.Upload(m_parts.Data(), parts.data(), parts.size() * sizeof(parts.front()));
    }
}

DeviceFlow
DeviceNetwork::Flow(std::size_t layer)
{
    return {m_values[layer].Data(),
            m_values[layer + 1].Data(),
            layer <= m_firstTrained ? nullptr : m_gradients[layer].Data(),
            m_gradients[layer + 1].Data()};
}

void
DeviceNetwork::Forward(const DevicePass& pass)
{
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->Forward(pass, Flow(layer));
    }
}

void
DeviceNetwork::Backward(const DevicePass& pass)
{
    for (std::size_t layer = m_layers.size(); layer-- > m_firstTrained;)
    {
        m_layers[layer]->Backward(pass, Flow(layer));
        if (layer > m_firstTrained)
        {
            AddShortcuts(pass, layer);
        }
    }
    pass.executor->SumRows(Norms(), pass.Examples() * m_parts.Size());
}

cuda::PartNorms
DeviceNetwork::Norms() const
{
    return {m_parts.Data(), m_parts.Size(), m_squares.Data()};
}

void
DeviceNetwork::AddShortcuts(const DevicePass& pass, std::size_t flow)
{
    for (const Shortcut& shortcut : m_shortcuts)
    {
        if (shortcut.begin == flow)
        {
            float* gradient = m_gradients[flow].Data();
            pass.executor->ForEach(
                cuda::AddValues{gradient, m_gradients[shortcut.end].Data(), gradient},
                pass.Examples() * shortcut.size);
        }
    }
}

void
DeviceNetwork::SumClipped(const DevicePass& pass)
{
    pass.executor->ForEach(cuda::SumExamples{m_parts.Data(),
                                             m_summed,
                                             pass.factors,
                                             pass.sums,
                                             pass.parameters,
                                             pass.places},
                           pass.nodes * m_summed);
    for (std::size_t layer = m_firstTrained; layer < m_layers.size(); ++layer)
    {
        m_layers[layer]->SumClipped(pass, Flow(layer));
    }
}

} // namespace dpdl
