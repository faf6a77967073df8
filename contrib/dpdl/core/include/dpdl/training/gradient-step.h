// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_STEP_H
#define DPDL_TRAINING_GRADIENT_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief One noisy gradient step of model z: z <- z - stepSize * (S + N) / divisor (Abadi et al.,
 *        CCS 2016, Algorithm 1). S is the sum of the clipped per-example gradients, and N the
 *        noise. LocalUpdate has stepSize and divisor, the expected batch size.
 */
class GradientStep : public LocalStep
{
  public:
    void Run(StepContext& context, NodeJob& job) const override;

    bool IsPlain() const override
    {
        return true;
    }

    /// True: clipping covers the whole gradient of each example, and noise covers the whole sum.
    bool ProtectsOwnPart() const override
    {
        return true;
    }
};

/**
 * @brief Step along a moving average of the noisy gradients of several rounds: the progressive
 *        gradient fusion of Wu et al. (ADP-VRSGP, Algorithm 2).
 *
 * Let G_t be the sum of the clipped gradients of round t plus its noise. The average is F_t = (1 -
 * theta) G_t + theta F_{t-1}. The average restarts with F_t = G_t in the first round of a block. It
 * also restarts if F_{t-1} is 0, as it is after a crash in which the node lost its state. The step
 * is z <- z - stepSize * F_t / divisor, with z the model.
 *
 * Rounds t with equal floor((T - t) / tau) form a block, with the number of rounds T and the block
 * length tau. The noise schedule has the same blocks. If tau divides T, the first block consists of
 * round 0 only.
 *
 * The average is post-processing of noisy gradients, so each round is one release.
 */
class FusedStep : public LocalStep
{
  public:
    /**
     * @param tau number of rounds in a block, at least 1
     * @param theta weight of the previous average F_{t-1}, in [0, 1)
     */
    FusedStep(Round tau, double theta);

    std::size_t MemoryVectors() const override
    {
        return 1;
    }

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    Round m_tau;    ///< number of rounds in a block, >= 1
    double m_theta; ///< weight of the previous average, in [0, 1)
};

/**
 * @brief Index of the block of FusedStep that contains a round; the first block is 0.
 * @param round round t, below @p rounds
 * @param rounds number of rounds T
 * @param tau number of rounds in a block, at least 1
 * @return floor(T / tau) - floor((T - t) / tau)
 */
Round BlockOf(Round round, Round rounds, Round tau);

/**
 * @brief Trains first the local parameters, without noise, and then the shared parameters, with
 *        noise (PartPSP; Zhou, Xue and Chen, arXiv:2602.11544, equations 23 to 25).
 *
 * Both updates use the same batch. `own` are the local parameters, `shared` the shared parameters,
 * g_own and g_shared their gradient sums, and N the noise. The first update runs before the second:
 *
 *     own    <- own - ratio * stepSize * g_own(shared, own) / divisor
 *     shared <- shared - stepSize * (clip(g_shared(shared, own) / divisor) + N)
 *
 * clip() clips the mean gradient of the batch as a whole, in the L1 norm, over all shared
 * parameters. If all parameters are shared, only the second update runs.
 */
class PartialStep : public LocalStep
{
  public:
    /**
     * @param ratio step size of the local parameters divided by that of the shared parameters
     * @param moves false: no gradients are computed, and only the noise changes the shared
     *        parameters
     */
    PartialStep(double ratio, bool moves);

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    void TrainOwnPart(StepContext& context, NodeJob& job, const Batch& batch) const;

    double m_ratio; ///< step size of local parameters divided by that of shared parameters
    bool m_moves;   ///< false: only the noise changes the shared parameters
};

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_STEP_H
