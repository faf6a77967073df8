// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_KERNELS_H
#define DPDL_TRAINING_NATIVE_KERNELS_H

#include "dpdl/base/simd.h"

#include <cstddef>
#include <cstdint>

// The interface of the native engine's inner loops: shapes, scratch memory, and a table of
// functions for each SIMD level.

namespace dpdl
{

/// A grid of windows on an image in [row, column, channel] order, with the layout of their results.
struct WindowGrid
{
    std::size_t rows;     ///< number of rows of a window; may be 0
    std::size_t piece;    ///< contiguous values of a window's row; may be 0
    std::size_t inRow;    ///< floats from one row of the image to the next
    std::size_t inStepY;  ///< floats from a window to the one below
    std::size_t inStepX;  ///< floats from a window to the one on its right
    std::size_t height;   ///< windows in a column
    std::size_t width;    ///< windows in a row
    std::size_t outStepY; ///< floats from a result to the one below
    std::size_t outStepX; ///< floats from a result to the one on its right
    std::size_t channels; ///< values of a result

    /// Number of zero-padding rows at the top of the first window.
    std::size_t zerosAbove{0};
    /// Number of zero-padding rows at the bottom of the last window.
    std::size_t zerosBelow{0};
};

/// Number of values of a row of weights: the channels, zero-padded to a multiple of 16.
constexpr std::size_t
PaddedChannels(std::size_t channels)
{
    return (channels + 15) / 16 * 16;
}

/// Sizes of a pool on [row, column, channel] images.
struct PoolShape
{
    std::size_t channels;  ///< number of channels of input and output
    std::size_t inWidth;   ///< columns of the input
    std::size_t inSize;    ///< values of one input image
    std::size_t outHeight; ///< rows of the output
    std::size_t outWidth;  ///< columns of the output
    std::size_t kernel;    ///< side of the window, at most 255
    std::size_t stride;    ///< step of the window
    bool relu;             ///< true: max(x, 0) comes first
};

/// Sizes of a linear layer's outputs.
struct LogitShape
{
    std::size_t count;     ///< number of examples
    std::size_t inputs;    ///< values of an example
    std::size_t outputs;   ///< results of an example
    std::size_t weightRow; ///< floats from a row of the weight to the next
};

/// Sizes of a sum of outer products.
struct ProductShape
{
    std::size_t count;   ///< number of outer products
    std::size_t rows;    ///< values of a left vector
    std::size_t columns; ///< values of a right vector
    bool isTransposed;   ///< the sum is [columns, rows]; only with at most FEW_ROWS rows
    bool isFirst;        ///< the sum is overwritten
};

/// Rows up to which a sum of outer products may be transposed.
constexpr std::size_t FEW_ROWS = 16;

/// Scratch memory for sums of outer products.
struct ProductMemory
{
    double* lefts;         ///< [count * rows] nonzero left values, row after row
    std::uint32_t* places; ///< [count * rows] number of the right vector of each left value
    std::uint32_t* terms;  ///< [rows] number of nonzero terms of each row
};

/// Largest number of vectors of a VectorTransform.
constexpr std::size_t MOST_VECTORS_IN = 9;

/// A small matrix and the equally long vectors that it multiplies.
struct VectorTransform
{
    std::size_t rows;    ///< number of rows of the matrix; at most MOST_VECTORS_IN
    std::size_t columns; ///< number of columns of the matrix; at most MOST_VECTORS_IN
    const float* matrix; ///< [rows, columns] row-major
    const float* in[MOST_VECTORS_IN] = {}; ///< [columns] input vectors
    float* out[MOST_VECTORS_IN] = {};      ///< [rows] output vectors; null: not computed
};

/// Inner loops of the native engine, compiled for one SIMD level.
struct NativeKernels
{
    /**
     * @brief A convolution: result = bias + window * weight for all windows.
     *
     * No im2col matrix is formed: the sums of a block of results stay in registers while the
     * windows are read from the image. Zero rows are skipped, also if a weight is not finite.
     *
     * @param grid sizes
     * @param in corner of the first window
     * @param weight [rows * piece, PaddedChannels(channels)]
     * @param bias [PaddedChannels(channels)]
     * @param[out] out [height, width, channels] with the steps of the grid
     */
    void (*correlate)(const WindowGrid& grid,
                      const float* in,
                      const float* weight,
                      const float* bias,
                      float* out);

