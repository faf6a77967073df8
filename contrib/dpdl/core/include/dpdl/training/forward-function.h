// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_FORWARD_FUNCTION_H
#define DPDL_TRAINING_FORWARD_FUNCTION_H

#include "dpdl/training/model.h"

namespace dpdl
{

class RecordedFunction;

/**
 * @brief Computes the logits of a model that is not a chain of layers.
 *
 * Every one is a TorchFunction; only the LibTorch engines see its tensors. Immutable: all engines
 * share it.
 */
class ForwardFunction
{
  public:
    virtual ~ForwardFunction() = default;

    /// The function with recorded operations: one backward pass gives the gradients of all examples
    /// of a batch, so an engine can clip each without a separate pass. nullptr if operations are
    /// not recorded.
    virtual const RecordedFunction* Recorded() const
    {
        return nullptr;
    }

    /**
     * @brief Multiply-adds of the convolutions and matrix products of one example's forward pass.
     * @param model whose function this is
     * @throws UsageError if they are not known
     */
    virtual double MultiplyAdds(const ModelSpec& model) const = 0;
};

} // namespace dpdl

#endif // DPDL_TRAINING_FORWARD_FUNCTION_H
