// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Subclasses of TapeRecord for the kinds of operations on a tape. They compute the norms and the
// clipped sum of per-example gradients, on the host or on a device. For each weight matrix they use
// the cheaper method: materialised per-example gradients or ghost norms.

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

/// Cost of materialising one element of a gradient, in multiply-adds of a ghost norm that take the
/// same time. The element moves through memory three times.
constexpr std::int64_t GHOST_WORTH = 8;

/// True if ghost norms, which need products over all pairs of positions, are estimated to be faster
/// than materialised gradients [out, in] of a weight.
/// @param positions number of positions per example
bool
IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return positions <= static_cast<std::int64_t>(SUM_BLOCK) &&
           positions * positions * (in + out) < GHOST_WORTH * in * out;
}

/// Upper bound on the rounding error of a squared ghost norm, divided by the square of the sum over
/// positions t of |a_t| |d_t|, with the input a_t and the output gradient d_t.
/// @param positions number of positions per example
/// @param in number of inputs of the weight
/// @param out number of outputs of the weight
double
GhostRounding(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return static_cast<double>(in + out + positions * positions + 4) * 0x1p-52;
}

/// Base of records that materialise the gradient of each example.
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
    /// Wraps the per-example @p gradients [examples, ...] with respect to one parameter tensor.
    ExampleGradients Write(const ParameterTensor* tensor, const at::Tensor& gradients) const
    {
        return {*tensor, gradients, m_place.byKernels};
    }

    /// @param place parameter tensors of the operation
    explicit WrittenRecord(const RecordPlace& place)
        : m_place(place)
    {
    }

    /// Parameter tensors of the operation.
    const RecordPlace& Place() const
    {
        return m_place;
    }

  private:
    /// Computes the per-example gradients that are materialised.
    /// @param outputGradient gradient with respect to the operation's output
    /// @return one entry for each parameter tensor whose gradients are materialised
    virtual std::vector<ExampleGradients> WriteOut(const at::Tensor& outputGradient) = 0;

    /// Descriptions of the operation's parameter tensors, such as their offsets in the flat vector.
    RecordPlace m_place;
    std::vector<ExampleGradients> m_written; ///< gradients of the last AddSquaredNorms()
};

/**
 * @brief Record of a weight matrix, with its bias, that is applied at one or more positions of each
 *        example.
 *
 * At position t let a_t be the input and d_t the output gradient. The gradient of an example is the
 * matrix sum over t of d_t a_t'. Either this matrix is materialised, or only its norm is computed:
 * the squared norm is the sum over all pairs of positions s, t of the products of inner products
 * (a_s' a_t)(d_s' d_t) (ghost norm; Li et al., ICLR 2022). The clipped sum is computed from the
 * same vectors (book-keeping; Bu et al., ICML 2023).
 *
 * The sum over pairs is computed in double precision. Its terms may cancel, so its relative
 * rounding error may be large, and a norm that is too small would give a clip factor that is too
 * large. So an upper bound on the rounding error is added, and the result is an upper bound on the
 * squared norm. As SumRounding() assumes, the products of an example are summed over positions
 * before they are added to the clipped sum.
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
    /// Inputs of the examples [first, first + count): [count, groups, in, positions].
    virtual at::Tensor Inputs(std::int64_t first, std::int64_t count) const = 0;

    at::Tensor AllInputs() const
    {
        return Inputs(0, m_outputGradient.size(0)).squeeze(1);
    }

    /// Reshapes the output gradient to [examples, groups, out, positions].
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

    /// Materialised per-example gradients, [examples, groups, out, in]. On the host they are
    /// computed one example at a time, so the inputs of an example stay in the cache.
    /// @param in number of inputs of the weight in a group
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
        // Rounding can make the sum negative, so it is clamped; NaN stays NaN. Terms of the sum may
        // cancel. So the bound on the rounding error is computed from their absolute values and
        // added separately.
        squares.add_((inProducts * outProducts).sum({1, 2}).clamp_min(0.0));
        squares.add_(terms.sqrt().sum(1).square(), rounding);
    }

    /// Adds the clipped gradients of all examples. The gradient of each example is summed over
    /// positions before it is added.
    /// @param factors [examples] clip factors
    /// @param[in,out] sum [out * in]
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
            // With one position, an example's gradient is one outer product, so one matrix product
            // adds all examples.
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

    at::Tensor m_outputGradient; ///< [examples, groups, out, positions] output gradient
    bool m_isGhost{false};       ///< true: the weight's gradients are not materialised
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

    ConvOp m_op;        ///< convolution of the record
    at::Tensor m_input; ///< [examples, in channels, rows, columns] input of the forward pass
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
    /// Reshapes [examples, .., values] to [examples, 1, values, positions].
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

    at::Tensor m_input; ///< [examples, 1, in, positions] input of the forward pass
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

    NormInput m_input; ///< input of the forward pass; mean and inverseDeviation are [examples,
                       ///< groups]
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

    /// Sums over all tokens: from [examples, .., width] to [examples, width].
    static at::Tensor SumOfTokens(const at::Tensor& values)
    {
        return values.reshape({values.size(0), -1, values.size(-1)}).sum(1);
    }

    at::Tensor m_normal; ///< normalised input of the forward pass, before scale and shift
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
