// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "kernels.h"
#include "native-layer.h"

#include <algorithm>

// ConvLayer: copies images into zero-padded frames and convolves them with NativeKernels, or with
// RowWinograd if RowWinograd::Suits() the shape. ConvLayer keeps the weight gradients of all
// examples of a block.

namespace dpdl
{

namespace
{

/// Copies an image into the interior of its zero-padded frame.
void
PutIntoFrame(const float* image, const Frame& frame, float* outer)
{
    for (std::size_t y = 0; y < frame.height; ++y)
    {
        std::copy_n(image + y * frame.row, frame.row, outer + frame.offset + y * frame.outerRow);
    }
}

/// Computes the numbers of zero-padding rows above and below the image in a grid of windows.
/// @param frame layout of the image in its frame
/// @param top row of the frame at which the first window begins
/// @param[in,out] grid receives zerosAbove and zerosBelow
void
MarkZeros(const Frame& frame, std::size_t top, WindowGrid& grid)
{
    const std::size_t above = frame.offset / frame.outerRow;
    const std::size_t end = above + frame.height;
    const std::size_t rows = (grid.height - 1) * (grid.inStepY / grid.inRow) + grid.rows;
    grid.zerosAbove = top < above ? above - top : 0;
    grid.zerosBelow = top + rows > end ? std::min(rows, top + rows - end) : 0;
}

/// Number of windows along one axis that contain the same value of the image.
/// @param first offset of the value in the last window that contains it
std::size_t
PositionsOf(std::size_t first, const ConvShape& shape)
{
    return first < shape.kernel ? (shape.kernel - first - 1) / shape.stride + 1 : 0;
}

/// Shape of the convolution that computes the input gradient from the output gradient. Requires
/// stride 1.
ConvShape
BackShape(const ConvShape& shape)
{
    return {shape.outChannels,
            shape.outHeight,
            shape.outWidth,
            shape.kernel,
            shape.stride,
            shape.kernel - shape.padding - 1,
            shape.height,
            shape.width,
            shape.channels};
}

/// Values along one axis that have the same offset in their windows, modulo the stride: one phase.
struct Side
{
    std::size_t firstWindow; ///< index of the last window that contains the phase's first value
    std::size_t count;       ///< number of values in the phase
};

Side
SideOf(std::size_t place, std::size_t size, const ConvShape& shape)
{
    // The values of the phase have the index y = stride * window + place - padding in the image,
    // where `window` is the index of a window.
    const std::size_t first =
        place >= shape.padding ? 0 : (shape.padding - place - 1) / shape.stride + 1;
    const std::size_t reach = size - 1 + shape.padding;
    const std::size_t end = reach < place ? 0 : (reach - place) / shape.stride + 1;
    return {first, end > first ? end - first : 0};
}

} // namespace

ConvLayer::ConvLayer(const Conv2d& spec,
                     const ImageShape& input,
                     std::size_t offset,
                     std::size_t capacity)
    : m_offset(offset),
      m_kernels(NativeKernelsOf(ResolveSimdLevel()))
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
               output.channels};
    const ConvShape& s = m_shape;
    const std::size_t outerRow = (s.width + 2 * s.padding) * s.channels;
    m_inFrame = {s.height, s.width * s.channels, outerRow, s.padding * (outerRow + s.channels)};
    m_grid = {s.kernel,
              s.kernel * s.channels,
              outerRow,
              s.stride * outerRow,
              s.stride * s.channels,
              s.outHeight,
              s.outWidth,
              s.outWidth * s.outChannels,
              s.outChannels,
              s.outChannels};
    MarkZeros(m_inFrame, 0, m_grid);
    m_weight = FloatBuffer(s.WindowSize() * PaddedChannels(s.outChannels));
    m_bias = FloatBuffer(PaddedChannels(s.outChannels));
    m_noBias = FloatBuffer(PaddedChannels(s.channels));
    m_framedIn = FloatBuffer((s.height + 2 * s.padding) * outerRow);
    m_gradients = FloatBuffer(capacity * GradientSize());
    m_sum = DoubleBuffer(GradientSize());
    MakePhases();
    if (RowWinograd::Suits(s) && RowWinograd::Suits(BackShape(s)))
    {
        m_rows = std::make_unique<RowWinograd>(s, m_kernels);
        m_backRows = std::make_unique<RowWinograd>(BackShape(s), m_kernels);
    }
}

