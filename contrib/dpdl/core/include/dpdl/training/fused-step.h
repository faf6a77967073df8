// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_FUSED_STEP_H
#define DPDL_TRAINING_FUSED_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief A step along a moving average of the noisy gradients of a block of rounds, the progressive
 *        gradient fusion of Wu et al. (ADP-VRSGP, Algorithm 2).
 *
 * With G the sum of the clipped gradients of round t and its noise: F_t = (1 - theta) G + theta
 * F_{t-1}, and F_t = G where a block begins, or where the node has lost what it remembered; then
 * z <- z - stepSize * F_t / divisor. Blocks are those of the noise, counted from the end: rounds
 * are of one block if floor((T - t) / tau) is the same, so that the first one is round 0 alone if
 * tau divides T.
 *
 * Averaging what is private already reveals nothing more: each round is one release.
 */
class FusedStep : public LocalStep
{
  public:
    /**
     * @param tau rounds in a block, at least 1
     * @param theta weight of the past, in [0, 1)
     */
    FusedStep(Round tau, double theta);

    std::size_t MemoryVectors() const override
    {
        return 1;
    }

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    Round m_tau;    ///< rounds in a block
    double m_theta; ///< weight of the past
};

/**
 * @brief Number of the block that a round is in, counted from the first round on.
 * @param round t < rounds
 * @param rounds T
 * @param tau rounds in a block, at least 1
 * @return floor(T / tau) - floor((T - t) / tau)
 */
Round BlockOf(Round round, Round rounds, Round tau);

} // namespace dpdl

#endif // DPDL_TRAINING_FUSED_STEP_H
