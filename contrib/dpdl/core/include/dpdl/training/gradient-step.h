// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_STEP_H
#define DPDL_TRAINING_GRADIENT_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief z <- z - stepSize * (S + N) / divisor with S the sum of the batch's gradients, each
 * clipped on its own, and N the noise (Abadi et al., CCS 2016, Algorithm 1).
 */
class GradientStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override;

    bool IsPlain() const override
    {
        return true;
    }

    /// True: each example's whole gradient is clipped, and noise is on all of the sum.
    bool ProtectsOwnPart() const override
    {
        return true;
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_STEP_H
