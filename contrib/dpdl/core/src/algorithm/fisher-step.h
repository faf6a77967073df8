// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_FISHER_STEP_H
#define DPDL_ALGORITHM_FISHER_STEP_H

#include "dpdl/training/local-step.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// The numbers of a FisherStep.
struct FisherStepOptions
{
    double threshold{0.4};    ///< a coordinate is personal above it; 1: none is
    double personalPull{0.1}; ///< lambda_1, holds personal coordinates at z
    double sharedPull{0.05};  ///< lambda_2, brings the others' distance from z to the clip bound
    std::uint32_t passes{2};  ///< gradient steps on the round's batch, at least 1
};

/**
 * @brief Each node keeps the coordinates to itself that its own data says most of (Yang, Huang and
 *        Ye, NeurIPS 2023, FedDPA).
 *
 * The node's own model y takes over z where a coordinate is not personal, then takes gradient steps
 * without clipping or noise. After them the diagonal of the Fisher information at y on the batch,
 * scaled to [0, 1] in each tensor, says which coordinates are personal next. What leaves is all of
 * z - stepSize * (c((z - y) / stepSize) + N): y and the mask, which see the data in the clear,
 * reach others only through c, whose value lies in a ball of radius clip.
 */
class FisherStep : public LocalStep
{
  public:
    explicit FisherStep(const FisherStepOptions& options);

    /// y, and the mask: 1 where a coordinate is personal.
    std::size_t MemoryVectors() const override;
    void Run(StepContext& context, NodeJob& job) const override;

  private:
    void Train(const ModelSpec& model, const NodeJob& job, const float* gradient) const;
    void Personalise(StepContext& context, const Batch& batch, const NodeJob& job) const;

    FisherStepOptions m_options; ///< its numbers
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_FISHER_STEP_H