void
ConvLayer::MakePhases()
{
    const ConvShape& s = m_shape;
    const std::size_t most = PositionsOf(0, s);
    // Number of rows and columns of windows, up to the last window that could contain a value of
    // the image.
    const std::size_t rows = (s.height - 1 + s.padding) / s.stride + 1;
    const std::size_t columns = (s.width - 1 + s.padding) / s.stride + 1;
    const std::size_t outerRow = (std::max(columns, s.outWidth) + most - 1) * s.outChannels;
    m_outFrame = {s.outHeight,
                  s.outWidth * s.outChannels,
                  outerRow,
                  (most - 1) * (outerRow + s.outChannels)};
    m_framedGradient = FloatBuffer((std::max(rows, s.outHeight) + most - 1) * outerRow);
    for (std::size_t row = 0; row < s.stride; ++row)
    {
        for (std::size_t column = 0; column < s.stride; ++column)
        {
            Phase phase = MakePhase(row, column);
            if (phase.grid.height > 0 && phase.grid.width > 0)
            {
                m_phases.push_back(std::move(phase));
            }
        }
    }
}

ConvLayer::Phase
ConvLayer::MakePhase(std::size_t row, std::size_t column) const
{
    const ConvShape& s = m_shape;
    const std::size_t most = PositionsOf(0, s);
    const std::size_t rows = PositionsOf(row, s);
    const std::size_t columns = PositionsOf(column, s);
    const Side down = SideOf(row, s.height, s);
    const Side across = SideOf(column, s.width, s);
    WindowGrid grid{rows,
                    columns * s.outChannels,
                    m_outFrame.outerRow,
                    m_outFrame.outerRow,
                    s.outChannels,
                    down.count,
                    across.count,
                    s.stride * s.width * s.channels,
                    s.stride * s.channels,
                    s.channels};
    // Row w of the output gradient, which belongs to the windows w, is row w + most - 1 of its
    // frame. The phase's first value is in the windows down.firstWindow - rows + 1 to
    // down.firstWindow. `top` is the row of the first of these windows in the frame.
    const std::size_t top = down.firstWindow + most - rows;
    const std::size_t in =
        top * m_outFrame.outerRow + (across.firstWindow + most - columns) * s.outChannels;
    MarkZeros(m_outFrame, top, grid);
    const std::size_t y = s.stride * down.firstWindow + row - s.padding;
    const std::size_t x = s.stride * across.firstWindow + column - s.padding;
    return {row,
            column,
            columns,
            grid,
            in,
            (y * s.width + x) * s.channels,
            FloatBuffer(rows * columns * s.outChannels * PaddedChannels(s.channels))};
}

void
ConvLayer::LoadPhase(const float* weight, Phase& phase) const
{
    const ConvShape& s = m_shape;
    const std::size_t width = PaddedChannels(s.channels);
    const std::size_t pixels = s.kernel * s.kernel;
    for (std::size_t j = 0; j < phase.grid.rows; ++j)
    {
        // In the first window that contains the value, the value is in the last row that belongs to
        // the phase.
        const std::size_t row = phase.firstRow + s.stride * (phase.grid.rows - 1 - j);
        for (std::size_t i = 0; i < phase.columns; ++i)
        {
            const std::size_t column = phase.firstColumn + s.stride * (phase.columns - 1 - i);
            const float* from = weight + row * s.kernel + column;
            float* to = phase.weight.Data() + (j * phase.columns + i) * s.outChannels * width;
            for (std::size_t o = 0; o < s.outChannels; ++o)
            {
                for (std::size_t c = 0; c < s.channels; ++c)
                {
                    to[o * width + c] = from[(o * s.channels + c) * pixels];
                }
            }
        }
    }
}

void
ConvLayer::Begin(const float* parameters)
{
    const ConvShape& s = m_shape;
    m_parameters = parameters + m_offset;
    m_phasesLoaded = false;
    const std::size_t width = PaddedChannels(s.outChannels);
    const std::size_t pixels = s.kernel * s.kernel;
    for (std::size_t o = 0; o < s.outChannels; ++o)
    {
        const float* from = m_parameters + o * s.WindowSize();
        for (std::size_t p = 0; p < pixels; ++p)
        {
            for (std::size_t c = 0; c < s.channels; ++c)
            {
                m_weight.Data()[(p * s.channels + c) * width + o] = from[c * pixels + p];
            }
        }
    }
    std::copy_n(m_parameters + WeightSize(), s.outChannels, m_bias.Data());
    m_sum.Zero();
    if (m_rows)
    {
        m_rows->Load(m_weight.Data());
    }
}

