// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "torch-function.h"
#include "torch-parts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <utility>

// The LibTorch function of a model file. Each layer is one operation of a tape, or one LibTorch
// call if it has no parameters.

namespace dpdl
{

namespace
{

Pair
ToPair(const NetPair& pair)
{
    return {pair[0], pair[1]};
}

/// Applies one layer of a model file to a batch.
class LayerCall
{
  public:
    LayerCall(Tape& tape, const NetLayer& layer)
        : m_tape(tape),
          m_layer(layer)
    {
    }

    /// Computes the layer's output.
    /// @param x input, [examples, shape of the layer's input]
    /// @param other ADD: second summand; else ignored
    at::Tensor Apply(const at::Tensor& x, const at::Tensor& other) const
    {
        switch (m_layer.kind)
        {
        case NetKind::LINEAR:
            return m_tape.Apply(LinearOp{Tensor(0), Tensor(1)}, x);
        case NetKind::CONV1D:
        case NetKind::MAX_POOL1D:
        case NetKind::AVG_POOL1D:
        case NetKind::ADAPTIVE_AVG_POOL1D:
            return Slide(x.unsqueeze(2)).squeeze(2);
        case NetKind::CONV2D:
        case NetKind::MAX_POOL2D:
        case NetKind::AVG_POOL2D:
        case NetKind::ADAPTIVE_AVG_POOL2D:
            return Slide(x);
        case NetKind::GROUP_NORM:
            return GroupNorm(x);
        case NetKind::LAYER_NORM:
            return m_tape.Apply(LayerNormOp{Tensor(0), Tensor(1), m_layer.eps}, x);
        case NetKind::RELU:
            return at::relu(x);
        case NetKind::TANH:
            return at::tanh(x);
        case NetKind::GELU:
            return at::gelu(x);
        case NetKind::SIGMOID:
            return at::sigmoid(x);
        case NetKind::ADD:
            return x + other;
        default:
            return Rearrange(x);
        }
    }

  private:
    /// Index of a parameter tensor of the layer in the model; NO_TENSOR if the layer has no such
    /// tensor.
    /// @param place index among the layer's tensors: 0 for the weight, 1 for the bias and so on
    std::size_t Tensor(std::size_t place) const
    {
        return place < m_layer.tensors.size() ? m_layer.tensors[place] : NO_TENSOR;
    }

    /// Applies a convolution or a pool.
    /// @param x [examples, channels, rows, columns]
    at::Tensor Slide(const at::Tensor& x) const
    {
        const Pair kernel = ToPair(m_layer.kernel);
        const Pair stride = ToPair(m_layer.stride);
        const Pair padding = ToPair(m_layer.padding);
        switch (m_layer.kind)
        {
        case NetKind::CONV1D:
        case NetKind::CONV2D:
            return m_tape.Apply(
                ConvOp{Tensor(0), Tensor(1), kernel, stride, padding, m_layer.groups},
                x);
        case NetKind::MAX_POOL1D:
        case NetKind::MAX_POOL2D:
            return at::max_pool2d(x, kernel, stride, padding);
        case NetKind::AVG_POOL1D:
        case NetKind::AVG_POOL2D:
            return at::avg_pool2d(x, kernel, stride, padding);
        default:
            return at::adaptive_avg_pool2d(x, ToPair(m_layer.size));
        }
    }

    at::Tensor GroupNorm(const at::Tensor& x) const
    {
        // LibTorch's group norm expects images, so reshape [examples, channels, ...] to [examples,
        // channels, 1, positions].
        const at::Tensor positions = x.reshape({x.size(0), x.size(1), 1, -1});
        const GroupNormOp op{Tensor(0), Tensor(1), m_layer.groups, m_layer.eps};
        return m_tape.Apply(op, positions).reshape(x.sizes());
    }

    at::Tensor Rearrange(const at::Tensor& x) const
    {
        const std::int64_t examples = x.size(0);
        switch (m_layer.kind)
        {
        case NetKind::FLATTEN:
            return x.flatten(m_layer.start);
        case NetKind::TRANSPOSE:
            return x.transpose(1, 2);
        case NetKind::EMBEDDING:
            return LookUp(x);
        case NetKind::ATTENTION:
            return Attend(m_tape,
                          {{Tensor(0), Tensor(1)}, {Tensor(2), Tensor(3)}, m_layer.heads},
                          x);
        case NetKind::CLASS_TOKEN:
            return at::cat({m_tape.Apply(ParameterOp{Tensor(0)}, examples), x}, 1);
        case NetKind::POSITION:
            return x + m_tape.Apply(ParameterOp{Tensor(0)}, examples);
        case NetKind::SELECT:
            return x.select(1, m_layer.index);
        default: // layers of kind MEAN
            return x.mean(1);
        }
    }

    /// Embedding lookup. Each example gets a separate copy of the table, so autograd computes a
    /// gradient for each example.
    at::Tensor LookUp(const at::Tensor& x) const
    {
        const at::Tensor table = m_tape.Apply(ParameterOp{Tensor(0)}, x.size(0));
        const at::Tensor rows = x.to(at::kLong).unsqueeze(-1).expand({-1, -1, m_layer.out});
        return table.gather(1, rows);
    }

    Tape& m_tape;            ///< applies operations that have parameters
    const NetLayer& m_layer; ///< layer that is applied
};

class NetFunction : public RecordedFunction
{
  public:
    explicit NetFunction(Net net)
        : m_net(std::move(net))
    {
    }

    at::Tensor Forward(Tape& tape, const at::Tensor& images) const override
    {
        std::vector<std::int64_t> shape(m_net.input.begin(), m_net.input.end());
        shape.insert(shape.begin(), images.size(0));
        std::vector<at::Tensor> flows{images.reshape(shape)};
        for (const NetLayer& layer : m_net.layers)
        {
            flows.push_back(LayerCall(tape, layer).Apply(flows[layer.source], flows[layer.other]));
        }
        return flows.back();
    }

  private:
    Net m_net; ///< model file whose layers are applied
};

} // namespace

std::shared_ptr<const ForwardFunction>
MakeNetFunction(const Net& net)
{
    return std::make_shared<NetFunction>(net);
}

} // namespace dpdl
