// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_TENSOR_CLIP_STEP_H
#define DPDL_ALGORITHM_TENSOR_CLIP_STEP_H

#include "dpdl/training/local-step.h"

namespace dpdl
{

/**
 * @brief Several gradient steps a round, each gradient clipped tensor by tensor (Wei et al., ICDCS
 *        2021, Fed-CDP).
 *
 * z <- z - stepSize * (sum_j c(g_j) + N) / divisor, with a batch and noise of its own each time.
 * c clips each of the model's T tensors to clip / sqrt(T), so that a whole clipped gradient has an
 * L2 norm of at most clip: that is what one example moves the sum by.
 */
class TensorClipStep : public LocalStep
{
  public:
    /// @param iterations L, gradient steps a round, at least 1
    explicit TensorClipStep(std::uint32_t iterations);

    std::uint32_t Iterations() const override;
    void Run(StepContext& context, NodeJob& job) const override;

  private:
    std::uint32_t m_iterations; ///< L
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_TENSOR_CLIP_STEP_H
