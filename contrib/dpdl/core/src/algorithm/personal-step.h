// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PERSONAL_STEP_H
#define DPDL_ALGORITHM_PERSONAL_STEP_H

#include "dpdl/training/local-step.h"

#include <cstddef>

namespace dpdl
{

/**
 * @brief One gradient at (w, theta): the shared part's mean is clipped as a whole and gets noise,
 *        the personal part takes its own mean as it is (Bietti et al., ICML 2022, PPSGD).
 *
 * w <- w - stepSize * (c(mean_w) + N), theta <- theta - stepSize / alpha * mean_theta. Means are
 * over the expected batch size. theta has seen every example of the node in the clear, and every
 * gradient of w depends on it: only a bound on the whole of what leaves protects an example.
 */
class PersonalStep : public LocalStep
{
  public:
    /**
     * @param sharedParts parts of the model that are w, at least 1
     * @param alpha what divides the step of theta, above 0
     */
    PersonalStep(std::size_t sharedParts, double alpha);

    void Run(StepDesk& desk, NodeJob& job) const override;

  private:
    std::size_t m_sharedParts; ///< parts of w
    double m_alpha;            ///< see the constructor
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_PERSONAL_STEP_H
