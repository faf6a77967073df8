// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "linear-layer.h"

#include "blas.h"
#include "kernels.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// Outputs up to which a block of them does without the copies that a product of large matrices
/// begins with.
constexpr std::size_t FEW = 64;
/// Inputs for which the same holds.
constexpr std::size_t FEW_INPUTS = 16;

} // namespace

LinearLayer::LinearLayer(const Linear& spec, std::size_t offset)
    : m_in(spec.in),
      m_out(spec.out),
      m_offset(offset),
      m_kernels(NativeKernelsOf(SimdLevelInForce())),
      m_noBias(PaddedChannels(spec.in)),
      m_transposed(spec.in <= FEW_INPUTS ? spec.in * PaddedChannels(spec.out) : 0),
      m_bias(PaddedChannels(spec.out))
{
}

void
LinearLayer::Begin(const float* parameters)
{
    m_weight = parameters + m_offset;
    m_hasSum = false;
    if (m_in <= FEW_INPUTS)
    {
        const std::size_t width = PaddedChannels(m_out);
        for (std::size_t o = 0; o < m_out; ++o)
        {
            for (std::size_t i = 0; i < m_in; ++i)
            {
                m_transposed.Data()[i * width + o] = m_weight[o * m_in + i];
            }
        }
        std::copy_n(m_weight + m_out * m_in, m_out, m_bias.Data());
    }
}

void
LinearLayer::Forward(const LayerData& data)
{
    if (m_in <= FEW_INPUTS)
    {
        // Each example is a window.
        m_kernels.correlate({1, m_in, 0, 0, m_in, 1, data.count, 0, m_out, m_out},
                            data.in,
                            m_transposed.Data(),
                            m_bias.Data(),
                            data.out);
        return;
    }
    RepeatRow(data.out, m_weight + m_out * m_in, data.count, m_out);
    Multiply({data.in, m_in}, {m_weight, m_in, true}, data.count, m_out, m_in, 1.0F, data.out);
}

void
LinearLayer::Backward(const LayerData& data)
{
    if (data.inGradient == nullptr)
    {
        return;
    }
    if (m_out <= FEW && m_in == PaddedChannels(m_in))
    {
        // Each example is a window: its output gradient times the weight.
        m_kernels.correlate({1, m_out, 0, 0, m_out, 1, data.count, 0, m_in, m_in},
                            data.outGradient,
                            m_weight,
                            m_noBias.Data(),
                            data.inGradient);
        return;
    }
    Multiply({data.outGradient, m_out},
             {m_weight, m_in},
             data.count,
             m_in,
             m_out,
             0.0F,
             data.inGradient);
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
LinearLayer::AddClipped(const LayerData& data, const float* factors, float* gradientSum)
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
    float* sum = gradientSum + m_offset;
    AddProducts(data, sum);
    float* biasSum = sum + m_out * m_in;
    if (!m_hasSum)
    {
        std::fill_n(biasSum, m_out, 0.0F);
    }
    AddRows(biasSum, data.outGradient, data.count, m_out);
    m_hasSum = true;
}

/// sum, or what was there, + (output gradients)' * inputs.
void
LinearLayer::AddProducts(const LayerData& data, float* sum) const
{
    if ((m_out <= FEW || m_in <= FEW_INPUTS) && !m_hasSum)
    {
        // Each example is a window of output gradients, whose result is the input.
        m_kernels.weightGradient({1, m_out, 0, 0, m_out, 1, data.count, 0, m_in, m_in},
                                 data.outGradient,
                                 data.in,
                                 sum);
        return;
    }
    Multiply({data.outGradient, m_out, true},
             {data.in, m_in},
             m_out,
             m_in,
             data.count,
             m_hasSum ? 1.0F : 0.0F,
             sum);
}

void
LinearLayer::Finish(float* gradientSum)
{
    if (!m_hasSum)
    {
        std::fill_n(gradientSum + m_offset, m_out * (m_in + 1), 0.0F);
    }
}

} // namespace dpdl
