// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_KERNELS_H
#define DPDL_TRAINING_NATIVE_KERNELS_H

#include "dpdl/base/simd.h"

#include <cstddef>
#include <cstdint>

// Interface of the native engine's inner loops: sizes, scratch memory, and a table of functions for
// each SIMD level.

namespace dpdl
{

/// Layout of a convolution: a grid of windows on an image in [row, column, channel] order, and of
/// their results.
struct WindowGrid
{
    std::size_t rows; ///< number of rows of a window; may be 0
    /// number of contiguous floats in a row of a window: columns times channels; may be 0
    std::size_t piece;
    std::size_t inRow;    ///< number of floats from a row of the image to the next row
    std::size_t inStepY;  ///< number of floats from a window to the window below it
    std::size_t inStepX;  ///< number of floats from a window to the window on its right
    std::size_t height;   ///< number of windows in a column of the grid
    std::size_t width;    ///< number of windows in a row of the grid
    std::size_t outStepY; ///< number of floats from a result to the result below it
    std::size_t outStepX; ///< number of floats from a result to the result on its right
    std::size_t channels; ///< number of values (output channels) of a result

    /// Number of zero-padding rows at the top of the first window.
    std::size_t zerosAbove{0};
    /// Number of zero-padding rows at the bottom of the last window.
    std::size_t zerosBelow{0};
};

/// Length of a row of weights in floats: the number of channels, rounded up to a multiple of 16.
constexpr std::size_t
PaddedChannels(std::size_t channels)
{
    return (channels + 15) / 16 * 16;
}

/// Sizes of a max pool on images in [row, column, channel] order.
struct PoolShape
{
    std::size_t channels;  ///< number of channels of input and output
    std::size_t inWidth;   ///< number of columns of the input
    std::size_t inSize;    ///< number of values of one input image
    std::size_t outHeight; ///< number of rows of the output
    std::size_t outWidth;  ///< number of columns of the output
    std::size_t kernel;    ///< height and width of the window, at most 255
    std::size_t stride;    ///< distance between adjacent windows, in pixels
    bool relu;             ///< true: max(x, 0) is applied before the pool
};

/// Sizes of a linear layer applied to a batch: output [count, outputs] = input [count, inputs]
/// times the transposed weight [outputs, inputs], plus a bias.
struct LogitShape
{
    std::size_t count;     ///< number of examples
    std::size_t inputs;    ///< number of values of an example
    std::size_t outputs;   ///< number of outputs of an example
    std::size_t weightRow; ///< number of floats from a row of the weight matrix to the next row
};

/// Sizes of a sum of outer products left * right'. The sum has one product per example and
/// position.
struct ProductShape
{
    std::size_t count;   ///< number of outer products
    std::size_t rows;    ///< number of values in a left vector
    std::size_t columns; ///< number of values in a right vector
    /// true: the sum is stored as [columns, rows]; requires at most FEW_ROWS rows
    bool isTransposed;
    bool isFirst; ///< true: the products overwrite the sum; false: they are added to it
};

/// Largest number of rows for which ProductShape::isTransposed is supported.
constexpr std::size_t FEW_ROWS = 16;

/// Scratch memory of addProducts. If the sum has more than FEW_ROWS rows, the memory lists the
/// nonzero left values of each row. For fewer rows, only `lefts` is used, with count * rows values
/// in another order.
struct ProductMemory
{
    /// [rows, count] nonzero left values times their factors, for each row; unused values follow
    /// the list of a row
    double* lefts;
    /// [rows, count] index of the outer product to which each value in `lefts` belongs
    std::uint32_t* places;
    std::uint32_t* terms; ///< [rows] number of nonzero left values of each row
};

/// Largest number of vectors that a VectorTransform reads. Also the largest number of vectors that
/// it writes.
constexpr std::size_t MOST_VECTORS_IN = 9;

/// A small matrix that is multiplied by a list of vectors of equal length.
struct VectorTransform
{
    std::size_t rows;    ///< number of rows of the matrix, at most MOST_VECTORS_IN
    std::size_t columns; ///< number of columns of the matrix; at most MOST_VECTORS_IN
    const float* matrix; ///< [rows, columns] entries, row by row
    const float* in[MOST_VECTORS_IN] = {}; ///< [columns] input vectors
    float* out[MOST_VECTORS_IN] = {};      ///< [rows] output vectors; null: not computed
};

/// Inner loops of the native engine, compiled for one SIMD level.
struct NativeKernels
{
    /**
     * @brief A convolution: result = bias + window * weight for all windows.
     *
     * No im2col matrix is formed. The sums of a block of results stay in registers while the
     * windows are read from the image. Zero-padding rows are skipped, so they contribute 0 even if
     * a weight is not finite.
     *
     * @param grid layout of image and results
     * @param in first value of the first window
     * @param weight [rows * piece, PaddedChannels(channels)], with the sizes of @p grid
     * @param bias [PaddedChannels(channels)]
     * @param[out] out [height, width, channels], with the distances outStepY and outStepX of the
     *        grid
     */
    void (*correlate)(const WindowGrid& grid,
                      const float* in,
                      const float* weight,
                      const float* bias,
                      float* out);

