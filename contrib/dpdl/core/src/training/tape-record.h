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

/// Place of an operation's parameters in the flat vector.
struct RecordPlace
{
    const ParameterTensor* first{nullptr};  ///< weight, scale, or the only tensor
    const ParameterTensor* second{nullptr}; ///< bias or shift; null: none
    bool byKernels{false}; ///< tensors are on the host, where the native kernels read them
};

/// Input of a normalisation, with its statistics.
struct NormInput
{
    at::Tensor values;           ///< values that are normalised
    at::Tensor mean;             ///< mean of each group, or of each token
    at::Tensor inverseDeviation; ///< 1 / standard deviation of each group, or of each token
};

/// Record of a convolution with this @p input.
std::unique_ptr<TapeRecord> RecordConv(const ConvOp& op,
                                       const RecordPlace& place,
                                       const at::Tensor& input);
/// Record of a linear layer with this @p input.
std::unique_ptr<TapeRecord> RecordLinear(const RecordPlace& place, const at::Tensor& input);
/// Record of a group normalisation with this @p input.
std::unique_ptr<TapeRecord> RecordGroupNorm(const RecordPlace& place, const NormInput& input);
/// Record of a layer normalisation with this @p input.
std::unique_ptr<TapeRecord> RecordLayerNorm(const RecordPlace& place, const NormInput& input);
/// Record of a ParameterOp.
std::unique_ptr<TapeRecord> RecordFree(const RecordPlace& place);

/// Calls @p work(first, count) for groups of examples whose gradients take at most 256 MiB in
/// double precision, or for single ones. @param size of one gradient
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

/// View of a tensor's part in the gradient sum of the whole model.
at::Tensor PartOf(const at::Tensor& sum, const ParameterTensor& tensor);

/// Materialised per-example gradients with respect to one parameter tensor.
class ExampleGradients
{
  public:
    /**
     * @param tensor the parameters
     * @param rows one for each example: its gradient, in the order of the tensor
     * @param byKernels true: tensors are on the host, where the native kernels read them
     */
    ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows, bool byKernels);

    /// squares[i] += the squared norm of row i.
    void AddSquaredNorms(const at::Tensor& squares) const;

    /// Adds factors[i] * row i for all rows to the gradient sum of the model.
    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const;

  private:
    const ParameterTensor* m_tensor; ///< parameter tensor to which the gradients belong
    at::Tensor m_rows;               ///< [examples, size] one gradient per row
    bool m_byKernels; ///< true: the native kernels read the tensors, which are on the host
};

/**
 * @brief Adds per-example gradients of a weight, each of which is complete before it is added, by
 *        the native kernels. It takes a few rows of the sum at a time, which stay in the cache.
 * @param inputs [examples, positions, in]
 * @param gradients [examples, positions, out]
 * @param factors [examples] in double precision
 * @param[in,out] sum [out, in]
 */
void AddProductsOnHost(const at::Tensor& inputs,
                       const at::Tensor& gradients,
                       const at::Tensor& factors,
                       double* sum);

} // namespace dpdl

#endif // DPDL_TRAINING_TAPE_RECORD_H
