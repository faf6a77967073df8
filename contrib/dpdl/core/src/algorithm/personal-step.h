// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PERSONAL_STEP_H
#define DPDL_ALGORITHM_PERSONAL_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief One gradient at (w, theta): the shared part's mean is clipped as a whole and gets noise,
 *        the personal part takes its own mean as it is (Bietti et al., ICML 2022, PPSGD).
 *
 * w is what travels: the leading parts that the algorithm shares, or those of option share.
 * w <- w - stepSize * (c(mean_w) + N), theta <- theta - stepSize / alpha * mean_theta. Means are
 * over the expected batch size. theta has seen every example of the node in the clear, and every
 * gradient of w depends on it: only a bound on the whole of what leaves protects an example.
 */
class PersonalStep : public LocalStep
{
  public:
    /// @param alpha what divides the step of theta, above 0
    explicit PersonalStep(double alpha);

    void Run(StepContext& context, NodeJob& job) const override;

  private:
    double m_alpha; ///< see the constructor
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PERSONAL_STEP_H
