// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_PER_EXAMPLE_LOOP_ENGINE_H
#define DPDL_TRAINING_PER_EXAMPLE_LOOP_ENGINE_H

#include "dpdl/training/gradient-engine.h"

#include <memory>

namespace dpdl
{

class TorchForward;

/**
 * @brief Gradients by LibTorch's autograd, one example at a time.
 *
 * Shares no arithmetic with the engines that clip a whole batch at once and is written to be
 * obviously right: what they compute is compared with it. It takes every model.
 *
 * A model with batch statistics has no gradient of an example. Without clipping it gets one pass
 * for the whole batch; the norm in the result is that of the sum. An evaluation takes the
 * statistics of the very images that are evaluated together: there are no others, as everything
 * that learning leaves behind is the parameter vector.
 */
class PerExampleLoopEngine : public GradientEngine
{
  public:
    /// Where the tensors are.
    enum class Place
    {
        HOST, ///< in the memory of this machine
        CUDA, ///< on the first CUDA device, if LibTorch has CUDA and finds one
    };

    /**
     * @param model what it computes
     * @param place where
     * @throws UsageError if LibTorch cannot compute there
     */
    explicit PerExampleLoopEngine(ModelSpec model, Place place = Place::HOST);
    ~PerExampleLoopEngine() override;

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override;

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    BatchResult SumGradients(const float* parameters,
                             const Batch& batch,
                             double clip,
                             double* gradientSum);
    Evaluation EvaluateImages(const float* parameters,
                              const Split& split,
                              std::size_t first,
                              std::size_t count);

    ModelSpec m_model;                       ///< what it computes
    std::unique_ptr<TorchForward> m_forward; ///< the model's
    Place m_place;                           ///< where the tensors are
};

} // namespace dpdl

#endif // DPDL_TRAINING_PER_EXAMPLE_LOOP_ENGINE_H
