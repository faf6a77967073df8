// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TAPE_RECORD_H
#define DPDL_TRAINING_TAPE_RECORD_H

#include "dpdl/training/model.h"
#include "tape.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cstdint>
#include <memory>

namespace dpdl
{

/**
 * @brief Record of one operation: values that are kept from the forward pass until gradients are
 *        clipped.
 *
 * The gradient of an example with respect to the operation's parameters is a function of two
 * values: the operation's input, and the gradient of the objective with respect to its output.
 */
class TapeRecord
{
  public:
    virtual ~TapeRecord() = default;

    /**
     * @brief Adds to squares[i] the squared norm of example i's gradient with respect to the
     *        operation's parameters.
     * @param outputGradient gradient of the sum of all objectives with respect to the output; the
     *        record keeps it
     * @param[in,out] squares [examples] sums of squares in double precision, on the device of the
     *        gradient
     */
    virtual void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) = 0;

    /**
     * @brief Adds factors[i] times the gradient of example i, for all examples. Call it after
     *        AddSquaredNorms(). As SumRounding() assumes, the gradient of each example is summed
     *        over positions before it is added.
     * @param factors [examples] clip factors, in double precision
     * @param[in,out] sum [ParameterCount()] clipped gradient sum of the whole model, in double
     *        precision
     */
    virtual void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const = 0;
};

/// Parameter tensors of the operation of a record. The tensors must outlive the record.
struct RecordPlace
{
    const ParameterTensor* first{nullptr};  ///< weight or scale, or the only tensor of the
                                            ///< operation
    const ParameterTensor* second{nullptr}; ///< bias or shift; null: the operation has none
    bool byKernels{false}; ///< true: the native kernels read the tensors, which are in host memory
};

/// Input of a normalisation, with the statistics of the forward pass.
struct NormInput
{
    at::Tensor values; ///< [examples, ...] input values of the normalisation
    at::Tensor mean;   ///< mean of each group [examples, groups], or of each token in a layer
                       ///< normalisation
    at::Tensor inverseDeviation; ///< 1 / standard deviation of each group or token
};

/// Makes the record of a convolution.
/// @param input input of the forward pass, [examples, in channels, rows, columns]
std::unique_ptr<TapeRecord> RecordConv(const ConvOp& op,
                                       const RecordPlace& place,
                                       const at::Tensor& input);
/// Makes the record of a linear layer.
/// @param input input of the forward pass, [examples, .., in]
std::unique_ptr<TapeRecord> RecordLinear(const RecordPlace& place, const at::Tensor& input);
/// Makes the record of a group normalisation.
/// @param input input of the forward pass; its mean and inverseDeviation are [examples, groups]
std::unique_ptr<TapeRecord> RecordGroupNorm(const RecordPlace& place, const NormInput& input);
/// Makes the record of a layer normalisation.
/// @param input input of the forward pass, [examples, tokens, width]
std::unique_ptr<TapeRecord> RecordLayerNorm(const RecordPlace& place, const NormInput& input);
/// Makes the record of a ParameterOp, which has no input.
std::unique_ptr<TapeRecord> RecordFree(const RecordPlace& place);

/// Splits examples into groups whose gradients take at most 256 MiB in double precision, or into
/// single examples. Calls @p work(first, count) for each group.
/// @param examples number of examples
/// @param size number of values of one gradient
template <typename Work>
void
ForParts(std::int64_t examples, std::int64_t size, const Work& work)
{
    constexpr std::int64_t MOST_DOUBLES = std::int64_t{1} << 25;
    const std::int64_t most = std::max<std::int64_t>(1, MOST_DOUBLES / size);
    for (std::int64_t first = 0; first < examples; first += most)
    {
        work(first, std::min(most, examples - first));
    }
}

/// View of the part of a model's gradient sum that belongs to one parameter tensor.
/// @param sum [ParameterCount()]
/// @return [tensor.size]
at::Tensor PartOf(const at::Tensor& sum, const ParameterTensor& tensor);

/// Per-example gradients with respect to one parameter tensor, materialised for all examples.
class ExampleGradients
{
  public:
    /**
     * @param tensor parameter tensor to which the gradients belong; must outlive this object
     * @param rows [examples, ...] one gradient per example, in the order of the tensor
     * @param byKernels true: the native kernels read the tensors, which are in host memory
     */
    ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows, bool byKernels);

    /// Adds to squares[i] the squared L2 norm of example i's gradient.
    /// @param[in,out] squares [examples]
    void AddSquaredNorms(const at::Tensor& squares) const;

    /// Adds factors[i] times the gradient of example i, for all examples, to the model's gradient
    /// sum.
    /// @param factors [examples] clip factors
    /// @param[in,out] sum [ParameterCount()]
    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const;

  private:
    const ParameterTensor* m_tensor; ///< parameter tensor to which the gradients belong
    at::Tensor m_rows;               ///< [examples, size] one gradient per row
    bool m_byKernels; ///< true: the native kernels read the tensors, which are in host memory
};

/**
 * @brief Adds the clipped gradients of a weight matrix with the native kernels. The gradient of
 *        each example is summed over positions before it is added. Rows of the sum are processed in
 *        ranges that stay in the cache.
 * @param inputs [examples, positions, in]; a position is one application of the weight to an
 *        example, such as a token
 * @param gradients [examples, positions, out] output gradients
 * @param factors [examples] clip factors, in double precision
 * @param[in,out] sum [out, in]
 */
void AddProductsOnHost(const at::Tensor& inputs,
                       const at::Tensor& gradients,
                       const at::Tensor& factors,
                       double* sum);

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_RECORD_H
