// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TAPE_H
#define DPDL_TRAINING_TAPE_H

#include "parameter-list.h"

#include <ATen/core/Tensor.h>
#include <vector>

namespace dpdl
{

/**
 * @brief Applies the operations of a model to a batch.
 *
 * Everything that depends on parameters goes through a tape; what does not (pools, activations,
 * sums) is called as it is. This tape only computes; others watch what passes.
 */
class Tape
{
  public:
    /// @param parameters the model's tensors; have to outlive the tape
    explicit Tape(const std::vector<at::Tensor>& parameters);
    virtual ~Tape() = default;

    virtual at::Tensor Apply(const ConvOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LinearOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const GroupNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const LayerNormOp& op, const at::Tensor& x);
    virtual at::Tensor Apply(const BatchNormOp& op, const at::Tensor& x);

    /// The tensor once for each example: [examples, shape].
    virtual at::Tensor Apply(const ParameterOp& op, std::int64_t examples);

  protected:
    /// A tensor of the model; undefined for NO_TENSOR.
    at::Tensor Parameter(std::size_t number) const;

    /// What is added to a variance below its root, as PyTorch does.
    static constexpr double EPSILON = 1e-5;

  private:
    const std::vector<at::Tensor>& m_parameters; ///< of the model
};

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_H
