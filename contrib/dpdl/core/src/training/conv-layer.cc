// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "conv-layer.h"

#include "blas.h"
#include "dpdl/base/simd.h"
#include "kernels.h"

#include <algorithm>
#include <cstring>

namespace dpdl
{

namespace
{

constexpr std::size_t LANES = 8;

/// Copies the image into the middle of a buffer whose border is zero.
DPDL_MULTIVERSION void
Pad(const float* image, const ConvShape& s, float* padded)
{
    const std::size_t row = s.width * s.channels;
    for (std::size_t y = 0; y < s.height; ++y)
    {
        float* to = padded + ((y + s.padding) * s.paddedWidth + s.padding) * s.channels;
        for (std::size_t i = 0; i < row; ++i)
        {
            to[i] = image[y * row + i];
        }
    }
}

/// The inverse of Pad.
DPDL_MULTIVERSION void
Unpad(const float* padded, const ConvShape& s, float* image)
{
    const std::size_t row = s.width * s.channels;
    for (std::size_t y = 0; y < s.height; ++y)
    {
        const float* from = padded + ((y + s.padding) * s.paddedWidth + s.padding) * s.channels;
        for (std::size_t i = 0; i < row; ++i)
        {
            image[y * row + i] = from[i];
        }
    }
}

/// One window a row: a window is kernel pieces of the padded image, each contiguous.
DPDL_MULTIVERSION void
CutWindows(const float* padded, const ConvShape& s, float* windows)
{
    const std::size_t piece = s.kernel * s.channels;
    for (std::size_t y = 0; y < s.outHeight; ++y)
    {
        for (std::size_t x = 0; x < s.outWidth; ++x)
        {
            const float* corner = padded + s.stride * (y * s.paddedWidth + x) * s.channels;
            for (std::size_t k = 0; k < s.kernel; ++k, windows += piece)
            {
                const float* from = corner + k * s.paddedWidth * s.channels;
                std::size_t i = 0;
                for (; i + LANES <= piece; i += LANES)
                {
                    // One vector load and store each; a loop becomes far more than that.
                    std::memcpy(windows + i, from + i, LANES * sizeof(float));
                }
                for (; i < piece; ++i)
                {
                    windows[i] = from[i];
                }
            }
        }
    }
}

/// The adjoint of CutWindows: adds the windows up where they came from.
DPDL_MULTIVERSION void
JoinWindows(const float* windows, const ConvShape& s, float* padded)
{
    const std::size_t piece = s.kernel * s.channels;
    for (std::size_t i = 0; i < s.paddedHeight * s.paddedWidth * s.channels; ++i)
    {
        padded[i] = 0.0F;
    }
    for (std::size_t y = 0; y < s.outHeight; ++y)
    {
        for (std::size_t x = 0; x < s.outWidth; ++x)
        {
            float* corner = padded + s.stride * (y * s.paddedWidth + x) * s.channels;
            for (std::size_t k = 0; k < s.kernel; ++k, windows += piece)
            {
                float* to = corner + k * s.paddedWidth * s.channels;
                std::size_t i = 0;
                for (; i + LANES <= piece; i += LANES)
                {
                    for (std::size_t j = 0; j < LANES; ++j)
                    {
                        to[i + j] += windows[i + j];
                    }
                }
                for (; i < piece; ++i)
                {
                    to[i] += windows[i];
                }
            }
        }
    }
}

} // namespace

ConvLayer::ConvLayer(const Conv2d& spec,
                     const ImageShape& input,
                     std::size_t offset,
                     std::size_t capacity)
    : m_offset(offset)
{
    const ImageShape output = OutputShape(spec, input);
    m_shape = {input.channels,
               input.height,
               input.width,
               spec.kernel,
               spec.stride,
               spec.padding,
               output.height,
               output.width,
               output.channels,
               input.height + 2 * spec.padding,
               input.width + 2 * spec.padding};
    m_weight = FloatBuffer(WeightSize());
    m_bias = FloatBuffer(m_shape.outChannels);
    m_padded = FloatBuffer(m_shape.paddedHeight * m_shape.paddedWidth * m_shape.channels);
    m_windows = FloatBuffer(capacity * m_shape.Windows() * m_shape.WindowSize());
    m_scratch = FloatBuffer(m_windows.Size());
    m_gradients = FloatBuffer(capacity * GradientSize());
    m_sum = FloatBuffer(GradientSize());
}

std::size_t
ConvLayer::WeightSize() const
{
    return m_shape.outChannels * m_shape.WindowSize();
}

std::size_t
ConvLayer::GradientSize() const
{
    return WeightSize() + m_shape.outChannels;
}

void
ConvLayer::Load(const float* parameters)
{
    ToChannelsLast(parameters + m_offset,
                   m_weight.Data(),
                   m_shape.outChannels,
                   m_shape.channels,
                   m_shape.kernel * m_shape.kernel);
    std::copy_n(parameters + m_offset + WeightSize(), m_shape.outChannels, m_bias.Data());
    m_padded.Zero();
    m_sum.Zero();
}

void
ConvLayer::Forward(const LayerData& data)
{
    const std::size_t inSize = m_shape.height * m_shape.width * m_shape.channels;
    const std::size_t windowsSize = m_shape.Windows() * m_shape.WindowSize();
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* image = data.in + i * inSize;
        if (m_shape.padding > 0)
        {
            Pad(image, m_shape, m_padded.Data());
            image = m_padded.Data();
        }
        CutWindows(image, m_shape, m_windows.Data() + i * windowsSize);
    }
    const std::size_t rows = data.count * m_shape.Windows();
    RepeatRow(data.out, m_bias.Data(), rows, m_shape.outChannels);
    Multiply({m_windows.Data(), m_shape.WindowSize()},
             {m_weight.Data(), m_shape.WindowSize(), true},
             rows,
             m_shape.outChannels,
             m_shape.WindowSize(),
             1.0F,
             data.out);
}

