// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_NORM_NOISE_STEP_H
#define DPDL_ALGORITHM_NORM_NOISE_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief z <- z - stepSize * (S + N) / divisor with S the sum of the batch's gradients, not
 *        clipped, and N noise whose deviation is that of the round times |S| in L2 (AdaD2P,
 *        Algorithm 1).
 *
 * The size of the noise is computed from private data, and a zero gradient gets none.
 */
class NormNoiseStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override;
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_NORM_NOISE_STEP_H
