// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Records of a tape, on the host and on devices. Each chooses between materialised per-example
// gradients and ghost norms, by cost.

#include "dpdl/training/clip-rule.h"
#include "tape-record.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mv.h>
#include <algorithm>
#include <vector>

namespace dpdl
{

namespace
{

/// Materialising a gradient moves it through memory three times. In that time the ghost norm does
/// this number of multiply-adds per element.
constexpr std::int64_t GHOST_WORTH = 8;

/// True if ghost norms, products over all pairs of positions, take less time than materialised
/// gradients [out, in] of a weight.
bool
IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return positions <= static_cast<std::int64_t>(SUM_BLOCK) &&
           positions * positions * (in + out) < GHOST_WORTH * in * out;
}

/// Bound on the error of a squared ghost norm, as a multiple of the square of the sum of the norms
/// of its terms. @param positions of an example @param in of a weight @param out of a weight
double
GhostRounding(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return static_cast<double>(in + out + positions * positions + 4) * 0x1p-52;
}

/// An operation whose per-example gradients are materialised.
class WrittenRecord : public TapeRecord
{
  public:
    void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) override
    {
        m_written = WriteOut(outputGradient);
        for (const ExampleGradients& written : m_written)
        {
            written.AddSquaredNorms(squares);
        }
    }

    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const override
    {
        for (const ExampleGradients& written : m_written)
        {
            written.AddClipped(factors, sum);
        }
    }

  protected:
    /// Gradients with respect to one of the operation's tensors, [examples, ..].
    ExampleGradients Write(const ParameterTensor* tensor, const at::Tensor& gradients) const
    {
        return {*tensor, gradients, m_place.byKernels};
    }

    /// @param place of the operation's parameters
    explicit WrittenRecord(const RecordPlace& place)
        : m_place(place)
    {
    }

    /// Place of the operation's parameters.
    const RecordPlace& Place() const
    {
        return m_place;
    }

  private:
    /// Computes the gradients that are to be materialised.
    virtual std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) = 0;

    RecordPlace m_place;                     ///< tensors of the operation's parameters
    std::vector<ExampleGradients> m_written; ///< gradients that AddSquaredNorms() materialised
};

/**
 * @brief A weight that is applied at one or more positions of each example, with its bias.
 *
 * With input a_t and output gradient d_t at position t, an example's gradient is the sum of d_t
 * a_t'. Either this matrix is materialised, or only its norm is computed: the squared norm is the
 * sum over all pairs of positions of (a_s a_t)(d_s d_t) (ghost norm; Li et al., ICLR 2022), and the
 * clipped sum follows from the same vectors (book-keeping; Bu et al., ICML 2023). The ghost norm is
 * computed in double precision. Its terms may cancel, and the clip bound depends on it, so a bound
 * on the rounding error is added: it is an upper bound. The products d_t a_t' of an example are
 * summed in double precision before they are added to those of others, as SumRounding() assumes.
 *
 * Inputs are [examples, groups, in, positions], output gradients [examples, groups, out,
 * positions].
 */