void
ConvLayer::ExampleGradients(const LayerData& data)
{
    const std::size_t windows = m_shape.Windows();
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* outGradient = data.outGradient + i * windows * m_shape.outChannels;
        float* gradient = m_gradients.Data() + i * GradientSize();
        Multiply({outGradient, m_shape.outChannels, true},
                 {m_windows.Data() + i * windows * m_shape.WindowSize(), m_shape.WindowSize()},
                 m_shape.outChannels,
                 m_shape.WindowSize(),
                 windows,
                 0.0F,
                 gradient);
        std::fill_n(gradient + WeightSize(), m_shape.outChannels, 0.0F);
        AddRows(gradient + WeightSize(), outGradient, windows, m_shape.outChannels);
    }
}

void
ConvLayer::Backward(const LayerData& data)
{
    ExampleGradients(data);
    if (data.inGradient == nullptr)
    {
        return;
    }
    Multiply({data.outGradient, m_shape.outChannels},
             {m_weight.Data(), m_shape.WindowSize()},
             data.count * m_shape.Windows(),
             m_shape.WindowSize(),
             m_shape.outChannels,
             0.0F,
             m_scratch.Data());
    const std::size_t inSize = m_shape.height * m_shape.width * m_shape.channels;
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* windows = m_scratch.Data() + i * m_shape.Windows() * m_shape.WindowSize();
        float* inGradient = data.inGradient + i * inSize;
        if (m_shape.padding == 0)
        {
            JoinWindows(windows, m_shape, inGradient);
            continue;
        }
        JoinWindows(windows, m_shape, m_padded.Data());
        Unpad(m_padded.Data(), m_shape, inGradient);
    }
    if (m_shape.padding > 0)
    {
        m_padded.Zero();
    }
}

void
ConvLayer::AddSquaredNorms(const LayerData& data, double* squares)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        squares[i] += SquaredNorm(m_gradients.Data() + i * GradientSize(), GradientSize());
    }
}

void
ConvLayer::AddClipped(const LayerData& data, const float* factors)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        if (factors[i] != 0.0F)
        {
            AddScaled(m_sum.Data(),
                      m_gradients.Data() + i * GradientSize(),
                      factors[i],
                      GradientSize());
        }
    }
}

void
ConvLayer::Store(float* gradientSum)
{
    ToChannelsFirst(m_sum.Data(),
                    gradientSum + m_offset,
                    m_shape.outChannels,
                    m_shape.channels,
                    m_shape.kernel * m_shape.kernel);
    std::copy_n(m_sum.Data() + WeightSize(),
                m_shape.outChannels,
                gradientSum + m_offset + WeightSize());
}

} // namespace dpdl