/// Copies the image into its zero-padded frame. Returns the image itself if there is no padding.
const float*
ConvLayer::Framed(const float* image)
{
    if (m_shape.padding == 0)
    {
        return image;
    }
    PutIntoFrame(image, m_inFrame, m_framedIn.Data());
    return m_framedIn.Data();
}

void
ConvLayer::Forward(const LayerData& data)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* in = data.in + i * m_shape.InSize();
        float* out = data.out + i * m_shape.OutSize();
        if (m_rows)
        {
            m_rows->Correlate(in, m_bias.Data(), out);
            continue;
        }
        m_kernels.correlate(m_grid, Framed(in), m_weight.Data(), m_bias.Data(), out);
    }
}

void
ConvLayer::Backward(const LayerData& data)
{
    for (std::size_t i = 0; i < data.count; ++i)
    {
        const float* outGradient = data.outGradient + i * m_shape.OutSize();
        WeightGradient(data.in + i * m_shape.InSize(),
                       outGradient,
                       m_gradients.Data() + i * GradientSize());
        if (data.inGradient != nullptr)
        {
            InputGradient(outGradient, data.inGradient + i * m_shape.InSize());
        }
    }
}

/// Computes the weight and bias gradient of one example.
/// @param in input of the example
/// @param outGradient gradient with respect to the example's output
/// @param[out] gradient [kernel * kernel * channels, outChannels], then the bias gradient
///        [outChannels]
void
ConvLayer::WeightGradient(const float* in, const float* outGradient, float* gradient)
{
    if (m_rows)
    {
        m_rows->WeightGradient(in, outGradient, gradient);
    }
    else
    {
        m_kernels.weightGradient(m_grid, Framed(in), outGradient, gradient);
    }
    std::fill_n(gradient + WeightSize(), m_shape.outChannels, 0.0F);
    AddRows(gradient + WeightSize(),
            outGradient,
            m_shape.outHeight * m_shape.outWidth,
            m_shape.outChannels);
}

void
ConvLayer::LoadPhases()
{
    for (Phase& phase : m_phases)
    {
        LoadPhase(m_parameters, phase);
    }
    if (m_backRows)
    {
        m_backRows->Load(m_phases.front().weight.Data());
    }
    m_phasesLoaded = true;
}

void
ConvLayer::InputGradient(const float* outGradient, float* inGradient)
{
    if (!m_phasesLoaded)
    {
        LoadPhases();
    }
    if (m_backRows)
    {
        m_backRows->Correlate(outGradient, m_noBias.Data(), inGradient);
        return;
    }
    PutIntoFrame(outGradient, m_outFrame, m_framedGradient.Data());
    for (const Phase& phase : m_phases)
    {
        m_kernels.correlate(phase.grid,
                            m_framedGradient.Data() + phase.in,
                            phase.weight.Data(),
                            m_noBias.Data(),
                            inGradient + phase.out);
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
ConvLayer::AddClipped(const LayerData& data, const double* factors, double* /* gradientSum */)
{
    AddScaledRows(m_gradients.Data(), factors, data.count, GradientSize(), m_sum.Data());
}

void
ConvLayer::EndBlock(bool isFirst, double* gradientSum)
{
    const ConvShape& s = m_shape;
    double* to = gradientSum + m_offset;
    if (isFirst)
    {
        std::fill_n(to, GradientSize(), 0.0);
    }
    const std::size_t pixels = s.kernel * s.kernel;
    for (std::size_t o = 0; o < s.outChannels; ++o)
    {
        for (std::size_t c = 0; c < s.channels; ++c, to += pixels)
        {
            for (std::size_t p = 0; p < pixels; ++p)
            {
                to[p] += m_sum.Data()[(p * s.channels + c) * s.outChannels + o];
            }
        }
    }
    for (std::size_t o = 0; o < s.outChannels; ++o)
    {
        to[o] += m_sum.Data()[WeightSize() + o];
    }
    m_sum.Zero();
}

} // namespace dpdl
