// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SAM_STEP_H
#define DPDL_ALGORITHM_SAM_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief Several sharpness-aware steps a round that climb along what has been released already
 *        (after Foret et al., ICLR 2021, and Shi et al., ICML 2023).
 *
 * z <- z - stepSize * G / divisor, G = sum_j c(grad f_j(z + rho H / |H|)) + N, with a batch and
 * noise of its own each time, where H is the node's G of the step before, 0 at first. The point at
 * which gradients are taken is a function of released vectors only, so that one example moves the
 * sum by at most the clip bound. A fresh gradient to climb along would be a second release.
 */
class SamStep : public LocalStep
{
  public:
    /**
     * @param iterations L, steps a round, at least 1
     * @param radius rho, how far the gradient's point is from z in L2, at least 0
     */
    SamStep(std::uint32_t iterations, double radius);

    std::uint32_t Iterations() const override;
    /// H.
    std::size_t MemoryVectors() const override;
    void Run(StepContext& context, NodeJob& job) const override;

  private:
    const float* PointOf(StepContext& context, const NodeJob& job) const;

    std::uint32_t m_iterations; ///< L
    double m_radius;            ///< rho
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SAM_STEP_H