    /**
     * @brief Gradient of correlate() with respect to the weight: the sum over all windows of the
     *        outer product of the window and the gradient with respect to its result.
     * @param grid layout of image and results
     * @param in first value of the first window
     * @param outGradient [height, width, channels] gradients with respect to the results, with the
     *        distances outStepY and outStepX of the grid. From the first value of each result on,
     *        PaddedChannels(channels) floats must be readable; only `channels` of them are used
     * @param[out] gradient [rows * piece, channels] without padding, unlike the weight of
     *        correlate(): row r * piece + k belongs to value k of row r of a window. Overwritten
     */
    void (*weightGradient)(const WindowGrid& grid,
                           const float* in,
                           const float* outGradient,
                           float* gradient);

    /// Multiplies a matrix by vectors: out[r] = sum over c of matrix[r, c] in[c].
    /// @param size length of each vector, a multiple of 16
    void (*transform)(const VectorTransform& transform, std::size_t size);

    /**
     * @brief Outputs of a linear layer: out = bias + weight * in for each example.
     *
     * The outputs of an example do not depend on the other examples in the call; they are
     * bit-identical.
     *
     * @param shape numbers of examples, inputs and outputs
     * @param in [count, inputs]
     * @param weight [outputs, inputs], with shape.weightRow floats from row to row
     * @param bias [outputs]
     * @param[out] out [count, outputs]
     */
    void (*score)(const LogitShape& shape,
                  const float* in,
                  const float* weight,
                  const float* bias,
                  float* out);

    /**
     * @brief Adds the sum of factors[i] * left[i] * right[i]' over all i, in double precision.
     *
     * factors[i] * left[i] is rounded to double; its product with right[i] is added with one
     * rounding. The products are summed before they are added to @p sum. A product with a left
     * value of 0 may be skipped, so it contributes 0 even if the right value is not finite.
     *
     * @param shape sizes; at most SUM_BLOCK outer products
     * @param left [count, rows]
     * @param factors [count]
     * @param right [count, columns]; up to 8 floats past the end may be read
     * @param memory scratch memory for the shape
     * @param[in,out] sum [rows, columns], or [columns, rows] if shape.isTransposed; overwritten if
     *         shape.isFirst
     */
    void (*addProducts)(const ProductShape& shape,
                        const float* left,
                        const double* factors,
                        const float* right,
                        const ProductMemory& memory,
                        double* sum);

    /// sum[c] += factors[r] * rows[r, c] over all rows r, in double precision. Rows with factor 0
    /// are skipped.
    /// @param rows [count, width]
    /// @param factors [count]
    /// @param[in,out] sum [width]
    void (*addScaledRows)(const float* rows,
                          const double* factors,
                          std::size_t count,
                          std::size_t width,
                          double* sum);

    /// Sum of the squares of @p size values, in double precision.
    double (*squaredNorm)(const float* values, std::size_t size);

    /**
     * @brief Max pool of one image: the maximum of each window. Of equal values, the one with the
     *        smallest index in the window is the winner.
     * @param shape sizes of input and output
     * @param in [inSize] one image
     * @param[out] out [outHeight, outWidth, channels]
     * @param[out] winner [outHeight, outWidth, channels] index of the maximum in its window, kernel
     *        * row + column with row and column counted from the window's top left; NO_WINNER if
     *        ReLU makes the output 0
     */
    void (*pool)(const PoolShape& shape, const float* in, float* out, std::uint16_t* winner);

    /// Gradient of pool(): adds the gradient of each output to the input that was the maximum.
    /// @param outGradient [outHeight, outWidth, channels]
    /// @param winner [outHeight, outWidth, channels] result of pool()
    /// @param[out] inGradient [inSize], overwritten
    void (*poolGradient)(const PoolShape& shape,
                         const float* outGradient,
                         const std::uint16_t* winner,
                         float* inGradient);
};

/// Value of `winner` in NativeKernels::pool for a window whose output is 0 by ReLU.
constexpr std::uint16_t NO_WINNER = 65535;

/// Kernels for a SIMD level.
/// @param level a level that the processor supports
const NativeKernels& NativeKernelsOf(SimdLevel level);

namespace avx512
{
extern const NativeKernels NATIVE_KERNELS;
} // namespace avx512

namespace avx2
{
extern const NativeKernels NATIVE_KERNELS;
} // namespace avx2

namespace portable
{
extern const NativeKernels NATIVE_KERNELS;
} // namespace portable

/// Sizes of a convolution on images in [row, column, channel] order.
struct ConvShape
{
    std::size_t channels;    ///< number of channels of the input
    std::size_t height;      ///< number of rows of the input
    std::size_t width;       ///< number of columns of the input
    std::size_t kernel;      ///< height and width of the window
    std::size_t stride;      ///< distance between adjacent windows, in pixels
    std::size_t padding;     ///< number of rows and columns of zeros on each side
    std::size_t outHeight;   ///< number of rows of the output
    std::size_t outWidth;    ///< number of columns of the output
    std::size_t outChannels; ///< number of channels of the output

    /// Number of values of the input.
    std::size_t InSize() const
    {
        return height * width * channels;
    }

    /// Number of values of the output.
    std::size_t OutSize() const
    {
        return outHeight * outWidth * outChannels;
    }

    /// Number of weights per output channel, which is the number of values in a window.
    std::size_t WindowSize() const
    {
        return kernel * kernel * channels;
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_KERNELS_H
