// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "tape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <cmath>

// ParameterList declares the tensors of a LibTorch model. Tape applies operations with these
// tensors, using LibTorch.

namespace dpdl
{

std::size_t
ParameterList::Add(const std::string& name,
                   const std::vector<std::uint32_t>& shape,
                   std::size_t fanIn,
                   Initialisation start)
{
    m_tensors.push_back({name, shape, 0, 0, fanIn, start});
    return m_tensors.size() - 1;
}

std::size_t
ParameterList::AddScale(const std::string& name, std::uint32_t channels)
{
    return Add(name + ".weight", {channels}, 1, Initialisation::ONE);
}

std::size_t
ParameterList::AddShift(const std::string& name, std::uint32_t channels)
{
    return Add(name + ".bias", {channels}, 1, Initialisation::ZERO);
}

ConvOp
ParameterList::Conv(const std::string& name,
                    const std::vector<std::uint32_t>& weight,
                    std::uint32_t stride,
                    std::uint32_t padding,
                    bool bias)
{
    const std::size_t fanIn = static_cast<std::size_t>(weight[1]) * weight[2] * weight[3];
    const std::size_t first = Add(name + ".weight", weight, fanIn, Initialisation::FAN_IN_UNIFORM);
    const std::size_t second =
        bias ? Add(name + ".bias", {weight[0]}, fanIn, Initialisation::FAN_IN_UNIFORM) : NO_TENSOR;
    return {first, second, {weight[2], weight[3]}, {stride, stride}, {padding, padding}};
}

LinearOp
ParameterList::Linear(const std::string& name, std::uint32_t in, std::uint32_t out)
{
    const std::size_t weight = Add(name + ".weight", {out, in}, in, Initialisation::FAN_IN_UNIFORM);
    return {weight, Add(name + ".bias", {out}, in, Initialisation::FAN_IN_UNIFORM)};
}

GroupNormOp
ParameterList::GroupNorm(const std::string& name, std::uint32_t channels, std::uint32_t groups)
{
    const std::size_t scale = AddScale(name, channels);
    return {scale, AddShift(name, channels), groups};
}

LayerNormOp
ParameterList::LayerNorm(const std::string& name, std::uint32_t width)
{
    const std::size_t scale = AddScale(name, width);
    return {scale, AddShift(name, width)};
}

BatchNormOp
ParameterList::BatchNorm(const std::string& name, std::uint32_t channels)
{
    const std::size_t scale = AddScale(name, channels);
    return {scale, AddShift(name, channels)};
}

ParameterOp
ParameterList::Free(const std::string& name,
                    const std::vector<std::uint32_t>& shape,
                    Initialisation start)
{
    return {Add(name, shape, 1, start)};
}

Tape::Tape(const std::vector<at::Tensor>& parameters)
    : m_parameters(parameters)
{
}

at::Tensor
Tape::Parameter(std::size_t number) const
{
    return number == NO_TENSOR ? at::Tensor() : m_parameters[number];
}

at::Tensor
Tape::Apply(const ConvOp& op, const at::Tensor& x)
{
    constexpr std::int64_t dilation = 1;
    return at::conv2d(x,
                      Parameter(op.weight),
                      Parameter(op.bias),
                      op.stride,
                      op.padding,
                      dilation,
                      op.groups);
}

at::Tensor
Tape::Apply(const LinearOp& op, const at::Tensor& x)
{
    return at::linear(x, Parameter(op.weight), Parameter(op.bias));
}

at::Tensor
Tape::Apply(const GroupNormOp& op, const at::Tensor& x)
{
    return at::group_norm(x, op.groups, Parameter(op.scale), Parameter(op.shift), op.epsilon);
}

at::Tensor
Tape::Apply(const LayerNormOp& op, const at::Tensor& x)
{
    return at::layer_norm(x, x.size(-1), Parameter(op.scale), Parameter(op.shift), op.epsilon);
}

at::Tensor
Tape::Apply(const BatchNormOp& op, const at::Tensor& x)
{
    constexpr double unusedMomentum = 0.0;
    return at::batch_norm(x,
                          Parameter(op.scale),
                          Parameter(op.shift),
                          {},
                          {},
                          true,
                          unusedMomentum,
                          USUAL_EPSILON,
                          false);
}

at::Tensor
Tape::Apply(const ParameterOp& op, std::int64_t examples)
{
    std::vector<std::int64_t> shape = Parameter(op.tensor).sizes().vec();
    shape.insert(shape.begin(), examples);
    return Parameter(op.tensor).unsqueeze(0).expand(shape);
}

at::Tensor
Attend(Tape& tape, const AttentionOp& op, const at::Tensor& x)
{
    const std::int64_t examples = x.size(0);
    const std::int64_t tokens = x.size(1);
    const std::int64_t width = x.size(2);
    const std::int64_t head = width / op.heads;
    const at::Tensor all = tape.Apply(op.project, x)
                               .reshape({examples, tokens, 3, op.heads, head})
                               .permute({2, 0, 3, 1, 4});
    const at::Tensor query = all[0] / std::sqrt(static_cast<double>(head));
    const at::Tensor weights = at::softmax(at::matmul(query, all[1].transpose(-2, -1)), -1);
    const at::Tensor seen = at::matmul(weights, all[2]);
    return tape.Apply(op.join, seen.transpose(1, 2).reshape({examples, tokens, width}));
}

} // namespace dpdl
