// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_SUM_H
#define DPDL_TRAINING_GRADIENT_SUM_H

#include "dpdl/training/model.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// Sum of clipped gradients in two levels: within blocks of at most SUM_BLOCK examples, then over
/// blocks. SumRounding() bounds the rounding error of this order of additions.
class GradientSum
{
  public:
    /// @param total [size] the sum, overwritten; complete after Finish()
    /// @param size number of values of a gradient
    GradientSum(double* total, std::size_t size);

    /// Returns the buffer [size] to which the caller adds the clipped gradients of the next
    /// examples. The buffer is valid until the next call.
    /// @param examples number of the next examples, at most SUM_BLOCK
    double* Next(std::size_t examples);

    /// Adds the last block to the total. The caller must call it once, after the last gradient.
    void Finish();

  private:
    double* m_total;    ///< sum of the finished blocks, or of the current block if it is the first
    std::size_t m_size; ///< number of values of a gradient
    std::vector<double> m_block; ///< sum of the current block; empty in the first block
    std::size_t m_examples{0};   ///< number of examples in the current block
};

/// Target and objective of one example, to which its logits are compared.
struct ExampleTarget
{
    Loss loss;          ///< objective of the model
    std::size_t logits; ///< number of logits; 1 for a regression
    double label;       ///< correct class, or target value of a regression
};

/**
 * @brief Objective of one example.
 * @param aim objective and target
 * @param logits [aim.logits]; the result is not finite if a logit is NaN or +infinity, or if the
 *        label's logit is -infinity
 * @param[out] gradient [aim.logits] derivative of the objective with respect to the logits; may be
 *        null
 * @return value of the objective
 */
double ExampleLoss(const ExampleTarget& aim, const float* logits, float* gradient);

/// True if the logits give the correct answer, as Evaluation::correct defines it.
bool IsRight(const ExampleTarget& aim, const float* logits);

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_SUM_H
