// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "product-scratch.h"
#include "tape-record.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/mm.h>
#include <algorithm>
#include <optional>

// Records of convolutions and linear layers on the host. Each chooses between materialised per-
// example gradients and ghost norms, by cost.

namespace dpdl
{

namespace
{

/// Materialising a gradient moves it through memory three times. In that time the ghost norm does
/// this number of multiply-adds per element.
constexpr std::int64_t GHOST_WORTH = 8;

/// Sums that stay in the cache while examples are added.
constexpr std::size_t CACHED_SUMS = 65536;

void
CopyTo(const at::Tensor& values, float* to)
{
    at::from_blob(to, values.sizes()).copy_(values);
}

/// Some rows of a weight's gradient, with the sizes of its factors.
struct RowBlock
{
    std::size_t examples;  ///< number of examples
    std::size_t positions; ///< of an example
    std::size_t in;        ///< values of an input
    std::size_t out;       ///< values of an output gradient
    std::size_t row;       ///< the first row
    std::size_t rows;      ///< number of rows
};

/// Adds the per-example gradients, each of which is complete before it is added. @param inputs
/// [examples, positions, in] @param gradients [examples, positions, out] @param sum [rows, in]
void
AddRows(const RowBlock& block,
        const float* inputs,
        const float* gradients,
        const double* factors,
        double* sum)
{
    const NativeKernels& kernels = NativeKernelsOf(ResolveSimdLevel());
    // With one position, each example's gradient is one outer product.
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

/**
 * @brief Record of an operation that applies its weight at one or more positions of each example.
 *
 * With input a_t and output gradient d_t at position t, an example's gradient is the sum of d_t
 * a_t'. Either this matrix is materialised, or only its norm is computed: the squared norm is the
 * sum over all pairs of positions of (a_s a_t)(d_s d_t) (ghost norm; Li et al., ICLR 2022), and the
 * clipped sum follows from the same vectors (book-keeping; Bu et al., ICML 2023). The ghost norm is
 * computed in double precision. Its terms may cancel, and the clip bound depends on it, so a bound
 * on the rounding error is added: it is an upper bound. The products d_t a_t' of an example are
 * summed in double precision before they are added to those of others, as SumRounding() assumes.
 */
class MatrixRecord : public HostRecord
{
    void AddNorms(const at::Tensor& outputGradient, double* squares) override
    {
        m_outputGradient = Shaped(outputGradient);
        if (m_place.second != nullptr)
        {
            m_bias.emplace(*m_place.second, BiasGradients());
            m_bias->AddSquaredNorms(squares);
        }
        const std::int64_t out = m_place.first->shape[0];
        const std::int64_t in = static_cast<std::int64_t>(m_place.first->size) / out;
        const std::int64_t positions = m_outputGradient.numel() / (m_outputGradient.size(0) * out);
        if (IsGhostCheaper(positions, in, out))
        {
            AddGhostNorms(squares);
        }
        else
        {
            m_weight.emplace(*m_place.first, WriteOut());
            m_weight->AddSquaredNorms(squares);
        }
    }

    void AddSum(const double* factors, double* sum) const override
    {
        if (m_bias.has_value())
        {
            m_bias->AddClipped(factors, sum);
        }
        if (m_weight.has_value())
        {
            m_weight->AddClipped(factors, sum);
            return;
        }
        AddWeightGradients(factors, sum + m_place.first->offset);
    }

  protected:
    /// @param place of weight and bias
    explicit MatrixRecord(const RecordPlace& place)
        : m_place(place)
    {
    }

    /// The output gradient in the shape that the other methods expect: [examples, ..].
    virtual at::Tensor Shaped(const at::Tensor& outputGradient) const = 0;

    /// Inputs of one example: [positions, in].
    virtual at::Tensor Inputs(std::int64_t example) const = 0;

    /// The output gradients of one example: [positions, out].
    virtual at::Tensor OutputGradients(std::int64_t example) const = 0;

    /// Per-example gradients of the bias: [examples, out].
    virtual at::Tensor BiasGradients() const = 0;

    /// The output gradients of all examples, the result of Shaped().
    const at::Tensor& OutputGradient() const
    {
        return m_outputGradient;
    }

    /// Place of the parameters in the flat vector.
    const RecordPlace& Place() const
    {
        return m_place;
    }

  private:
    void AddGhostNorms(double* squares) const
    {
        for (std::int64_t i = 0; i < m_outputGradient.size(0); ++i)
        {
            const at::Tensor in = Inputs(i).to(at::kDouble);
            const at::Tensor out = OutputGradients(i).to(at::kDouble);
            const at::Tensor inProducts = at::mm(in, in.t());
            const at::Tensor outProducts = at::mm(out, out.t());
            // Only rounding can make it negative; NaN stays NaN.
            const double square = (inProducts * outProducts).sum().item<double>();
            // The terms may cancel but their errors do not, so the error bound is added.
            const double terms =
                (inProducts.diagonal() * outProducts.diagonal()).sqrt().sum().item<double>();
            const double rounding = GhostRounding(in.size(0), in.size(1), out.size(1));
            squares[i] += (square < 0.0 ? 0.0 : square) + rounding * terms * terms;
        }
    }

    at::Tensor WriteOut() const
    {
        const std::int64_t examples = m_outputGradient.size(0);
        const std::int64_t out = m_place.first->shape[0];
        at::Tensor gradients =
            at::empty({examples, out, static_cast<std::int64_t>(m_place.first->size) / out});
        for (std::int64_t i = 0; i < examples; ++i)
        {
            at::Tensor gradient = gradients[i];
            at::mm_out(gradient, OutputGradients(i).t(), Inputs(i));
        }
        return gradients;
    }

    /// Adds the per-example gradients to a few rows of the weight's sum at a time, which stay in
    /// the cache.
    void AddWeightGradients(const double* factors, double* sum) const
    {
        const auto examples = static_cast<std::size_t>(m_outputGradient.size(0));
        const std::size_t out = m_place.first->shape[0];
        const std::size_t in = m_place.first->size / out;
        const std::size_t positions = m_outputGradient.numel() / (examples * out);
        // The kernels read a few values behind the end.
        FloatBuffer inputs(examples * positions * in);
        FloatBuffer gradients(examples * positions * out);
        for (std::size_t i = 0; i < examples; ++i)
        {
            const auto example = static_cast<std::int64_t>(i);
            CopyTo(Inputs(example), inputs.Data() + i * positions * in);
            CopyTo(OutputGradients(example), gradients.Data() + i * positions * out);
        }
        const std::size_t most = std::clamp<std::size_t>(CACHED_SUMS / in, 1, out);
        for (std::size_t row = 0; row < out; row += most)
        {
            const RowBlock block{examples, positions, in, out, row, std::min(most, out - row)};
            AddRows(block, inputs.Data(), gradients.Data(), factors, sum + row * in);
        }
    }

    RecordPlace m_place;                      ///< of weight and bias
    at::Tensor m_outputGradient;              ///< see OutputGradient()
    std::optional<ExampleGradients> m_weight; ///< if the gradients are materialised
    std::optional<ExampleGradients> m_bias;   ///< if there is a bias
};

class ConvRecord : public MatrixRecord
{
  public:
    ConvRecord(const ConvOp& op, const RecordPlace& place, const at::Tensor& input)
        : MatrixRecord(place),
          m_op(op),
          m_input(input)
    {
    }

  private:
    at::Tensor Shaped(const at::Tensor& outputGradient) const override
    {
        return outputGradient.contiguous();
    }

    at::Tensor Inputs(std::int64_t example) const override
    {
        return Windows(m_op, m_input[example]).t();
    }

    at::Tensor OutputGradients(std::int64_t example) const override
    {
        return OutputGradient()[example].flatten(1).t();
    }

    at::Tensor BiasGradients() const override
    {
        return OutputGradient().sum({2, 3});
    }

    ConvOp m_op;        ///< the convolution
    at::Tensor m_input; ///< [examples, in, rows, columns]
};

/// A grouped convolution, whose per-example gradients are materialised group by group.
class GroupedConvRecord : public HostRecord
{
  public:
    GroupedConvRecord(const ConvOp& op, const RecordPlace& place, const at::Tensor& input)
        : m_op(op),
          m_place(place),
          m_input(input)
    {
    }

  private:
    void AddNorms(const at::Tensor& outputGradient, double* squares) override
    {
        if (m_place.second != nullptr)
        {
            m_bias.emplace(*m_place.second, outputGradient.sum({2, 3}));
            m_bias->AddSquaredNorms(squares);
        }
        m_weight.emplace(*m_place.first, WriteOut(outputGradient));
        m_weight->AddSquaredNorms(squares);
    }

    void AddSum(const double* factors, double* sum) const override
    {
        if (m_bias.has_value())
        {
            m_bias->AddClipped(factors, sum);
        }
        m_weight->AddClipped(factors, sum);
    }

    at::Tensor WriteOut(const at::Tensor& outputGradient) const
    {
        const std::int64_t examples = outputGradient.size(0);
        const std::int64_t out = outputGradient.size(1) / m_op.groups;
        const std::int64_t in = m_input.size(1) / m_op.groups;
        at::Tensor gradients =
            at::empty({examples, m_op.groups, out, in * m_op.kernel[0] * m_op.kernel[1]});
        for (std::int64_t i = 0; i < examples; ++i)
        {
            for (std::int64_t group = 0; group < m_op.groups; ++group)
            {
                at::Tensor gradient = gradients[i][group];
                at::mm_out(gradient,
                           outputGradient[i].narrow(0, group * out, out).flatten(1),
                           Windows(m_op, m_input[i].narrow(0, group * in, in)).t());
            }
        }
        return gradients;
    }

    ConvOp m_op;                              ///< the convolution
    RecordPlace m_place;                      ///< of weight and bias
    at::Tensor m_input;                       ///< [examples, in, rows, columns]
    std::optional<ExampleGradients> m_weight; ///< of all examples
    std::optional<ExampleGradients> m_bias;   ///< if there is a bias
};

class LinearRecord : public MatrixRecord
{
  public:
    LinearRecord(const RecordPlace& place, const at::Tensor& input)
        : MatrixRecord(place),
          m_input(input.reshape({input.size(0), -1, input.size(-1)}))
    {
    }

  private:
    at::Tensor Shaped(const at::Tensor& outputGradient) const override
    {
        const std::int64_t out = outputGradient.size(-1);
        return outputGradient.reshape({outputGradient.size(0), -1, out});
    }

    at::Tensor Inputs(std::int64_t example) const override
    {
        return m_input[example];
    }

    at::Tensor OutputGradients(std::int64_t example) const override
    {
        return OutputGradient()[example];
    }

    at::Tensor BiasGradients() const override
    {
        return OutputGradient().sum(1);
    }

    at::Tensor m_input; ///< [examples, positions, in]
};

} // namespace

bool
IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return positions <= static_cast<std::int64_t>(SUM_BLOCK) &&
           positions * positions * (in + out) < GHOST_WORTH * in * out;
}

double
GhostRounding(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return static_cast<double>(in + out + positions * positions + 4) * 0x1p-52;
}

at::Tensor
Windows(const ConvOp& op, const at::Tensor& images)
{
    return at::im2col(images, op.kernel, {1, 1}, op.padding, op.stride);
}

std::unique_ptr<TapeRecord>
RecordConv(const ConvOp& op, const RecordPlace& place, const at::Tensor& input)
{
    if (op.groups > 1)
    {
        return std::make_unique<GroupedConvRecord>(op, place, input);
    }
    return std::make_unique<ConvRecord>(op, place, input);
}

std::unique_ptr<TapeRecord>
RecordLinear(const RecordPlace& place, const at::Tensor& input)
{
    return std::make_unique<LinearRecord>(place, input);
}

} // namespace dpdl
