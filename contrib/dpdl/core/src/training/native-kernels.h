// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_KERNELS_H
#define DPDL_TRAINING_NATIVE_KERNELS_H

#include "dpdl/base/simd.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/// A grid of windows on an image in [row, column, channel] order, and where their results go.
struct WindowGrid
{
    std::size_t rows;     ///< of a window; may be 0
    std::size_t piece;    ///< values of a window's row, which lie next to each other; may be 0
    std::size_t inRow;    ///< floats from one row of the image to the next
    std::size_t inStepY;  ///< floats from a window to the one below
    std::size_t inStepX;  ///< floats from a window to the one on its right
    std::size_t height;   ///< windows in a column
    std::size_t width;    ///< windows in a row
    std::size_t outStepY; ///< floats from a result to the one below
    std::size_t outStepX; ///< floats from a result to the one on its right
    std::size_t channels; ///< values of a result

    std::size_t zerosAbove{0}; ///< rows of the image that are zeros, from the first window's first
    std::size_t zerosBelow{0}; ///< the same from the last window's last row upwards
};

/// Values of a row of weights: the channels, and zeros up to a multiple of 16.
constexpr std::size_t
PaddedChannels(std::size_t channels)
{
    return (channels + 15) / 16 * 16;
}

/// Sizes of a pool on [row, column, channel] images.
struct PoolShape
{
    std::size_t channels;  ///< of input and output
    std::size_t inWidth;   ///< columns of the input
    std::size_t inSize;    ///< values of one input image
    std::size_t outHeight; ///< rows of the output
    std::size_t outWidth;  ///< columns of the output
    std::size_t kernel;    ///< side of the window, at most 255
    std::size_t stride;    ///< step of the window
    bool relu;             ///< whether max(x, 0) comes first
};

/// Sizes of a linear layer's outputs.
struct LogitShape
{
    std::size_t count;     ///< examples
    std::size_t inputs;    ///< values of an example
    std::size_t outputs;   ///< results of an example
    std::size_t weightRow; ///< floats from a row of the weight to the next
};

/// Sizes of a sum of outer products.
struct ProductShape
{
    std::size_t count;   ///< outer products
    std::size_t rows;    ///< values of a left vector
    std::size_t columns; ///< values of a right vector
    bool isTransposed;   ///< whether the sum is [columns, rows]; only with few rows
    bool isFirst;        ///< whether the sum is overwritten
};

/// Rows up to which a sum of outer products may be transposed.
constexpr std::size_t FEW_ROWS = 16;

/// Memory that sums of outer products are computed in.
struct ProductMemory
{
    double* lefts;         ///< [count * rows]
    std::uint32_t* places; ///< [count * rows]
    std::uint32_t* terms;  ///< [rows]
};

/// Vectors that a VectorTransform applies to at most.
constexpr std::size_t MOST_VECTORS_IN = 9;

/// A small matrix and the vectors that it is applied to, all of the same size.
struct VectorTransform
{
    std::size_t rows;                      ///< of the matrix; at most MOST_VECTORS_IN
    std::size_t columns;                   ///< likewise
    const float* matrix;                   ///< [rows, columns]
    const float* in[MOST_VECTORS_IN] = {}; ///< [columns]
    float* out[MOST_VECTORS_IN] = {};      ///< [rows]; null: not wanted
};

/// The loops that the native engine spends its time in, written for one SIMD level.
struct NativeKernels
{
    /**
     * @brief A convolution: result = bias + window * weight for all windows.
     *
     * There is no matrix of windows: the sums of a block of results stay in registers while the
     * windows are read from the image itself. Rows of zeros are left out, whatever the weight is.
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
     * @brief Its gradient: the sum over all windows of window' * (gradient of the result).
     * @param grid sizes
     * @param in corner of the first window
     * @param outGradient [height, width, channels] with the steps of the grid; as many floats as
     *        fill a vector of 16 are read where a result has fewer, and ignored
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
     * The scores of an example do not depend on the others.
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
     * factors[i] * left[i] is rounded to double, the product of that with right[i] is rounded when
     * it is added; all of them are added up before they are added to the sum. Terms whose left
     * value is zero may be left out, whatever the right one is.
     *
     * @param shape sizes; at most SUM_BLOCK outer products
     * @param left [count, rows]
     * @param factors [count]
     * @param right [count, columns]; half a vector of 16 may be read behind the last one
     * @param memory to compute in
     * @param[in,out] sum [rows, columns] or transposed
     */
    void (*addProducts)(const ProductShape& shape,
                        const float* left,
                        const double* factors,
                        const float* right,
                        const ProductMemory& memory,
                        double* sum);

    /// sum += factors[i] * rows[i] for all i, in double precision; a factor 0 leaves the row out.
    void (*addScaledRows)(const float* rows,
                          const double* factors,
                          std::size_t count,
                          std::size_t width,
                          double* sum);

    /// Sum of squares, in double precision.
    double (*squaredNorm)(const float* values, std::size_t size);

    /**
     * @brief The largest value of each window, the first one where several are equal.
     * @param shape sizes
     * @param in one image
     * @param[out] out one image
     * @param[out] winner place of the value in its window; NO_WINNER where max(x, 0) made it 0
     */
    void (*pool)(const PoolShape& shape, const float* in, float* out, std::uint16_t* winner);

    /// Gives each output's gradient to its winner. @param[out] inGradient one image, overwritten
    void (*poolGradient)(const PoolShape& shape,
                         const float* outGradient,
                         const std::uint16_t* winner,
                         float* inGradient);
};

/// No value of the window got through.
constexpr std::uint16_t NO_WINNER = 65535;

/// The kernels written for a level. @param level one that the processor has
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

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_KERNELS_H
