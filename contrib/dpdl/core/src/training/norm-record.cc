// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/simd.h"
#include "kernels.h"
#include "tape-record.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <optional>

// Records of group and layer normalisation and of free tensors on the host. Their small per-example
// gradients are always materialised.

namespace dpdl
{

namespace
{

constexpr std::size_t LANES = 16;

/// Gradients of scale and shift over one channel: sum of d (x - mean) / deviation, and of d.
DPDL_MULTIVERSION void
ChannelGradient(const float* x,
                const float* d,
                std::size_t size,
                float mean,
                float inverseDeviation,
                float* scale,
                float* shift)
{
    float products[LANES] = {};
    float sums[LANES] = {};
    const std::size_t whole = size - size % LANES;
    for (std::size_t i = 0; i < whole; i += LANES)
    {
        for (std::size_t j = 0; j < LANES; ++j)
        {
            products[j] += d[i + j] * (x[i + j] - mean);
            sums[j] += d[i + j];
        }
    }
    for (std::size_t i = whole; i < size; ++i)
    {
        products[i - whole] += d[i] * (x[i] - mean);
        sums[i - whole] += d[i];
    }
    float product = 0.0F;
    float sum = 0.0F;
    for (std::size_t j = 0; j < LANES; ++j)
    {
        product += products[j];
        sum += sums[j];
    }
    *scale = product * inverseDeviation;
    *shift = sum;
}

/// Adds the gradients of scales and shifts over one token.
DPDL_MULTIVERSION void
AddTokenGradient(const float* x,
                 const float* d,
                 std::size_t width,
                 float mean,
                 float inverseDeviation,
                 float* scale,
                 float* shift)
{
    for (std::size_t c = 0; c < width; ++c)
    {
        scale[c] += d[c] * ((x[c] - mean) * inverseDeviation);
        shift[c] += d[c];
    }
}

/// Scale and shift of a normalisation, whose small gradients are always materialised.
class NormRecord : public HostRecord
{
  public:
    NormRecord(const RecordPlace& place, NormInput input)
        : m_place(place),
          m_input(std::move(input))
    {
    }

  private:
    void AddNorms(const at::Tensor& outputGradient, double* squares) override
    {
        const at::Tensor gradient = outputGradient.contiguous();
        const std::int64_t examples = gradient.size(0);
        const auto channels = static_cast<std::int64_t>(m_place.first->size);
        at::Tensor scale = at::zeros({examples, channels});
        at::Tensor shift = at::zeros({examples, channels});
        const std::int64_t size = gradient.numel() / examples;
        for (std::int64_t i = 0; i < examples; ++i)
        {
            Compute(i,
                    m_input.values.data_ptr<float>() + i * size,
                    gradient.data_ptr<float>() + i * size,
                    scale.data_ptr<float>() + i * channels,
                    shift.data_ptr<float>() + i * channels,
                    static_cast<std::size_t>(size));
        }
        m_scale.emplace(*m_place.first, scale);
        m_shift.emplace(*m_place.second, shift);
        m_scale->AddSquaredNorms(squares);
        m_shift->AddSquaredNorms(squares);
    }

    void AddSum(const double* factors, double* sum) const override
    {
        m_scale->AddClipped(factors, sum);
        m_shift->AddClipped(factors, sum);
    }

  protected:
    /// Gradients of one example; @p scale and @p shift are zero. @param size values of the example
    virtual void Compute(std::int64_t example,
                         const float* x,
                         const float* d,
                         float* scale,
                         float* shift,
                         std::size_t size) const = 0;

    /// Input with its statistics.
    const NormInput& Input() const
    {
        return m_input;
    }

    /// Number of scales.
    std::size_t Channels() const
    {
        return m_place.first->size;
    }