class MatrixRecord : public WrittenRecord
{
  public:
    void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) override
    {
        WrittenRecord::AddSquaredNorms(outputGradient, squares);
        if (m_isGhost)
        {
            AddGhostNorms(squares);
        }
    }

    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const override
    {
        WrittenRecord::AddClipped(factors, sum);
        if (m_isGhost)
        {
            AddGhosts(factors, PartOf(sum, *Place().first));
        }
    }

  protected:
    using WrittenRecord::WrittenRecord;

  private:
    /// Inputs of @p count examples from @p first on.
    virtual at::Tensor Inputs(std::int64_t first, std::int64_t count) const = 0;

    at::Tensor AllInputs() const
    {
        return Inputs(0, m_outputGradient.size(0)).squeeze(1);
    }

    /// The output gradient as [examples, groups, out, positions].
    virtual at::Tensor Shaped(const at::Tensor& outputGradient) const = 0;

    std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) override
    {
        m_outputGradient = Shaped(outputGradient);
        const std::int64_t out = m_outputGradient.size(2);
        const std::int64_t in =
            static_cast<std::int64_t>(Place().first->size) / (m_outputGradient.size(1) * out);
        m_isGhost =
            m_outputGradient.size(1) == 1 && IsGhostCheaper(m_outputGradient.size(3), in, out);
        std::vector<ExampleGradients> written;
        if (Place().second != nullptr)
        {
            written.push_back(Write(Place().second, m_outputGradient.sum(-1)));
        }
        if (!m_isGhost)
        {
            written.push_back(Write(Place().first, Gradients(in)));
        }
        return written;
    }

    /// Gradients [examples, groups, out, in]; on the host one example after another, so its inputs
    /// stay in the cache.
    at::Tensor Gradients(std::int64_t in) const
    {
        const at::Tensor& d = m_outputGradient;
        const at::Tensor gradients = d.new_empty({d.size(0), d.size(1), d.size(2), in});
        const std::int64_t count = Place().byKernels ? 1 : d.size(0);
        for (std::int64_t first = 0; first < d.size(0); first += count)
        {
            at::Tensor part = gradients.narrow(0, first, count).flatten(0, 1);
            at::bmm_out(part,
                        d.narrow(0, first, count).flatten(0, 1),
                        Inputs(first, count).flatten(0, 1).transpose(1, 2));
        }
        return gradients;
    }

    void AddGhostNorms(const at::Tensor& squares) const
    {
        const at::Tensor in = AllInputs().to(at::kDouble);
        const at::Tensor out = m_outputGradient.squeeze(1).to(at::kDouble);
        const at::Tensor inProducts = at::bmm(in.transpose(1, 2), in);
        const at::Tensor outProducts = at::bmm(out.transpose(1, 2), out);
        const at::Tensor terms = (inProducts.diagonal(0, 1, 2) * outProducts.diagonal(0, 1, 2));
        const double rounding = GhostRounding(in.size(2), in.size(1), out.size(1));
        // Only rounding can make a squared norm negative; NaN stays NaN. The terms may cancel but
        // their errors do not.
        squares.add_((inProducts * outProducts).sum({1, 2}).clamp_min(0.0));
        squares.add_(terms.sqrt().sum(1).square(), rounding);
    }

    /// Each gradient is complete before it is added.
    void AddGhosts(const at::Tensor& factors, const at::Tensor& sum) const
    {
        const at::Tensor in = AllInputs();
        const at::Tensor out = m_outputGradient.squeeze(1);
        if (Place().byKernels)
        {
            AddProductsOnHost(in.transpose(1, 2),
                              out.transpose(1, 2),
                              factors,
                              sum.data_ptr<double>());
            return;
        }
        if (in.size(2) == 1)
        {
            // With one position, each example's gradient is one outer product.
            const at::Tensor scaled = out.squeeze(2).to(at::kDouble) * factors.unsqueeze(1);
            sum.add_(at::matmul(scaled.t(), in.squeeze(2).to(at::kDouble)).flatten());
            return;
        }
        ForParts(in.size(0), sum.size(0), [&](std::int64_t first, std::int64_t count) {
            const at::Tensor gradients =
                at::bmm(out.narrow(0, first, count).to(at::kDouble),
                        in.narrow(0, first, count).to(at::kDouble).transpose(1, 2));
            sum.add_(at::mv(gradients.flatten(1).t(), factors.narrow(0, first, count)));
        });
    }

    at::Tensor m_outputGradient; ///< output gradient of all examples, shaped as above
    bool m_isGhost{false};       ///< the weight's gradients are not materialised
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
    at::Tensor Inputs(std::int64_t first, std::int64_t count) const override
    {
        const at::Tensor images = m_input.narrow(0, first, count);
        const at::Tensor windows =
            at::im2col(images, m_op.kernel, {1, 1}, m_op.padding, m_op.stride);
        return windows.reshape({windows.size(0), m_op.groups, -1, windows.size(2)});
    }

    at::Tensor Shaped(const at::Tensor& outputGradient) const override
    {
        const std::int64_t out = outputGradient.size(1) / m_op.groups;
        return outputGradient.reshape({outputGradient.size(0), m_op.groups, out, -1});
    }

    ConvOp m_op;        ///< the convolution
    at::Tensor m_input; ///< [examples, in, rows, columns]
};

