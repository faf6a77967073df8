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
 * All implementations derive from TorchFunction or RecordedFunction, which only the LibTorch
 * engines use. An object is immutable, and all engines share it.
 */
class ForwardFunction
{
  public:
    virtual ~ForwardFunction() = default;

    /// This function, if it can record the operations of a forward pass; nullptr otherwise. From
    /// the records, one backward pass over a batch computes the norm and the clipped gradient of
    /// every example, so an engine needs no separate pass for each example.
    virtual const RecordedFunction* Recorded() const
    {
        return nullptr;
    }

    /**
     * @brief Number of multiply-adds in the convolutions and matrix products of one example's
     *        forward pass.
     * @param model model with this function
     * @throws UsageError if the number is not known
     */
    virtual double MultiplyAdds(const ModelSpec& model) const = 0;
};

} // namespace dpdl

#endif // DPDL_TRAINING_FORWARD_FUNCTION_H
