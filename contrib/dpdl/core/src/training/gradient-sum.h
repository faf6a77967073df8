// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_SUM_H
#define DPDL_TRAINING_GRADIENT_SUM_H

#include "dpdl/training/model.h"

#include <cstddef>
#include <vector>

namespace dpdl
{

/// A sum of clipped gradients in two levels, as SumRounding() assumes: blocks of at most SUM_BLOCK
/// examples, then the sum of the blocks.
class GradientSum
{
  public:
    /// @param total [size], overwritten; complete after Finish() @param size of a gradient
    GradientSum(double* total, std::size_t size);

    /// Returns the buffer to add the next examples to. @param examples number of examples, at most
    /// SUM_BLOCK
    double* Next(std::size_t examples);

    /// Completes the sum.
    void Finish();

  private:
    double* m_total;             ///< sum of the earlier blocks, or of this one if it is the first
    std::size_t m_size;          ///< number of values of a gradient
    std::vector<double> m_block; ///< sum of this block, unless it is the first
    std::size_t m_examples{0};   ///< examples of this block
};

/// Target of one example, to which its logits are compared.
struct ExampleTarget
{
    Loss loss;          ///< kind of loss
    std::size_t logits; ///< number of logits; 1 for the squared error
    double label;       ///< correct class, or target value
};

/**
 * @brief Loss of one example.
 * @param aim loss and target
 * @param logits [aim.logits]; NaN and infinities give a loss that is not finite
 * @param[out] gradient [aim.logits] derivative with respect to the logits; may be null
 * @return the loss
 */
double ExampleLoss(const ExampleTarget& aim, const float* logits, float* gradient);

/// True if the logits are correct; see Evaluation::correct.
bool IsRight(const ExampleTarget& aim, const float* logits);

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_SUM_H
