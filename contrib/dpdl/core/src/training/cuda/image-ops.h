// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_IMAGE_OPS_H
#define DPDL_TRAINING_CUDA_IMAGE_OPS_H

#include "host-device.h"

#include <cstddef>
#include <cstdint>

// Device operations on images: loading of pixels, im2col and its adjoint, max pools and reordering.
// Each operation is called once per value, on a device or on the host.

namespace dpdl
{
namespace cuda
{

/// Index of an example that marks padding of a batch.
constexpr std::uint32_t NO_EXAMPLE = 0xffffffffU;

/// A position in an array of images in [row, column, channel] order, the order of all activations.
struct ImagePlace
{
    std::size_t image;     ///< index of the image
    std::uint32_t row;     ///< row index y
    std::uint32_t column;  ///< column index x
    std::uint32_t channel; ///< channel index c

    /// Splits an offset into image, row, column and channel.
    /// @param index offset in an array of images
    /// @param size number of values of an image
    /// @param width number of columns
    /// @param channels number of channels
    DPDL_HOST_DEVICE ImagePlace(std::size_t index,
                                const Divisor& size,
                                const Divisor& width,
                                const Divisor& channels)
        : image(Quotient(index, size))
    {
        const auto rest = static_cast<std::uint32_t>(index - image * size);
        const std::uint32_t pixel = Quotient(rest, channels);
        channel = rest - pixel * channels;
        row = Quotient(pixel, width);
        column = pixel - row * width;
    }
};

/// Converts bytes of examples in [channel, row, column] order to values byte / 255. Called once per
/// output value.
struct LoadImages
{
    const std::uint8_t* pixels;    ///< pixels of all examples of the split
    const std::uint32_t* examples; ///< [images] index into the split; NO_EXAMPLE: the image is 0
    float* out;                    ///< [images, pixels, channels] output values
    Divisor channels;              ///< number of channels of an image
    std::uint32_t plane;           ///< number of pixels of an image
    Divisor size{std::size_t{channels} * plane}; ///< number of values of an image

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t image = Quotient(index, size);
        const auto rest = static_cast<std::uint32_t>(index - image * size);
        const std::uint32_t pixel = Quotient(rest, channels);
        const std::uint32_t from = (rest - pixel * channels) * plane + pixel;
        const std::size_t example = examples[image];
        out[index] = example == NO_EXAMPLE
                         ? 0.0F
                         : static_cast<float>(pixels[example * size + from]) / 255.0F;
    }
};

/// Sizes of a convolution or a pool: of its window, input and output.
struct WindowShape
{
    Divisor channels;        ///< number of channels of the input
    std::uint32_t height;    ///< number of rows of the input
    Divisor width;           ///< number of columns of the input
    Divisor kernel;          ///< height and width of the window
    Divisor stride;          ///< distance between adjacent windows, in pixels
    std::uint32_t padding;   ///< number of rows and columns of zeros on each side
    std::uint32_t outHeight; ///< number of rows of the output
    Divisor outWidth;        ///< number of columns of the output
    Divisor windowSize{std::size_t{channels} * kernel * kernel};      ///< number of values in a
                                                                      ///< window, over all channels
    Divisor windows{std::size_t{outHeight} * outWidth};               ///< number of windows in an
                                                                      ///< image
    Divisor inputSize{std::size_t{channels} * height * width};        ///< number of values in an
                                                                      ///< input image
    Divisor outputSize{std::size_t{channels} * outHeight * outWidth}; ///< number of values in the
                                                                      ///< output of a pool

    /// First output row (or column) whose window contains an input row (or column).
    /// @param input index of the input row or column
    DPDL_HOST_DEVICE std::uint32_t FirstOutput(std::uint32_t input) const
    {
        const std::uint32_t padded = input + padding;
        return padded < kernel ? 0 : Quotient(padded - kernel, stride) + 1;
    }

    /// Index one past the last output row (or column) whose window contains an input row (or
    /// column).
    /// @param input index of the input row or column
    /// @param outputs number of rows or columns of the output
    DPDL_HOST_DEVICE std::uint32_t EndOutput(std::uint32_t input, std::uint32_t outputs) const
    {
        const std::uint32_t end = Quotient(input + padding, stride) + 1;
        return end < outputs ? end : outputs;
    }

