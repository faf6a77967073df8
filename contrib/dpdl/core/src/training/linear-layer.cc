// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "linear-layer.h"

#include "blas.h"
#include "kernels.h"

#include <algorithm>

namespace dpdl
{

LinearLayer::LinearLayer(const Linear& spec, const ImageShape& input, std::size_t offset)
    : m_in(spec.in),
      m_out(spec.out),
      m_channels(input.channels),
      m_pixels(static_cast<std::size_t>(input.height) * input.width),
      m_offset(offset),
      m_weight(m_out * m_in),
      m_bias(m_out),
      m_weightGradient(m_out * m_in),
      m_biasGradient(m_out)
{
}

void
LinearLayer::Load(const float* parameters)
{
    ToChannelsLast(parameters + m_offset, m_weight.Data(), m_out, m_channels, m_pixels);
    std::copy_n(parameters + m_offset + m_out * m_in, m_out, m_bias.Data());
    m_weightGradient.Zero();
    m_biasGradient.Zero();
}

void
LinearLayer::Forward(const LayerData& data)
{
    RepeatRow(data.out, m_bias.Data(), data.count, m_out);
    Multiply({data.in, m_in},
             {m_weight.Data(), m_in, true},
             data.count,
             m_out,
             m_in,
             1.0F,
             data.out);
}

void
LinearLayer::Backward(const LayerData& data)
{
    if (data.inGradient != nullptr)
    {
        Multiply({data.outGradient, m_out},
                 {m_weight.Data(), m_in},
                 data.count,
                 m_in,
                 m_out,
                 0.0F,
                 data.inGradient);
    }
}

void
LinearLayer::AddSquaredNorms(const LayerData& data, double* squares)
{
    // The weight gradient is the outer product of output gradient and input; the bias sees a 1.
    for (std::size_t i = 0; i < data.count; ++i)
    {
        squares[i] += SquaredNorm(data.outGradient + i * m_out, m_out) *
                      (1.0 + SquaredNorm(data.in + i * m_in, m_in));
    }
}

void
LinearLayer::AddClipped(const LayerData& data, const float* factors)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        if (factors[i] == 0.0F)
        {
            // What is left out may be infinite, and 0 times infinity would spoil the sum.
            std::fill_n(data.outGradient + i * m_out, m_out, 0.0F);
            std::fill_n(data.in + i * m_in, m_in, 0.0F);
        }
        else if (factors[i] != 1.0F)
        {
            Scale(data.outGradient + i * m_out, factors[i], m_out);
        }
    }
    Multiply({data.outGradient, m_out, true},
             {data.in, m_in},
             m_out,
             m_in,
             data.count,
             1.0F,
             m_weightGradient.Data());
    AddRows(m_biasGradient.Data(), data.outGradient, data.count, m_out);
}

void
LinearLayer::Store(float* gradientSum)
{
    ToChannelsFirst(m_weightGradient.Data(), gradientSum + m_offset, m_out, m_channels, m_pixels);
    std::copy_n(m_biasGradient.Data(), m_out, gradientSum + m_offset + m_out * m_in);
}

} // namespace dpdl
