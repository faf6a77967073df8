// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_SUM_H
#define DPDL_TRAINING_GRADIENT_SUM_H

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

    /// Returns the buffer to add the next examples to. @param examples their number, at most
    /// SUM_BLOCK
    double* Next(std::size_t examples);

    /// Completes the sum.
    void Finish();

  private:
    double* m_total;             ///< sum of the earlier blocks, or of this one if it is the first
    std::size_t m_size;          ///< of a gradient
    std::vector<double> m_block; ///< this block, unless it is the first
    std::size_t m_examples{0};   ///< of this block
};

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_SUM_H