    /// Calls visit(window, k) for each window that contains a pixel of the input.
    /// @param row row index of the pixel
    /// @param column column index of the pixel
    /// @param visit takes the index of the window in the image, and that of the pixel in the window
    template <typename Visit>
    DPDL_HOST_DEVICE void ForEachWindow(std::uint32_t row,
                                        std::uint32_t column,
                                        const Visit& visit) const
    {
        for (std::uint32_t oy = FirstOutput(row); oy < EndOutput(row, outHeight); ++oy)
        {
            const std::uint32_t ky = row + padding - oy * stride;
            for (std::uint32_t ox = FirstOutput(column); ox < EndOutput(column, outWidth); ++ox)
            {
                visit(oy * outWidth + ox, ky * kernel + column + padding - ox * stride);
            }
        }
    }
};

/// Order of a convolution's weights in windows, [filter, row, column, channel], and in state
/// vectors, [filter, channel, row, column].
struct WeightOrder
{
    std::size_t weights{0}; ///< number of weights; the biases follow them
    Divisor channels{1};    ///< number of channels of the input
    Divisor windowSize{1};  ///< number of weights of a filter

    /// Offset among the parameters in the order of state vectors.
    /// @param index offset among the parameters in the order of windows
    DPDL_HOST_DEVICE std::size_t InState(std::size_t index) const
    {
        if (index >= weights)
        {
            return index;
        }
        const std::size_t filter = Quotient(index, windowSize);
        const std::size_t rest = index - filter * windowSize;
        const std::size_t pixel = Quotient(rest, channels);
        const std::size_t channel = rest - pixel * channels;
        return filter * windowSize + channel * Quotient(windowSize, channels) + pixel;
    }
};

/// Writes all windows of the images (im2col). Consecutive values of a window are mostly consecutive
/// in the image. Called once per value of the windows.
struct CutWindows
{
    const float* in;   ///< [images, row, column, channel] input values
    float* windows;    ///< [images, window, row, column, channel] values of the windows
    WindowShape shape; ///< sizes of windows, input and output

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t window = Quotient(index, shape.windowSize);
        const std::size_t image = Quotient(window, shape.windows);
        const auto k = static_cast<std::uint32_t>(index - window * shape.windowSize);
        const auto place = static_cast<std::uint32_t>(window - image * shape.windows);
        const std::uint32_t pixel = Quotient(k, shape.channels);
        const std::uint32_t channel = k - pixel * shape.channels;
        const std::uint32_t windowRow = Quotient(pixel, shape.kernel);
        const std::uint32_t row = Quotient(place, shape.outWidth);
        const std::uint32_t column = place - row * shape.outWidth;
        const std::uint32_t y = row * shape.stride + windowRow - shape.padding;
        const std::uint32_t x =
            column * shape.stride + pixel - windowRow * shape.kernel - shape.padding;
        // y and x are unsigned. Negative coordinates wrap around to large values, so this test also
        // rejects them.
        const bool inside = y < shape.height && x < shape.width;
        const std::size_t from =
            (static_cast<std::size_t>(y) * shape.width + x) * shape.channels + channel;
        windows[index] = inside ? in[image * shape.inputSize + from] : 0.0F;
    }
};

/// The adjoint of CutWindows (col2im): sums the gradients of each image value over all windows that
/// contain it. Called once per value of the images.
struct JoinWindows
{
    const float* windows; ///< [images, window, row, column, channel] gradients of the windows'
                          ///< values
    float* out;           ///< [images, row, column, channel] gradients of the image values
    WindowShape shape;    ///< sizes of windows, input and output

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const ImagePlace place(index, shape.inputSize, shape.width, shape.channels);
        const float* first = windows + place.image * shape.windows * shape.windowSize;
        float sum = 0.0F;
        shape.ForEachWindow(place.row, place.column, [&](std::size_t window, std::uint32_t k) {
            sum += first[window * shape.windowSize + k * shape.channels + place.channel];
        });
        out[index] = sum;
    }
};

