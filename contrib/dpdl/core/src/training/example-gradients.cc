// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "kernels.h"
#include "product-scratch.h"
#include "tape-record.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mv.h>
#include <algorithm>
#include <vector>

// Norms and clipped sums of per-example gradients. On the host they are computed by the native
// kernels. On a device they are computed by tensor operations, because reading a value from a
// device waits for all queued operations.

namespace dpdl
{

namespace
{

/// Number of double-precision sums (512 KiB) that stay in the cache while examples are added.
constexpr std::size_t CACHED_SUMS = 65536;

/// Copies a tensor to host memory that the kernels may read past its last value.
FloatBuffer
BufferOf(const at::Tensor& values)
{
    FloatBuffer buffer(static_cast<std::size_t>(values.numel()));
    at::from_blob(buffer.Data(), values.sizes()).copy_(values);
    return buffer;
}

/// Sizes of a batch and of a weight matrix [out, in], and a range of the matrix's rows. A layer
/// applies the matrix at one or several positions of an example, such as its tokens. The gradient
/// of an example is the sum over positions of the outer product of output gradient and input.
struct RowBlock
{
    std::size_t examples;  ///< number of examples in the batch
    std::size_t positions; ///< number of positions per example, at which the weight is applied
    std::size_t in;        ///< number of values in an input
    std::size_t out;       ///< number of values in an output gradient
    std::size_t row;       ///< index of the first row of the weight gradient in the range
    std::size_t rows;      ///< number of rows of the weight gradient in the range
};

/// Adds the clipped gradients of all examples to a range of rows. With several positions, an
/// example's gradient is summed over positions before it is added.
/// @param block sizes, and the range of rows
/// @param inputs [examples, positions, in]
/// @param gradients [examples, positions, out] output gradients
/// @param factors [examples] clip factors
/// @param[in,out] sum [rows, in]
void
AddRows(const RowBlock& block,
        const float* inputs,
        const float* gradients,
        const double* factors,
        double* sum)
{
    const NativeKernels& kernels = NativeKernelsOf(ResolveSimdLevel());
    // With one position, an example's gradient is one outer product, so one call adds all examples.
    const std::size_t together = block.positions == 1 ? block.examples : 1;
    const std::size_t terms = together * block.positions;
    std::vector<float> left(terms * block.rows);
    std::vector<double> scales(terms);
    ProductScratch scratch(terms, block.rows);
    for (std::size_t i = 0; i < block.examples; i += together)
    {
        const std::size_t first = i * block.positions;
        for (std::size_t t = 0; t < terms; ++t)
        {
            scales[t] = factors[i + t / block.positions];
            std::copy_n(gradients + (first + t) * block.out + block.row,
                        block.rows,
                        left.data() + t * block.rows);
        }
        kernels.addProducts({terms, block.rows, block.in, false, false},
                            left.data(),
                            scales.data(),
                            inputs + first * block.in,
                            scratch.Memory(),
                            sum);
    }
}

} // namespace

at::Tensor
PartOf(const at::Tensor& sum, const ParameterTensor& tensor)
{
    return sum.narrow(0,
                      static_cast<std::int64_t>(tensor.offset),
                      static_cast<std::int64_t>(tensor.size));
}

ExampleGradients::ExampleGradients(const ParameterTensor& tensor,
                                   const at::Tensor& rows,
                                   bool byKernels)
    : m_tensor(&tensor),
      m_rows(byKernels ? rows.flatten(1).contiguous() : rows.flatten(1)),
      m_byKernels(byKernels)
{
}

void
ExampleGradients::AddSquaredNorms(const at::Tensor& squares) const
{
    if (m_byKernels)
    {
        const float* row = m_rows.data_ptr<float>();
        for (std::int64_t i = 0; i < m_rows.size(0); ++i)
        {
            squares.data_ptr<double>()[i] += SquaredNorm(row, m_tensor->size);
            row += m_tensor->size;
        }
        return;
    }
    ForParts(m_rows.size(0), m_rows.size(1), [&](std::int64_t first, std::int64_t count) {
        const at::Tensor part = m_rows.narrow(0, first, count);
        squares.narrow(0, first, count)
            .add_(at::linalg_vector_norm(part, 2, 1, false, at::kDouble).square());
    });
}

void
ExampleGradients::AddClipped(const at::Tensor& factors, const at::Tensor& sum) const
{
    if (m_byKernels)
    {
        AddScaledRows(m_rows.data_ptr<float>(),
                      factors.data_ptr<double>(),
                      static_cast<std::size_t>(m_rows.size(0)),
                      m_tensor->size,
                      sum.data_ptr<double>() + m_tensor->offset);
        return;
    }
    const at::Tensor part = PartOf(sum, *m_tensor);
    ForParts(m_rows.size(0), m_rows.size(1), [&](std::int64_t first, std::int64_t count) {
        part.add_(at::mv(m_rows.narrow(0, first, count).to(at::kDouble).t(),
                         factors.narrow(0, first, count)));
    });
}

void
AddProductsOnHost(const at::Tensor& inputs,
                  const at::Tensor& gradients,
                  const at::Tensor& factors,
                  double* sum)
{
    const auto in = static_cast<std::size_t>(inputs.size(2));
    const auto out = static_cast<std::size_t>(gradients.size(2));
    const FloatBuffer left = BufferOf(gradients);
    const FloatBuffer right = BufferOf(inputs);
    const std::size_t most = std::clamp<std::size_t>(CACHED_SUMS / in, 1, out);
    for (std::size_t row = 0; row < out; row += most)
    {
        const RowBlock block{static_cast<std::size_t>(inputs.size(0)),
                             static_cast<std::size_t>(inputs.size(1)),
                             in,
                             out,
                             row,
                             std::min(most, out - row)};
        AddRows(block, right.Data(), left.Data(), factors.data_ptr<double>(), sum + row * in);
    }
}

} // namespace dpdl
