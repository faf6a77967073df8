// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "matrix-record.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/mm.h>
#include <algorithm>

namespace dpdl
{

namespace
{

/// Writing a gradient out moves it through memory three times; in that time so many multiply-adds
/// of a ghost norm are done for each of its elements.
constexpr std::int64_t GHOST_WORTH = 8;

bool
IsGhostCheaper(std::int64_t positions, std::int64_t in, std::int64_t out)
{
    return positions * positions * (in + out) < GHOST_WORTH * in * out;
}

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
        const std::int64_t kernel = m_op.kernel;
        const std::int64_t padding = m_op.padding;
        const std::int64_t stride = m_op.stride;
        return at::im2col(m_input[example],
                          {kernel, kernel},
                          {1, 1},
                          {padding, padding},
                          {stride, stride})
            .t();
    }

    at::Tensor OutputGradients(std::int64_t example) const override
    {
        return OutputGradient()[example].flatten(1).t();
    }

    at::Tensor BiasGradients() const override
    {
        return OutputGradient().sum({2, 3});
    }

    at::Tensor WeightGradient(const at::Tensor& outputGradient) const override
    {
        const std::vector<std::uint32_t>& shape = Place().first->shape;
        const at::Tensor weight =
            at::empty({shape[0], shape[1], shape[2], shape[3]}); // its shape alone counts
        return std::get<1>(at::convolution_backward(outputGradient,
                                                    m_input,
                                                    weight,
                                                    c10::nullopt,
                                                    {m_op.stride, m_op.stride},
                                                    {m_op.padding, m_op.padding},
                                                    {1, 1},
                                                    false,
                                                    {0, 0},
                                                    1,
                                                    {false, true, false}));
    }

    ConvOp m_op;        ///< the convolution
    at::Tensor m_input; ///< [examples, in, rows, columns]
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

    at::Tensor WeightGradient(const at::Tensor& outputGradient) const override
    {
        return at::mm(outputGradient.flatten(0, 1).t(), m_input.flatten(0, 1));
    }

    at::Tensor m_input; ///< [examples, positions, in]
};

} // namespace

MatrixRecord::MatrixRecord(const RecordPlace& place)
    : m_place(place)
{
}

const at::Tensor&
MatrixRecord::OutputGradient() const
{
    return m_outputGradient;
}

const RecordPlace&
MatrixRecord::Place() const
{
    return m_place;
}

void
MatrixRecord::AddSquaredNorms(const at::Tensor& outputGradient, double* squares)
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

void
MatrixRecord::AddGhostNorms(double* squares) const
{
    for (std::int64_t i = 0; i < m_outputGradient.size(0); ++i)
    {
        const at::Tensor in = Inputs(i).to(at::kDouble);
        const at::Tensor out = OutputGradients(i).to(at::kDouble);
        const at::Tensor products = at::mm(in, in.t()) * at::mm(out, out.t());
        // Rounding alone can make it negative; NaN stays NaN.
        const double square = products.sum().item<double>();
        squares[i] += square < 0.0 ? 0.0 : square;
    }
}

at::Tensor
MatrixRecord::WriteOut() const
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

void
MatrixRecord::AddClipped(const at::Tensor& factors, float* sum) const
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
    std::vector<std::int64_t> each(static_cast<std::size_t>(m_outputGradient.dim()), 1);
    each.front() = -1;
    ViewOf(*m_place.first, sum).add_(WeightGradient(m_outputGradient * factors.view(each)));
}

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

} // namespace dpdl