class LinearRecord : public MatrixRecord
{
  public:
    LinearRecord(const RecordPlace& place, const at::Tensor& input)
        : MatrixRecord(place),
          m_input(PositionsLast(input))
    {
    }

  private:
    /// [examples, .., values] as [examples, 1, values, positions].
    static at::Tensor PositionsLast(const at::Tensor& values)
    {
        return values.reshape({values.size(0), 1, -1, values.size(-1)}).transpose(2, 3);
    }

    at::Tensor Inputs(std::int64_t first, std::int64_t count) const override
    {
        return m_input.narrow(0, first, count);
    }

    at::Tensor Shaped(const at::Tensor& outputGradient) const override
    {
        return PositionsLast(outputGradient);
    }

    at::Tensor m_input; ///< [examples, 1, in, positions]
};

class GroupNormRecord : public WrittenRecord
{
  public:
    GroupNormRecord(const RecordPlace& place, const NormInput& input)
        : WrittenRecord(place),
          m_input(input)
    {
    }

  private:
    std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) override
    {
        const at::Tensor& x = m_input.values;
        const at::Tensor groups = x.reshape({x.size(0), m_input.mean.size(1), -1});
        const at::Tensor normal =
            (groups - m_input.mean.unsqueeze(2)) * m_input.inverseDeviation.unsqueeze(2);
        const at::Tensor products = outputGradient * normal.reshape(x.sizes());
        return {Write(Place().first, products.flatten(2).sum(2)),
                Write(Place().second, outputGradient.flatten(2).sum(2))};
    }

    NormInput m_input; ///< input; mean and inverse deviation [examples, groups]
};

class LayerNormRecord : public WrittenRecord
{
  public:
    LayerNormRecord(const RecordPlace& place, const NormInput& input)
        : WrittenRecord(place),
          m_normal((input.values - input.mean) * input.inverseDeviation)
    {
    }

  private:
    std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) override
    {
        return {Write(Place().first, SumOfTokens(outputGradient * m_normal)),
                Write(Place().second, SumOfTokens(outputGradient))};
    }

    /// [examples, .., width] to [examples, width].
    static at::Tensor SumOfTokens(const at::Tensor& values)
    {
        return values.reshape({values.size(0), -1, values.size(-1)}).sum(1);
    }

    at::Tensor m_normal; ///< the input, normalised
};

class FreeRecord : public WrittenRecord
{
  public:
    explicit FreeRecord(const RecordPlace& place)
        : WrittenRecord(place)
    {
    }

  private:
    std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) override
    {
        return {Write(Place().first, outputGradient)};
    }
};

} // namespace

std::unique_ptr<TapeRecord>
RecordConv(const ConvOp& op, const RecordPlace& place, const at::Tensor& input)
{
    return std::make_unique<ConvRecord>(op, place, input);
}

std::unique_ptr<TapeRecord>
RecordLinear(const RecordPlace& place, const at::Tensor& input)
{
    return std::make_unique<LinearRecord>(place, input);
}

std::unique_ptr<TapeRecord>
RecordGroupNorm(const RecordPlace& place, const NormInput& input)
{
    return std::make_unique<GroupNormRecord>(place, input);
}

std::unique_ptr<TapeRecord>
RecordLayerNorm(const RecordPlace& place, const NormInput& input)
{
    return std::make_unique<LayerNormRecord>(place, input);
}

std::unique_ptr<TapeRecord>
RecordFree(const RecordPlace& place)
{
    return std::make_unique<FreeRecord>(place);
}

} // namespace dpdl