  private:
    RecordPlace m_place;                     ///< of scale and shift
    NormInput m_input;                       ///< input with its statistics
    std::optional<ExampleGradients> m_scale; ///< of all examples
    std::optional<ExampleGradients> m_shift; ///< of all examples
};

class GroupNormRecord : public NormRecord
{
  public:
    GroupNormRecord(const GroupNormOp& op, const RecordPlace& place, const NormInput& input)
        : NormRecord(place, input),
          m_groups(static_cast<std::size_t>(op.groups))
    {
    }

  private:
    void Compute(std::int64_t example,
                 const float* x,
                 const float* d,
                 float* scale,
                 float* shift,
                 std::size_t size) const override
    {
        const std::size_t first = static_cast<std::size_t>(example) * m_groups;
        const float* mean = Input().mean.data_ptr<float>() + first;
        const float* inverse = Input().inverseDeviation.data_ptr<float>() + first;
        const std::size_t pixels = size / Channels();
        for (std::size_t c = 0; c < Channels(); ++c)
        {
            const std::size_t group = c / (Channels() / m_groups);
            ChannelGradient(x + c * pixels,
                            d + c * pixels,
                            pixels,
                            mean[group],
                            inverse[group],
                            scale + c,
                            shift + c);
        }
    }

    std::size_t m_groups; ///< of channels
};

class LayerNormRecord : public NormRecord
{
  public:
    using NormRecord::NormRecord;

  private:
    void Compute(std::int64_t example,
                 const float* x,
                 const float* d,
                 float* scale,
                 float* shift,
                 std::size_t size) const override
    {
        const std::size_t tokens = size / Channels();
        const std::size_t first = static_cast<std::size_t>(example) * tokens;
        const float* mean = Input().mean.data_ptr<float>() + first;
        const float* inverse = Input().inverseDeviation.data_ptr<float>() + first;
        for (std::size_t t = 0; t < tokens; ++t)
        {
            const std::size_t begin = t * Channels();
            AddTokenGradient(x + begin, d + begin, Channels(), mean[t], inverse[t], scale, shift);
        }
    }
};

class FreeRecord : public HostRecord
{
  public:
    explicit FreeRecord(const RecordPlace& place)
        : m_place(place)
    {
    }

  private:
    void AddNorms(const at::Tensor& outputGradient, double* squares) override
    {
        m_gradients.emplace(*m_place.first, outputGradient);
        m_gradients->AddSquaredNorms(squares);
    }

    void AddSum(const double* factors, double* sum) const override
    {
        m_gradients->AddClipped(factors, sum);
    }

    RecordPlace m_place;                         ///< of the tensor
    std::optional<ExampleGradients> m_gradients; ///< of all examples
};

std::unique_ptr<TapeRecord>
RecordGroupNorm(const GroupNormOp& op, const RecordPlace& place, const NormInput& input)
{
    return std::make_unique<GroupNormRecord>(op, place, input);
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

} // namespace

const RecordMaker&
HostRecords()
{
    static constexpr RecordMaker maker{RecordConv,
                                       RecordLinear,
                                       RecordGroupNorm,
                                       RecordLayerNorm,
                                       RecordFree};
    return maker;
}

ExampleGradients::ExampleGradients(const ParameterTensor& tensor, const at::Tensor& rows)
    : m_tensor(&tensor),
      m_rows(rows.flatten(1).contiguous())
{
}

void
ExampleGradients::AddSquaredNorms(double* squares) const
{
    const float* row = m_rows.data_ptr<float>();
    for (std::int64_t i = 0; i < m_rows.size(0); ++i)
    {
        squares[i] += SquaredNorm(row, m_tensor->size);
        row += m_tensor->size;
    }
}

void
ExampleGradients::AddClipped(const double* factors, double* sum) const
{
    AddScaledRows(m_rows.data_ptr<float>(),
                  factors,
                  static_cast<std::size_t>(m_rows.size(0)),
                  m_tensor->size,
                  sum + m_tensor->offset);
}

} // namespace dpdl
