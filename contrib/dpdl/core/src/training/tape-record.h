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
 * An example's gradient with respect to the operation's parameters is a function of its input and
 * of the loss gradient with respect to its output.
 */
class TapeRecord
{
  public:
    virtual ~TapeRecord() = default;

    /**
     * @brief squares[i] += the squared norm of example i's gradient.
     * @param outputGradient gradient of the sum of all losses, in the shape of the output; is kept
     * @param[in,out] squares [examples] in double precision, on the device of the gradient
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
 * @brief Record of a tape on the host, which accesses tensors by pointer.
 *
 * Products and sums use the native kernels.
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
    const ParameterTensor* first{nullptr};  ///< weight, scale, or the only tensor
    const ParameterTensor* second{nullptr}; ///< bias or shift; null: none
};

/// Input of a normalisation, with its statistics.
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

    /// of a convolution with this @p input
    Record (*conv)(const ConvOp& op, const RecordPlace& place, const at::Tensor& input);
    /// of a linear layer with this @p input
    Record (*linear)(const RecordPlace& place, const at::Tensor& input);
    /// of a group normalisation
    Record (*groupNorm)(const GroupNormOp& op, const RecordPlace& place, const NormInput& input);
    /// of a layer normalisation
    Record (*layerNorm)(const RecordPlace& place, const NormInput& input);
    /// of a ParameterOp
    Record (*free)(const RecordPlace& place);
};

/// Records for tensors on the host.
const RecordMaker& HostRecords();

/// Records for tensors on any device: they use tensor operations only, and the host reads no value.
const RecordMaker& TensorRecords();

/// Records of HostRecords() for convolutions and linear layers.
std::unique_ptr<TapeRecord> RecordConv(const ConvOp& op,
                                       const RecordPlace& place,
                                       const at::Tensor& input);
std::unique_ptr<TapeRecord> RecordLinear(const RecordPlace& place, const at::Tensor& input);

/**
 * @brief True if ghost norms, products over all pairs of positions, take less time than
 *        materialised gradients [out, in] of a weight.
 */
bool IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out);

/// Bound on the error of a squared ghost norm, as a multiple of the square of the sum of the norms
/// of its terms. @param positions of an example @param in of a weight @param out of a weight
double GhostRounding(std::int64_t positions, std::int64_t in, std::int64_t out);

/// Windows of a convolution on some images, or on one (im2col): [.., channels * rows * columns of
/// the window, positions].
at::Tensor Windows(const ConvOp& op, const at::Tensor& images);

/// Materialised per-example gradients with respect to one parameter tensor.
class ExampleGradients
{
  public:
    /**
     * @param tensor the parameters
     * @param rows one for each example: its gradient, in the order of the tensor
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