    /**
     * @brief Gradient of correlate() with respect to the weight: the sum over all windows of
     *        window' * (gradient of the result).
     * @param grid sizes
     * @param in corner of the first window
     * @param outGradient [height, width, channels] with the steps of the grid; reads of a result
     *        are padded to 16 floats, and the rest is ignored
     * @param[out] gradient [rows * piece, channels]
     */
    void (*weightGradient)(const WindowGrid& grid,
                           const float* in,
                           const float* outGradient,
                           float* gradient);

    /// out[r] = sum over c of matrix[r, c] in[c]. @param size of a vector, a multiple of 16
    void (*transform)(const VectorTransform& transform, std::size_t size);

    /**
     * @brief A linear layer: out = bias + weight * in for all examples.
     *
     * The outputs of an example do not depend on the others.
     *
     * @param shape sizes
     * @param in [count, inputs]
     * @param weight [outputs, inputs] with the step of the shape
     * @param bias [outputs]
     * @param[out] out [count, outputs]
     */
    void (*score)(const LogitShape& shape,
                  const float* in,
                  const float* weight,
                  const float* bias,
                  float* out);

    /**
     * @brief Adds factors[i] * left[i] * right[i]' for all i, in double precision.
     *
     * factors[i] * left[i] is rounded to double; its product with right[i] is rounded when it is
     * added. All terms are summed before they are added to the sum. Terms with a zero left value
     * may be skipped, also if the right one is not finite.
     *
     * @param shape sizes; at most SUM_BLOCK outer products
     * @param left [count, rows]
     * @param factors [count]
     * @param right [count, columns]; 8 floats past the last one may be read
     * @param memory scratch
     * @param[in,out] sum [rows, columns] or transposed
     */
    void (*addProducts)(const ProductShape& shape,
                        const float* left,
                        const double* factors,
                        const float* right,
                        const ProductMemory& memory,
                        double* sum);

    /// sum += factors[i] * rows[i] for all i, in double precision; rows with factor 0 are skipped.
    void (*addScaledRows)(const float* rows,
                          const double* factors,
                          std::size_t count,
                          std::size_t width,
                          double* sum);

    /// Sum of squares, in double precision.
    double (*squaredNorm)(const float* values, std::size_t size);

    /**
     * @brief Maximum of each window; ties go to the first value.
     * @param shape sizes
     * @param in one image
     * @param[out] out one image
     * @param[out] winner position of the maximum in its window; NO_WINNER if max(x, 0) is 0
     */
    void (*pool)(const PoolShape& shape, const float* in, float* out, std::uint16_t* winner);

    /// Adds each output's gradient to its winner. @param[out] inGradient one image, overwritten
    void (*poolGradient)(const PoolShape& shape,
                         const float* outGradient,
                         const std::uint16_t* winner,
                         float* inGradient);
};

/// Marks a window whose output is 0 by ReLU.
constexpr std::uint16_t NO_WINNER = 65535;

/// Kernels of a level. @param level supported by the processor
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

/// Sizes of a convolution on [row, column, channel] images.
struct ConvShape
{
    std::size_t channels;    ///< number of channels of the input
    std::size_t height;      ///< rows of the input
    std::size_t width;       ///< columns of the input
    std::size_t kernel;      ///< side of the window
    std::size_t stride;      ///< step of the window
    std::size_t padding;     ///< zeros on each side
    std::size_t outHeight;   ///< rows of the output
    std::size_t outWidth;    ///< columns of the output
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

    /// Number of values of one window.
    std::size_t WindowSize() const
    {
        return kernel * kernel * channels;
    }
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_KERNELS_H
