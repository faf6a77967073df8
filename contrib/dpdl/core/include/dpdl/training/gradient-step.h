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

/**
 * @brief First the parameters that stay at the node, without protection, then those that travel
 *        (PartPSP, Zhou, Xue and Chen, arXiv:2602.11544, equations 23 to 25).
 *
 * With the same batch: own <- own - ratio * stepSize * g_own(shared, own) / divisor; then
 * shared <- shared - stepSize * (clip(g_shared(shared, own) / divisor) + N), where the mean
 * gradient of the batch is clipped as a whole, in L1, over all that travels. Where the whole model
 * travels there is nothing else to train.
 */
class PartialStep : public LocalStep
{
  public:
    /**
     * @param ratio step size of the own parameters over that of the shared ones
     * @param moves false: the shared parameters stay where they are, but for noise
     */
    PartialStep(double ratio, bool moves);

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    void TrainOwnPart(StepContext& context, NodeJob& job, const Batch& batch) const;

    double m_ratio; ///< see PartialStep()
    bool m_moves;   ///< see PartialStep()
};

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_STEP_H
