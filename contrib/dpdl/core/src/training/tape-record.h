// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TAPE_RECORD_H
#define DPDL_TRAINING_TAPE_RECORD_H

#include "dpdl/training/model.h"
#include "tape.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace dpdl
{

/**
 * @brief What is kept of one operation from the forward pass until gradients are clipped.
 *
 * The gradient of an example with respect to the operation's parameters is a function of what the
 * example put into it and of the loss's gradient with respect to what came out.
 */
class TapeRecord
{
  public:
    virtual ~TapeRecord() = default;

    /**
     * @brief squares[i] += the squared norm of example i's gradient.
     * @param outputGradient of the sum of all losses, as the output is shaped; is kept
     * @param[in,out] squares one for each example
     */
    virtual void AddSquaredNorms(const at::Tensor& outputGradient, double* squares) = 0;

    /**
     * @brief Adds factors[i] * gradient i for all examples, after AddSquaredNorms(). Each gradient
     *        is complete before it is added.
     * @param factors [examples]
     * @param[in,out] sum of the whole model's gradients, [ParameterCount()]
     */
    virtual void AddClipped(const double* factors, double* sum) const = 0;
};

/// Where an operation's parameters are in the flat vector.
struct RecordPlace
{
    const ParameterTensor* first{nullptr};  ///< weight, scale, or the only one
    const ParameterTensor* second{nullptr}; ///< bias or shift; null: none
};

/// Record of a convolution. @param input what goes in
std::unique_ptr<TapeRecord> RecordConv(const ConvOp& op,
                                       const RecordPlace& place,
                                       const at::Tensor& input);

/// Record of a linear layer. @param input what goes in
std::unique_ptr<TapeRecord> RecordLinear(const RecordPlace& place, const at::Tensor& input);

/// What a normalisation found in its input, and the input itself.
struct NormInput
{
    at::Tensor values;           ///< the input
    at::Tensor mean;             ///< of each group, or of each token
    at::Tensor inverseDeviation; ///< of each group, or of each token
};

/// Record of a group normalisation.
std::unique_ptr<TapeRecord> RecordGroupNorm(const GroupNormOp& op,
                                            const RecordPlace& place,
                                            const NormInput& input);

/// Record of a layer normalisation.
std::unique_ptr<TapeRecord> RecordLayerNorm(const RecordPlace& place, const NormInput& input);

/// Record of a tensor that every example sees as it is.
std::unique_ptr<TapeRecord> RecordFree(const RecordPlace& place);

/// The gradients of all examples with respect to one parameter tensor, each written out.
class ExampleGradients
{
  public:
    /**
     * @param tensor the parameters
     * @param rows one for each example; the values of a row are those of the tensor
     */
    ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows);

    /// squares[i] += the squared norm of row i.
    void AddSquaredNorms(double* squares) const;

    /// Adds factors[i] * row i for all rows to the gradient sum of the model.
    void AddClipped(const double* factors, double* sum) const;

  private:
    const ParameterTensor* m_tensor; ///< the parameters
    at::Tensor m_rows;               ///< [examples, size]
};

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_RECORD_H
