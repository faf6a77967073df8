// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Records of a tape on any device. They use tensor operations only: reading a value on the host
// would wait for the device.

#include "tape-record.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mv.h>
#include <algorithm>
#include <vector>

namespace dpdl
{

namespace
{

/// Largest number of gradient values in double precision at a time: 256 MiB.
constexpr std::int64_t MOST_DOUBLES = std::int64_t{1} << 25;

/// Calls @p work(first, count) for groups of examples whose gradients fit MOST_DOUBLES. @param size
/// of one gradient
template <typename Work>
void
ForParts(std::int64_t examples, std::int64_t size, const Work& work)
{
    const std::int64_t most = std::max<std::int64_t>(1, MOST_DOUBLES / size);
    for (std::int64_t first = 0; first < examples; first += most)
    {
        work(first, std::min(most, examples - first));
    }
}

/// View of a tensor's part in the gradient sum of the whole model.
at::Tensor
PartOf(const at::Tensor& sum, const ParameterTensor& tensor)
{
    return sum.narrow(0,
                      static_cast<std::int64_t>(tensor.offset),
                      static_cast<std::int64_t>(tensor.size));
}

/// Materialised per-example gradients with respect to one parameter tensor.
struct WrittenOut
{
    const ParameterTensor* tensor; ///< the parameters
    at::Tensor rows;               ///< [examples, size]

    void AddSquaredNorms(const at::Tensor& squares) const
    {
        ForParts(rows.size(0), rows.size(1), [&](std::int64_t first, std::int64_t count) {
            const at::Tensor part = rows.narrow(0, first, count);
            squares.narrow(0, first, count)
                .add_(at::linalg_vector_norm(part, 2, 1, false, at::kDouble).square());
        });
    }

    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const
    {
        const at::Tensor part = PartOf(sum, *tensor);
        ForParts(rows.size(0), rows.size(1), [&](std::int64_t first, std::int64_t count) {
            part.add_(at::mv(rows.narrow(0, first, count).to(at::kDouble).t(),
                             factors.narrow(0, first, count)));
        });
    }
};

/// An operation whose per-example gradients are materialised.
class WrittenRecord : public TapeRecord
{
  public:
    void AddSquaredNorms(const at::Tensor& outputGradient, const at::Tensor& squares) override
    {
        m_written = WriteOut(outputGradient);
        for (const WrittenOut& written : m_written)
        {
            written.AddSquaredNorms(squares);
        }
    }

    void AddClipped(const at::Tensor& factors, const at::Tensor& sum) const override
    {
        for (const WrittenOut& written : m_written)
        {
            written.AddClipped(factors, sum);
        }
    }

  protected:
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
    virtual std::vector<WrittenOut> WriteOut(const at::Tensor& outputGradient) = 0;

    RecordPlace m_place;               ///< of the operation's parameters
    std::vector<WrittenOut> m_written; ///< in AddSquaredNorms()
};

/**
 * @brief A weight that is applied at one or more positions of each example, with its bias. It works
 *        like MatrixRecord, for all examples at a time.
 *
 * Inputs are [examples, groups, in, positions], output gradients [examples, groups, out,
 * positions].
 */
class TensorMatrixRecord : public WrittenRecord
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
    virtual at::Tensor Inputs() const = 0;

    /// The output gradient in the shape above.
    virtual at::Tensor Shaped(const at::Tensor& outputGradient) const = 0;

    std::vector<WrittenOut> WriteOut(const at::Tensor& outputGradient) override
    {
        m_outputGradient = Shaped(outputGradient);
        const std::int64_t out = m_outputGradient.size(2);
        const std::int64_t in = static_cast<std::int64_t>(Place().first->size) / out;
        m_isGhost =
            m_outputGradient.size(1) == 1 && IsGhostCheaper(m_outputGradient.size(3), in, out);
        std::vector<WrittenOut> written;
        if (Place().second != nullptr)
        {
            written.push_back({Place().second, m_outputGradient.sum(-1).flatten(1)});
        }
        if (!m_isGhost)
        {
            const at::Tensor gradients = at::matmul(m_outputGradient, Inputs().transpose(-2, -1));
            written.push_back({Place().first, gradients.flatten(1)});
        }
        return written;
    }

    /// The ghost norms of MatrixRecord.
    void AddGhostNorms(const at::Tensor& squares) const
    {
        const at::Tensor in = Inputs().squeeze(1).to(at::kDouble);
        const at::Tensor out = m_outputGradient.squeeze(1).to(at::kDouble);
        const at::Tensor inProducts = at::bmm(in.transpose(1, 2), in);
        const at::Tensor outProducts = at::bmm(out.transpose(1, 2), out);
        const at::Tensor terms = (inProducts.diagonal(0, 1, 2) * outProducts.diagonal(0, 1, 2));
        const double rounding = GhostRounding(in.size(2), in.size(1), out.size(1));
        squares.add_((inProducts * outProducts).sum({1, 2}).clamp_min(0.0));
        squares.add_(terms.sqrt().sum(1).square(), rounding);
    }

