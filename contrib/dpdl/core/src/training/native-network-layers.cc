// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "layer-chain.h"
#include "native-network.h"

#include <algorithm>
#include <utility>

// NativeNetwork: builds the native layers of a model, and allocates the activations between them.

namespace dpdl
{

namespace
{

/// True if a layer of the model is fused with another layer, or is a Flatten that keeps the order
/// of values.
bool
HasNoLayer(const ModelSpec& model, std::size_t index)
{
    return IsTakenOverByPool(model.Layers(), index) || IsTakenOverByTanh(model.Layers(), index) ||
           (std::holds_alternative<Flatten>(model.Layers()[index]) &&
            !IsReordered(model.Shapes()[index]));
}

/// Makes the native layer for one layer of a model.
/// @param model a chain of layers
/// @param index index of the layer in the model
/// @param offset index of its weight in the parameter vector
/// @param together largest number of examples for which Backward() is called before AddClipped()
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

/// True if only the sum at the end of a residual block uses the activations. The gradient of the
/// activations then equals the gradient of the sum, and both share memory.
/// @param flow index of the activations in m_flows
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

} // namespace dpdl
