// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-function.h"

#include "torch-batch.h"

#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>

namespace dpdl
{

namespace
{

/// Scores [examples, classes] of a chain of layers.
at::Tensor
ChainScores(const ModelSpec& model, const std::vector<at::Tensor>& leaves, at::Tensor x)
{
    auto leaf = leaves.begin();
    std::vector<at::Tensor> flows; // [i] what flows into layer i
    for (const Layer& layer : model.Layers())
    {
        flows.push_back(x);
        x = std::visit(
            LayerRules{
                [&](const Conv2d& conv) {
                    return at::conv2d(x, leaf[0], leaf[1], conv.stride, conv.padding);
                },
                [&](const Linear&) {
                    return at::linear(x.flatten(1), leaf[0], leaf[1]).unsqueeze(-1).unsqueeze(-1);
                },
                [&](const MaxPool2d& pool) { return at::max_pool2d(x, pool.kernel, pool.stride); },
                [&](const Residual& residual) {
                    return x.add(*(flows.end() - 1 - residual.layers));
                },
                [&](const Flatten&) { return x.flatten(1).unsqueeze(-1).unsqueeze(-1); },
                [&](const Tanh&) { return at::tanh(x); },
                [&](const Relu&) { return at::relu(x); }},
            layer);
        leaf += HasParameters(layer) ? 2 : 0;
    }
    return x.flatten(1);
}

class LayerScores : public CopiedScores
{
  public:
    explicit LayerScores(const ModelSpec& model)
        : CopiedScores(model)
    {
    }

    at::Tensor Scores(const at::Tensor& images) override
    {
        return ChainScores(Model(), Leaves(), images);
    }
};

} // namespace

CopiedScores::CopiedScores(const ModelSpec& model)
    : m_model(model)
{
}

void
CopiedScores::SetDevice(const at::Device& device)
{
    m_device = device;
}

const std::vector<at::Tensor>&
CopiedScores::Load(const float* parameters)
{
    m_leaves = CopyParameters(m_model, parameters);
    for (at::Tensor& leaf : m_leaves)
    {
        leaf = leaf.to(m_device);
        leaf.requires_grad_(true);
    }
    return m_leaves;
}

const ModelSpec&
CopiedScores::Model() const
{
    return m_model;
}

const std::vector<at::Tensor>&
CopiedScores::Leaves() const
{
    return m_leaves;
}

std::unique_ptr<TorchScores>
MakeTorchScores(const ModelSpec& model)
{
    if (model.Function() == nullptr)
    {
        return std::make_unique<LayerScores>(model);
    }
    return model.Function()->Torch().MakeScores(model);
}

} // namespace dpdl
