// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PARTIAL_STEP_H
#define DPDL_TRAINING_PARTIAL_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

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

#endif // DPDL_TRAINING_PARTIAL_STEP_H
