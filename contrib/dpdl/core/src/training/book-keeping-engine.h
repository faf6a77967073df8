// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_BOOK_KEEPING_ENGINE_H
#define DPDL_TRAINING_BOOK_KEEPING_ENGINE_H

#include "dpdl/training/gradient-engine.h"
#include "gradient-sum.h"
#include "recorded-function.h"

namespace dpdl
{

/**
 * @brief Clipped gradients of a recorded function: one forward and one backward pass for some
 *        examples at a time, whatever their number (book-keeping; Bu et al., ICML 2023).
 *
 * The pass stops at the outputs of the operations. From these and from the inputs follow the norms
 * of the examples' gradients and, with the clip factors, their sum; there is no second pass.
 */
class BookKeepingEngine : public GradientEngine
{
  public:
    /// @param model with a RecordedFunction and without batch statistics
    explicit BookKeepingEngine(ModelSpec model);

    BatchResult ClippedGradientSum(const float* parameters,
                                   const Batch& batch,
                                   double clip,
                                   double* gradientSum) override;

    Evaluation Evaluate(const float* parameters,
                        const Split& split,
                        std::size_t first,
                        std::size_t count) override;

  private:
    BatchResult AddChunk(const std::vector<at::Tensor>& parameters,
                         const Batch& chunk,
                         double clip,
                         GradientSum& sum) const;

    ModelSpec m_model;                  ///< what it computes
    const RecordedFunction& m_function; ///< the model's
};

} // namespace dpdl

#endif // DPDL_TRAINING_BOOK_KEEPING_ENGINE_H
