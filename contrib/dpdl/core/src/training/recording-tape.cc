// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "recording-tape.h"

#include <ATen/ops/native_group_norm.h>
#include <ATen/ops/native_layer_norm.h>
#include <torch/csrc/autograd/autograd.h>
#include <tuple>
#include <utility>

namespace dpdl
{

RecordingTape::RecordingTape(const ModelSpec& model, const std::vector<at::Tensor>& parameters)
    : Tape(parameters),
      m_model(model)
{
}

RecordPlace
RecordingTape::Place(std::size_t first, std::size_t second) const
{
    const std::vector<ParameterTensor>& tensors = m_model.Parameters();
    return {&tensors[first], second == NO_TENSOR ? nullptr : &tensors[second]};
}

at::Tensor
RecordingTape::Keep(std::unique_ptr<TapeRecord> record, at::Tensor output)
{
    if (!output.requires_grad())
    {
        // Nothing before it has parameters: the backward pass ends here.
        output.requires_grad_(true);
    }
    m_records.push_back(std::move(record));
    m_outputs.push_back(output);
    return output;
}

at::Tensor
RecordingTape::Apply(const ConvOp& op, const at::Tensor& x)
{
    return Keep(RecordConv(op, Place(op.weight, op.bias), x.detach()), Tape::Apply(op, x));
}

at::Tensor
RecordingTape::Apply(const LinearOp& op, const at::Tensor& x)
{
    return Keep(RecordLinear(Place(op.weight, op.bias), x.detach()), Tape::Apply(op, x));
}

at::Tensor
RecordingTape::Apply(const GroupNormOp& op, const at::Tensor& x)
{
    const at::Tensor input = x.contiguous();
    auto [output, mean, inverseDeviation] = at::native_group_norm(input,
                                                                  Parameter(op.scale),
                                                                  Parameter(op.shift),
                                                                  input.size(0),
                                                                  input.size(1),
                                                                  input.size(2) * input.size(3),
                                                                  op.groups,
                                                                  EPSILON);
    const NormInput kept{input.detach(), mean.detach(), inverseDeviation.detach()};
    return Keep(RecordGroupNorm(op, Place(op.scale, op.shift), kept), output);
}

at::Tensor
RecordingTape::Apply(const LayerNormOp& op, const at::Tensor& x)
{
    const at::Tensor input = x.contiguous();
    auto [output, mean, inverseDeviation] = at::native_layer_norm(input,
                                                                  input.size(-1),
                                                                  Parameter(op.scale),
                                                                  Parameter(op.shift),
                                                                  EPSILON);
    const NormInput kept{input.detach(), mean.detach(), inverseDeviation.detach()};
    return Keep(RecordLayerNorm(Place(op.scale, op.shift), kept), output);
}

at::Tensor
RecordingTape::Apply(const BatchNormOp& /* op */, const at::Tensor& /* x */)
{
    throw Error("batch normalisation has no gradients of single examples");
}

at::Tensor
RecordingTape::Apply(const FreeOp& op, std::int64_t examples)
{
    return Keep(RecordFree(Place(op.tensor, NO_TENSOR)), Tape::Apply(op, examples).contiguous());
}

void
RecordingTape::Backward(const at::Tensor& loss, double* squares)
{
    const std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, m_outputs);
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        m_records[i]->AddSquaredNorms(gradients[i], squares);
    }
}

void
RecordingTape::AddClipped(const double* factors, double* sum) const
{
    for (const std::unique_ptr<TapeRecord>& record : m_records)
    {
        record->AddClipped(factors, sum);
    }
}

} // namespace dpdl
