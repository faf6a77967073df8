// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "kernels.h"
#include "native-layer.h"

#include <algorithm>

// LinearLayer: the norm of an example's gradient is computed from the norms of its input and output
// gradient. One weighted sum of outer products gives the clipped gradients of a block of examples.

namespace dpdl
{

namespace
{

/// Largest number of inputs for which the layer stores its weight transposed. Vector operations
/// then compute several outputs at a time. With more inputs, they sum over several inputs of one
/// output at a time.
constexpr std::size_t FEW_INPUTS = FEW_ROWS;
/// Number of outputs whose weights the backward pass reads together, small enough for these weights
/// to stay in the cache.
constexpr std::size_t PIECE = 16;

/// True if NativeKernels need the weight's rows padded to a multiple of 16 values.
/// @param in number of inputs of the layer
bool
NeedsPadding(std::size_t in)
{
    return in > FEW_INPUTS && PaddedChannels(in) != in;
}

} // namespace

LinearLayer::LinearLayer(const Linear& spec, std::size_t offset, std::size_t block)
    : m_in(spec.in),
      m_out(spec.out),
      m_offset(offset),
      m_kernels(NativeKernelsOf(ResolveSimdLevel())),
      m_noBias(PaddedChannels(spec.in)),
      m_padded(NeedsPadding(spec.in) ? spec.out * PaddedChannels(spec.in) : 0),
      m_transposed(spec.in <= FEW_INPUTS ? spec.in * PaddedChannels(spec.out) : 0),
      m_bias(PaddedChannels(spec.out)),
      m_scratch(block, spec.in <= FEW_INPUTS ? spec.in : spec.out)
{
}

/// True if the layer has at most FEW_INPUTS inputs. Such a layer uses the transposed weight.
bool
LinearLayer::HasFewInputs() const
{
    return m_in <= FEW_INPUTS;
}

void
LinearLayer::Begin(const float* parameters)
{
    m_weight = parameters + m_offset;
    m_isPadded = false;
    if (HasFewInputs())
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
    if (HasFewInputs())
    {
        // correlate() treats each example as one window.
        m_kernels.correlate({1, m_in, 0, 0, m_in, 1, data.count, 0, m_out, m_out},
                            data.in,
                            m_transposed.Data(),
                            m_bias.Data(),
                            data.out);
        return;
    }
    m_kernels.score({data.count, m_in, m_out, m_in},
                    data.in,
                    m_weight,
                    m_weight + m_out * m_in,
                    data.out);
}

/// Returns the weight [out, in]. If NeedsPadding(), the first call after Begin() copies the weight
/// to m_padded, with rows padded with zeros to a multiple of 16 values.
const float*
LinearLayer::PaddedWeight()
{
    if (!NeedsPadding(m_in))
    {
        return m_weight;
    }
    const std::size_t width = PaddedChannels(m_in);
    for (std::size_t o = 0; o < m_out && !m_isPadded; ++o)
    {
        std::copy_n(m_weight + o * m_in, m_in, m_padded.Data() + o * width);
    }
    m_isPadded = true;
    return m_padded.Data();
}

void
LinearLayer::Backward(const LayerData& data)
{
    if (data.inGradient == nullptr)
    {
        return;
    }
    if (HasFewInputs())
    {
        m_kernels.score({data.count, m_out, m_in, PaddedChannels(m_out)},
                        data.outGradient,
                        m_transposed.Data(),
                        m_noBias.Data(),
                        data.inGradient);
        return;
    }
    // correlate() multiplies the output gradient of each example, as one window, by the weight. The
    // window is divided into rows of PIECE values, if PIECE divides m_out. correlate() multiplies a
    // few rows of the windows of all examples before the next rows, so the weights of these rows
    // stay in the cache meanwhile.
    const std::size_t piece = m_out % PIECE == 0 ? PIECE : m_out;
    m_kernels.correlate({m_out / piece, piece, piece, 0, m_out, 1, data.count, 0, m_in, m_in},
                        data.outGradient,
                        PaddedWeight(),
                        m_noBias.Data(),
                        data.inGradient);
}

void
LinearLayer::AddSquaredNorms(const LayerData& data, double* squares)
{
    // The weight gradient of an example is the outer product of its output gradient and input; the
    // bias gradient is that of an input 1.
    for (std::size_t i = 0; i < data.count; ++i)
    {
        squares[i] += SquaredNorm(data.outGradient + i * m_out, m_out) *
                      (1.0 + SquaredNorm(data.in + i * m_in, m_in));
    }
}

void
LinearLayer::AddClipped(const LayerData& data, const double* factors, double* gradientSum)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        if (factors[i] == 0.0)
        {
            // Clear the example: its values may be infinite, and 0 times infinity is NaN.
            std::fill_n(data.outGradient + i * m_out, m_out, 0.0F);
            std::fill_n(data.in + i * m_in, m_in, 0.0F);
        }
    }
    double* sum = gradientSum + m_offset;
    double* biasSum = sum + m_out * m_in;
    const bool isTransposed = HasFewInputs();
    const float* left = isTransposed ? data.in : data.outGradient;
    const float* right = isTransposed ? data.outGradient : data.in;
    m_kernels.addProducts({data.count,
                           isTransposed ? m_in : m_out,
                           isTransposed ? m_out : m_in,
                           isTransposed,
                           data.isFirst},
                          left,
                          factors,
                          right,
                          m_scratch.Memory(),
                          sum);
    if (data.isFirst)
    {
        std::fill_n(biasSum, m_out, 0.0);
    }
    AddScaledRows(data.outGradient, factors, data.count, m_out, biasSum);
}

} // namespace dpdl
