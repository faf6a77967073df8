// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_EXAMPLE_LOSS_H
#define DPDL_TRAINING_EXAMPLE_LOSS_H

#include "dpdl/training/model.h"

#include <cstddef>

namespace dpdl
{

/// What the logits of one example are compared with.
struct LossAim
{
    Loss loss;          ///< which loss
    std::size_t logits; ///< how many logits there are; 1 for the squared error
    double label;       ///< the right class, or the target
};

/**
 * @brief Loss of one example.
 * @param aim what to compare with
 * @param logits [aim.logits]; NaN and infinities give a loss that is not finite
 * @param[out] gradient [aim.logits] derivative by the logits; may be null
 * @return the loss
 */
double ExampleLoss(const LossAim& aim, const float* logits, float* gradient);

/// True if the logits count as right; see Evaluation::correct.
bool IsRight(const LossAim& aim, const float* logits);

} // namespace dpdl

#endif // DPDL_TRAINING_EXAMPLE_LOSS_H
