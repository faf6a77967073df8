// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-function.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <utility>

// LibTorch functions of models: a chain of layers as operations of a tape. CountingTape counts
// multiply-adds.

namespace dpdl
{

namespace
{

/// Computes a chain of layers with the operations of a tape.
class ChainFunction : public RecordedFunction
{
  public:
    explicit ChainFunction(std::vector<Layer> layers)
        : m_layers(std::move(layers))
    {
    }

    at::Tensor Forward(Tape& tape, const at::Tensor& images) const override
    {
        std::size_t tensor = 0;
        std::vector<at::Tensor> flows{images}; // [i] input of layer i
        for (const Layer& layer : m_layers)
        {
            flows.push_back(Apply(tape, layer, tensor, flows));
            tensor += HasParameters(layer) ? 2 : 0;
        }
        return flows.back().flatten(1);
    }

  private:
    /// Computes the output of one layer.
    /// @param tensor index of the layer's weight
    /// @param flows [0] images, [i + 1] output of earlier layer i
    static at::Tensor Apply(Tape& tape,
                            const Layer& layer,
                            std::size_t tensor,
                            const std::vector<at::Tensor>& flows)
    {
        const at::Tensor& x = flows.back();
        return std::visit(
            LayerRules{
                [&](const Conv2d& conv) {
                    return tape.Apply(ConvOp{tensor,
                                             tensor + 1,
                                             {conv.kernel, conv.kernel},
                                             {conv.stride, conv.stride},
                                             {conv.padding, conv.padding}},
                                      x);
                },
                [&](const Linear&) {
                    return tape.Apply(LinearOp{tensor, tensor + 1}, x.flatten(1))
                        .unsqueeze(-1)
                        .unsqueeze(-1);
                },
                [&](const MaxPool2d& pool) { return at::max_pool2d(x, pool.kernel, pool.stride); },
                [&](const Residual& residual) {
                    return x.add(*(flows.end() - 1 - residual.layers));
                },
                [&](const Flatten&) { return x.flatten(1).unsqueeze(-1).unsqueeze(-1); },
                [&](const Tanh&) { return at::tanh(x); },
                [&](const Relu&) { return at::relu(x); }},
            layer);
    }

    std::vector<Layer> m_layers; ///< layers, from the image to the logits
};

/// Computes logits from the loaded parameters, for which autograd computes gradients.
class RecordedForward : public TorchForward
{
  public:
    /// @param function computes the logits of the model
    explicit RecordedForward(std::shared_ptr<const RecordedFunction> function)
        : m_function(std::move(function))
    {
    }

    const std::vector<at::Tensor>& Load(const std::vector<at::Tensor>& parameters) override
    {
        m_leaves = parameters;
        for (const at::Tensor& leaf : m_leaves)
        {
            leaf.requires_grad_(true);
        }
        return m_leaves;
    }

    at::Tensor Forward(const at::Tensor& images) override
    {
        Tape tape(m_leaves);
        return m_function->Forward(tape, images);
    }

  private:
    std::shared_ptr<const RecordedFunction> m_function; ///< computes the logits of the model
    std::vector<at::Tensor> m_leaves;                   ///< parameter tensors of the last Load()
};

/// Tape that counts the multiply-adds of the operations it applies.
class CountingTape : public Tape
{
  public:
    using Tape::Apply;
    using Tape::Tape;

    at::Tensor Apply(const ConvOp& op, const at::Tensor& x) override
    {
        return Count(op.weight, Tape::Apply(op, x), 1);
    }

    at::Tensor Apply(const LinearOp& op, const at::Tensor& x) override
    {
        return Count(op.weight, Tape::Apply(op, x), -1);
    }

    double MultiplyAdds() const
    {
        return m_multiplyAdds;
    }

  private:
    /// Adds the multiply-adds of an operation. Each output value needs one multiply-add for each
    /// weight of its output channel.
    /// @param weight index of the weight tensor
    /// @param y output of the operation
    /// @param channels axis of the output channels
    /// @return the output
    at::Tensor Count(std::size_t weight, const at::Tensor& y, std::int64_t channels)
    {
        const auto weights = static_cast<double>(Parameter(weight).numel());
        m_multiplyAdds +=
            weights / static_cast<double>(y.size(channels)) * static_cast<double>(y.numel());
        return y;
    }

    double m_multiplyAdds{0.0}; ///< number of multiply-adds counted so far
};

} // namespace

std::unique_ptr<TorchForward>
MakeTorchForward(const ModelSpec& model, const at::Device& device)
{
    if (auto recorded = RecordedFunctionOf(model))
    {
        return std::make_unique<RecordedForward>(std::move(recorded));
    }
    return static_cast<const TorchFunction*>(model.Function())->MakeForward(model, device);
}

std::shared_ptr<const RecordedFunction>
RecordedFunctionOf(const ModelSpec& model)
{
    if (model.Function() == nullptr)
    {
        return std::make_shared<ChainFunction>(model.Layers());
    }
    // The shared pointer only refers to the function, which the model owns.
    return {std::shared_ptr<void>(), model.Function()->Recorded()};
}

double
RecordedFunction::MultiplyAdds(const ModelSpec& model) const
{
    const c10::NoGradGuard guard;
    const std::vector<float> zeros(model.ParameterCount(), 0.0F);
    const std::vector<at::Tensor> parameters = ParameterTensors(model, zeros.data(), {});
    const ImageShape& shape = model.Shapes().front();
    CountingTape tape(parameters);
    Forward(tape, at::zeros({1, shape.channels, shape.height, shape.width}));
    return tape.MultiplyAdds();
}

} // namespace dpdl