/// Maximum of each window. Of equal values, the winner is the one with the smallest index in the
/// window. Called once per output value.
struct PoolForward
{
    const float* in; ///< [images, row, column, channel] input values
    float* out;      ///< [images, window, channel] output values
    /// [images, window, channel] index of the maximum in its window: kernel * row + column, with
    /// row and column counted from the window's top left; -1: the output is 0 by ReLU.
    std::int32_t* winner;
    WindowShape shape; ///< sizes of window, input and output; no padding
    bool relu;         ///< true: max(x, 0) is applied before the pool
    Biases biases;     ///< biases that are added to the input

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const ImagePlace place(index, shape.outputSize, shape.outWidth, shape.channels);
        const float* corner = in + place.image * shape.inputSize +
                              static_cast<std::size_t>(place.row * shape.width + place.column) *
                                  shape.stride * shape.channels +
                              place.channel;
        float best = *corner;
        std::int32_t bestPlace = 0;
        std::int32_t k = 0;
        for (std::uint32_t row = 0; row < shape.kernel; ++row)
        {
            for (std::uint32_t column = 0; column < shape.kernel; ++column)
            {
                const float value = corner[(row * shape.width + column) * shape.channels];
                const bool better = value > best;
                best = better ? value : best;
                bestPlace = better ? k : bestPlace;
                ++k;
            }
        }
        // Adding a bias and rounding keep the order of the values.
        best += biases.Of(index);
        // A comparison with NaN is false, so NaN is kept.
        const bool dead = relu && best <= 0.0F;
        out[index] = dead ? 0.0F : best;
        winner[index] = dead ? -1 : bestPlace;
    }
};

/// The arrays that the backward pass of a pool reads and writes.
struct PoolGradients
{
    const float* outGradient;   ///< [images, window, channel] gradients of the outputs
    const std::int32_t* winner; ///< PoolForward::winner of the forward pass
    float* inGradient;          ///< [images, row, column, channel] gradients of the input values
    WindowShape shape;          ///< sizes of window, input and output; no padding
};

/// Writes the gradients of the inputs of a pool whose windows do not overlap. The input that was
/// the maximum of a window has the gradient of its output, all others have 0. Called once per
/// output value; each call writes the inputs from its window to the next ones.
struct SpreadPools : PoolGradients
{
    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const ImagePlace place(index, shape.outputSize, shape.outWidth, shape.channels);
        const std::uint32_t top = place.row * shape.stride;
        const std::uint32_t left = place.column * shape.stride;
        // The last windows also clear the rows and columns behind them.
        const std::uint32_t rows =
            place.row + 1 == shape.outHeight ? shape.height - top : std::uint32_t{shape.stride};
        const std::uint32_t columns =
            place.column + 1 == shape.outWidth ? shape.width - left : std::uint32_t{shape.stride};
        float* const corner = inGradient + place.image * shape.inputSize +
                              static_cast<std::size_t>(top * shape.width + left) * shape.channels +
                              place.channel;
        const auto best = static_cast<std::uint32_t>(winner[index]);
        const float gradient = outGradient[index];
        for (std::uint32_t row = 0; row < rows; ++row)
        {
            for (std::uint32_t column = 0; column < columns; ++column)
            {
                const bool isBest = column < shape.kernel && row * shape.kernel + column == best;
                corner[(row * shape.width + column) * shape.channels] = isBest ? gradient : 0.0F;
            }
        }
    }
};

/// Adds the gradient of each output to the input that was the maximum. Called once per input value.
struct PoolBackward : PoolGradients
{
    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const ImagePlace place(index, shape.inputSize, shape.width, shape.channels);
        float sum = 0.0F;
        shape.ForEachWindow(place.row, place.column, [&](std::size_t window, std::uint32_t k) {
            const std::size_t output =
                (place.image * shape.windows + window) * shape.channels + place.channel;
            sum += winner[output] == static_cast<std::int32_t>(k) ? outGradient[output] : 0.0F;
        });
        inGradient[index] = sum;
    }
};

/// out[image, column, row] = in[image, row, column]. Called once per value.
struct SwapAxes
{
    const float* in;                           ///< [images, rows, columns] input values
    float* out;                                ///< [images, columns, rows] output values
    Divisor rows;                              ///< number of rows of the input
    std::uint32_t columns;                     ///< number of columns of the input
    Divisor perNode{1};                        ///< number of images of a node
    std::size_t between{0};                    ///< number of floats between the inputs of two nodes
    Divisor size{std::size_t{rows} * columns}; ///< number of values of an image

    DPDL_HOST_DEVICE void operator()(std::size_t index) const
    {
        const std::size_t image = Quotient(index, size);
        const auto rest = static_cast<std::uint32_t>(index - image * size);
        const std::uint32_t column = Quotient(rest, rows);
        const std::size_t first = image * size + Quotient(image, perNode) * between;
        out[index] = in[first + (rest - column * rows) * columns + column];
    }
};

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_IMAGE_OPS_H
