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
 * @brief Values of one operation, kept from the forward pass until gradients are clipped.
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
     * @param[in,out] squares [examples] in double precision, where the gradient is
     */
    virtual void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) = 0;

    /**
     * @brief Adds factors[i] * gradient i for all examples, after AddSquaredNorms(). Each gradient
     *        is complete before it is added.
     * @param factors [examples] in double precision
     * @param[in,out] sum of the whole model's gradients, [ParameterCount()] in double precision
     */
    virtual void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const = 0;
};

/**
 * @brief Record of a tape on the host, where all memory can be read and written.
 *
 * The products and sums are those of the project's kernels.
 */
class HostRecord : public TapeRecord
{
  public:
    void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) final
    {
        AddNorms(outputGradient, squares.data_ptr<double>());
    }

    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const final
    {
        AddSum(factors.data_ptr<double>(), sum.data_ptr<double>());
    }

  protected:
    /// AddSquaredNorms() on memory.
    virtual void AddNorms(const at::Tensor& outputGradient, double* squares) = 0;

    /// AddClipped() on memory.
    virtual void AddSum(const double* factors, double* sum) const = 0;
};

/// Place of an operation's parameters in the flat vector.
struct RecordPlace
{
    const ParameterTensor* first{nullptr};  ///< weight, scale, or the only one
    const ParameterTensor* second{nullptr}; ///< bias or shift; null: none
};

/// What a normalisation found in its input, and the input itself.
struct NormInput
{
    at::Tensor values;           ///< the input
    at::Tensor mean;             ///< of each group, or of each token
    at::Tensor inverseDeviation; ///< of each group, or of each token
};

/// Makes the records of a tape, one for each kind of operation.
struct RecordMaker
{
    using Record = std::unique_ptr<TapeRecord>;

    /// of a convolution; @p input is what goes in
    Record (*conv)(const ConvOp& op, const RecordPlace& place, const at::Tensor& input);
    /// of a linear layer; @p input is what goes in
    Record (*linear)(const RecordPlace& place, const at::Tensor& input);
    /// of a group normalisation
    Record (*groupNorm)(const GroupNormOp& op, const RecordPlace& place, const NormInput& input);
    /// of a layer normalisation
    Record (*layerNorm)(const RecordPlace& place, const NormInput& input);
    /// of a tensor that every example sees as it is
    Record (*free)(const RecordPlace& place);
};

/// Records for tensors on the host.
const RecordMaker& HostRecords();

/// Records for tensors anywhere: operations on tensors alone, no value is read by the host.
const RecordMaker& TensorRecords();

/// Records of HostRecords() for convolutions and linear layers.
std::unique_ptr<TapeRecord> RecordConv(const ConvOp& op,
                                       const RecordPlace& place,
                                       const at::Tensor& input);
std::unique_ptr<TapeRecord> RecordLinear(const RecordPlace& place, const at::Tensor& input);

/**
 * @brief True if the norms of a weight's gradients [out, in] take less time from the products of
 *        all pairs of positions (ghost norm) than from the gradients written out.
 */
bool IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out);

/// Bound on the error of a squared ghost norm, as a multiple of the square of the sum of the norms
/// of its terms. @param positions of an example @param in of a weight @param out of a weight
double GhostRounding(std::int64_t positions, std::int64_t in, std::int64_t out);

/// What the windows of a convolution see of some images, or of one: [.., channels * rows * columns
/// of the window, positions].
at::Tensor Windows(const ConvOp& op, const at::Tensor& images);

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
