// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_ENGINE_H
#define DPDL_TRAINING_TORCH_ENGINE_H

#include "dpdl/training/gradient-engine.h"

namespace dpdl
{

/**
 * @brief Gradients by LibTorch's autograd, one example at a time.
 *
 * Shares no arithmetic with NativeEngine and is written to be obviously right: what the native
 * engine computes is compared with it.
 */
class TorchEngine : public GradientEngine
{
  public:
    /// @param model what it computes
    explicit TorchEngine(ModelSpec model);

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   float* gradientSum) override;

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    ModelSpec m_model; ///< what it computes
};

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_ENGINE_H