    /// Each gradient is complete before it is added, as in MatrixRecord.
    void AddGhosts(const at::Tensor& factors, const at::Tensor& sum) const
    {
        const at::Tensor in = Inputs().squeeze(1);
        const at::Tensor out = m_outputGradient.squeeze(1);
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

    at::Tensor m_outputGradient; ///< of all examples, shaped as above
    bool m_isGhost{false};       ///< the weight's gradients are not materialised
};

class TensorConvRecord : public TensorMatrixRecord
{
  public:
    TensorConvRecord(const ConvOp& op, const RecordPlace& place, const at::Tensor& input)
        : TensorMatrixRecord(place),
          m_op(op),
          m_input(input)
    {
    }

  private:
    at::Tensor Inputs() const override
    {
        const at::Tensor windows = Windows(m_op, m_input);
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

class TensorLinearRecord : public TensorMatrixRecord
{
  public:
    TensorLinearRecord(const RecordPlace& place, const at::Tensor& input)
        : TensorMatrixRecord(place),
          m_input(PositionsLast(input))
    {
    }

  private:
    /// [examples, .., values] as [examples, 1, values, positions].
    static at::Tensor PositionsLast(const at::Tensor& values)
    {
        return values.reshape({values.size(0), 1, -1, values.size(-1)}).transpose(2, 3);
    }

    at::Tensor Inputs() const override
    {
        return m_input;
    }

    at::Tensor Shaped(const at::Tensor& outputGradient) const override
    {
        return PositionsLast(outputGradient);
    }

    at::Tensor m_input; ///< [examples, 1, in, positions]
};

class TensorGroupNormRecord : public WrittenRecord
{
  public:
    TensorGroupNormRecord(const RecordPlace& place, const NormInput& input)
        : WrittenRecord(place),
          m_input(input)
    {
    }

  private:
    std::vector<WrittenOut> WriteOut(const at::Tensor& outputGradient) override
    {
        const at::Tensor& x = m_input.values;
        const at::Tensor groups = x.reshape({x.size(0), m_input.mean.size(1), -1});
        const at::Tensor normal =
            (groups - m_input.mean.unsqueeze(2)) * m_input.inverseDeviation.unsqueeze(2);
        const at::Tensor products = outputGradient * normal.reshape(x.sizes());
        return {{Place().first, products.flatten(2).sum(2)},
                {Place().second, outputGradient.flatten(2).sum(2)}};
    }

    NormInput m_input; ///< input; mean and inverse deviation [examples, groups]
};

class TensorLayerNormRecord : public WrittenRecord
{
  public:
    TensorLayerNormRecord(const RecordPlace& place, const NormInput& input)
        : WrittenRecord(place),
          m_normal((input.values - input.mean) * input.inverseDeviation)
    {
    }

  private:
    std::vector<WrittenOut> WriteOut(const at::Tensor& outputGradient) override
    {
        return {{Place().first, SumOfTokens(outputGradient * m_normal)},
                {Place().second, SumOfTokens(outputGradient)}};
    }

    /// [examples, .., width] to [examples, width].
    static at::Tensor SumOfTokens(const at::Tensor& values)
    {
        return values.reshape({values.size(0), -1, values.size(-1)}).sum(1);
    }

    at::Tensor m_normal; ///< the input, normalised
};

class TensorFreeRecord : public WrittenRecord
{
  public:
    explicit TensorFreeRecord(const RecordPlace& place)
        : WrittenRecord(place)
    {
    }

  private:
    std::vector<WrittenOut> WriteOut(const at::Tensor& outputGradient) override
    {
        return {{Place().first, outputGradient.flatten(1)}};
    }
};

} // namespace

const RecordMaker&
TensorRecords()
{
    using Record = RecordMaker::Record;
    static const RecordMaker maker{
        [](const ConvOp& op, const RecordPlace& place, const at::Tensor& input) -> Record {
            return std::make_unique<TensorConvRecord>(op, place, input);
        },
        [](const RecordPlace& place, const at::Tensor& input) -> Record {
            return std::make_unique<TensorLinearRecord>(place, input);
        },
        [](const GroupNormOp& /* op */, const RecordPlace& place, const NormInput& input)
            -> Record { return std::make_unique<TensorGroupNormRecord>(place, input); },
        [](const RecordPlace& place, const NormInput& input) -> Record {
            return std::make_unique<TensorLayerNormRecord>(place, input);
        },
        [](const RecordPlace& place) -> Record {
            return std::make_unique<TensorFreeRecord>(place);
        }};
    return maker;
}

} // namespace dpdl
