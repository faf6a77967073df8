// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_STEP_H
#define DPDL_TRAINING_GRADIENT_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief z <- z - stepSize * (S + N) / divisor with S the sum of the clipped per-example gradients,
 * and N the noise (Abadi et al., CCS 2016, Algorithm 1).
 */
class GradientStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override;

    bool IsPlain() const override
    {
        return true;
    }

    /// True: each example's whole gradient is clipped, and noise covers the whole sum.
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
 * F_{t-1}, and F_t = G at the start of a block, or if the node has lost its memory; then
 * z <- z - stepSize * F_t / divisor. Blocks are those of the noise, counted from the end: rounds
 * with equal floor((T - t) / tau) form one block. If tau divides T, the first block is round 0
 * alone.
 *
 * The average is post-processing of noisy gradients: each round is one release.
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
    double m_theta; ///< weight of the past gradients
};

/**
 * @brief Number of a round's block, counted from the first round.
 * @param round t < rounds
 * @param rounds T
 * @param tau rounds in a block, at least 1
 * @return floor(T / tau) - floor((T - t) / tau)
 */
Round BlockOf(Round round, Round rounds, Round tau);

/**
 * @brief Trains first the local parameters, without noise, then the shared ones
 *        (PartPSP, Zhou, Xue and Chen, arXiv:2602.11544, equations 23 to 25).
 *
 * With the same batch: own <- own - ratio * stepSize * g_own(shared, own) / divisor; then
 * shared <- shared - stepSize * (clip(g_shared(shared, own) / divisor) + N), where the mean
 * gradient of the batch is clipped as a whole, in L1, over all shared parameters. If the whole
 * model is shared, only the second update runs.
 */
class PartialStep : public LocalStep
{
  public:
    /**
     * @param ratio step size of the local parameters relative to that of the shared ones
     * @param moves false: the shared parameters change only by the noise
     */
    PartialStep(double ratio, bool moves);

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    void TrainOwnPart(StepContext& context, NodeJob& job, const Batch& batch) const;

    double m_ratio; ///< step size of local parameters over that of shared ones
    bool m_moves;   ///< false: shared parameters change only by the noise
};

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_STEP_H
