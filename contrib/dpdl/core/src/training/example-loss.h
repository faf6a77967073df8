// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_EXAMPLE_LOSS_H
#define DPDL_TRAINING_EXAMPLE_LOSS_H

#include "dpdl/training/model.h"

#include <cstddef>

namespace dpdl
{

/// Target of one example, to which its logits are compared.
struct LossAim
{
    Loss loss;          ///< kind of loss
    std::size_t logits; ///< number of logits; 1 for the squared error
    double label;       ///< correct class, or target value
};

/**
 * @brief Loss of one example.
 * @param aim loss and target
 * @param logits [aim.logits]; NaN and infinities give a loss that is not finite
 * @param[out] gradient [aim.logits] derivative with respect to the logits; may be null
 * @return the loss
 */
double ExampleLoss(const LossAim& aim, const float* logits, float* gradient);

/// True if the logits are correct; see Evaluation::correct.
bool IsRight(const LossAim& aim, const float* logits);

} // namespace dpdl

#endif // DPDL_TRAINING_EXAMPLE_LOSS_H
