// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "tape.h"

#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

namespace dpdl
{

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
    return at::conv2d(x, Parameter(op.weight), Parameter(op.bias), op.stride, op.padding);
}

at::Tensor
Tape::Apply(const LinearOp& op, const at::Tensor& x)
{
    return at::linear(x, Parameter(op.weight), Parameter(op.bias));
}

at::Tensor
Tape::Apply(const GroupNormOp& op, const at::Tensor& x)
{
    return at::group_norm(x, op.groups, Parameter(op.scale), Parameter(op.shift), EPSILON);
}

at::Tensor
Tape::Apply(const LayerNormOp& op, const at::Tensor& x)
{
    return at::layer_norm(x, x.size(-1), Parameter(op.scale), Parameter(op.shift), EPSILON);
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
                          EPSILON,
                          false);
}

at::Tensor
Tape::Apply(const ParameterOp& op, std::int64_t examples)
{
    std::vector<std::int64_t> shape = Parameter(op.tensor).sizes().vec();
    shape.insert(shape.begin(), examples);
    return Parameter(op.tensor).unsqueeze(0).expand(shape);
}

} // namespace dpdl
