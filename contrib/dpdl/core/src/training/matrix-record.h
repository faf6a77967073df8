// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_MATRIX_RECORD_H
#define DPDL_TRAINING_MATRIX_RECORD_H

#include "example-gradients.h"
#include "tape-record.h"

#include <optional>

namespace dpdl
{

/**
 * @brief Record of an operation whose weight meets each example at some positions.
 *
 * At position t an example puts in a vector a_t and gets the output gradient d_t, and its gradient
 * is the sum of d_t a_t'. That matrix is either written out, or only its norm is computed: the
 * squared norm is the sum over all pairs of positions of (a_s a_t)(d_s d_t) (ghost norm; Li et al.,
 * ICLR 2022), and the clipped sum follows from the same vectors (book-keeping; Bu et al., ICML
 * 2023). The ghost norm is computed in double precision. Its terms may cancel, and the clip bound
 * rests on it: it is given as an upper bound, with what rounding may have taken from it added. The
 * products d_t a_t' of an example are added up in double precision before they are added to those
 * of others, so that the sum's rounding is that of SumRounding().
 */
class MatrixRecord : public TapeRecord
{
  public:
    void AddSquaredNorms(const at::Tensor& outputGradient, double* squares) override;
    void AddClipped(const double* factors, double* sum) const override;

  protected:
    /// @param place of weight and bias
    explicit MatrixRecord(const RecordPlace& place);

    /// The gradient of the outputs in the shape that the other methods expect: [examples, ..].
    virtual at::Tensor Shaped(const at::Tensor& outputGradient) const = 0;

    /// What one example puts in: [positions, in].
    virtual at::Tensor Inputs(std::int64_t example) const = 0;

    /// The output gradients of one example: [positions, out].
    virtual at::Tensor OutputGradients(std::int64_t example) const = 0;

    /// The bias's gradient of every example: [examples, out].
    virtual at::Tensor BiasGradients() const = 0;

    /// The output gradients of all examples, as Shaped() gave them.
    const at::Tensor& OutputGradient() const;

    /// Where the parameters lie.
    const RecordPlace& Place() const;

  private:
    void AddGhostNorms(double* squares) const;
    at::Tensor WriteOut() const;
    void AddWeightGradients(const double* factors, double* sum) const;

    RecordPlace m_place;                      ///< of weight and bias
    at::Tensor m_outputGradient;              ///< see OutputGradient()
    std::optional<ExampleGradients> m_weight; ///< where the gradients are written out
    std::optional<ExampleGradients> m_bias;   ///< where there is a bias
};

} // namespace dpdl

#endif // DPDL_TRAINING_MATRIX_RECORD_H
