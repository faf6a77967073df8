// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_FORWARD_FUNCTION_H
#define DPDL_TRAINING_FORWARD_FUNCTION_H

#include "dpdl/training/model.h"

namespace dpdl
{

class RecordedFunction;
class TorchFunction;

/**
 * @brief Computes the logits of a model that is not a chain of layers.
 *
 * Subclasses are written with LibTorch, and only the engines built on LibTorch see more of
 * it than this. Immutable: all engines share it.
 */
class ForwardFunction
{
  public:
    virtual ~ForwardFunction() = default;

    /// The same for users of LibTorch.
    virtual const TorchFunction& Torch() const = 0;

    /// The same if the gradients of all examples of a batch come out of one backward pass, so that
    /// an engine can clip each of them without a separate pass; nullptr if they do not.
    virtual const RecordedFunction* Recorded() const
    {
        return nullptr;
    }

    /**
     * @brief Multiply-adds of convolutions and products for the logits of one example.
     * @param model whose function this is
     * @throws UsageError if they are not known
     */
    virtual double MultiplyAdds(const ModelSpec& model) const = 0;
};

} // namespace dpdl

#endif // DPDL_TRAINING_FORWARD_FUNCTION_H
