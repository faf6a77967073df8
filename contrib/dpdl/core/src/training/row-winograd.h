// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_ROW_WINOGRAD_H
#define DPDL_TRAINING_ROW_WINOGRAD_H

#include "float-buffer.h"
#include "native-kernels.h"

#include <cstddef>

namespace dpdl
{

/**
 * @brief A convolution with stride 1 that needs fewer multiplications than direct sums: it uses
 *        Winograd's algorithm F(4, k) along the rows of an image, where k is the kernel size.
 *
 * A tile consists of four horizontally adjacent results. For one input channel and one row of the
 * kernel, a tile depends on k weights and k + 3 pixels. Direct sums need 4 k multiplications; the
 * algorithm needs only k + 3:
 * - It transforms the k weights to k + 3 numbers, and the k + 3 pixels to k + 3 numbers.
 * - It multiplies the i-th number of the weights by the i-th number of the pixels, for each i.
 * - It transforms the k + 3 products to the four results.
 *
 * The three transforms are linear maps with constant matrices. They follow from polynomial
 * multiplication by interpolation (Toom and Cook): number i belongs to an interpolation point, of
 * which the last is infinity.
 *
 * Each point has a transformed image [rows, tiles, channels] and a transformed kernel with one
 * column. NativeKernels::correlate() convolves the two, which also sums over channels and over the
 * rows of the kernel. The rounding error is about twice that of direct sums.
 *
 * Winograd, Arithmetic Complexity of Computations, 1980; Lavin and Gray, arXiv:1509.09308.
 */
class RowWinograd
{
  public:
    /// True if this class supports the shape and is faster than direct sums: stride 1; kernel size
    /// 3 to 5 and larger than the padding; numbers of input and of output channels that are
    /// multiples of 16; at least TILE results per row.
    static bool Suits(const ConvShape& shape);

    /// @param shape a shape for which Suits() is true
    /// @param kernels kernels for this processor
    RowWinograd(const ConvShape& shape, const NativeKernels& kernels);

    /// Transforms a weight for later calls.
    /// @param weight [kernel, kernel, channels, out channels]
    void Load(const float* weight);

    /**
     * @brief Convolves an image with the weight of the last Load().
     * @param image [height, width, channels]
     * @param bias [out channels]
     * @param[out] out [out height, out width, out channels]
     */
    void Correlate(const float* image, const float* bias, float* out);

    /**
     * @brief Gradient of the objective with respect to the weight, for one image.
     * @param image [height, width, channels]
     * @param outGradient [out height, out width, out channels]
     * @param[out] gradient [kernel, kernel, channels, out channels]
     */
    void WeightGradient(const float* image, const float* outGradient, float* gradient);

  private:
    /// Number of adjacent results in a tile.
    static constexpr std::size_t TILE = 4;

    void MakeMatrices();
    void LoadImage(const float* image);
    void LoadGradient(const float* outGradient);
    void StoreResults(const float* bias, float* out);

    std::size_t WeightSize() const
    {
        return m_shape.kernel * m_shape.channels * m_shape.outChannels;
    }

    std::size_t ImageSize() const
    {
        return (m_shape.height + 2 * m_shape.padding) * m_tiles * m_shape.channels;
    }

    std::size_t ResultSize() const
    {
        return m_shape.outHeight * m_tiles * m_shape.outChannels;
    }

    ConvShape m_shape;              ///< sizes of the convolution
    const NativeKernels& m_kernels; ///< kernels for this processor
    std::size_t m_points;           ///< number of interpolation points, kernel + 3
    std::size_t m_tiles;            ///< number of tiles in a row of results
    WindowGrid m_grid;              ///< convolution of the transformed image of each point
    FloatBuffer m_fromImage;   ///< [points, points] transform of a row of the image, tile by tile
    FloatBuffer m_fromWeight;  ///< [points, kernel] transform of a row of the weight
    FloatBuffer m_toWeight;    ///< [kernel, points] transpose of m_fromWeight
    FloatBuffer m_fromResults; ///< [points, TILE] transform of the gradients of a tile
    /// [TILE, points + 1] transpose of m_fromResults, and a column of ones for the bias
    FloatBuffer m_toResults;
    FloatBuffer m_zeros;   ///< [larger of channels and out channels] zeros, for padding and as a
                           ///< bias
    FloatBuffer m_weights; ///< [points, kernel, channels, out channels] transformed weight
    FloatBuffer m_images;  ///< [points, height with padding, tiles, channels] transformed image
    /// [points, out height, tiles, out channels] products at the interpolation points or, in
    /// WeightGradient(), gradients with respect to these products
    FloatBuffer m_results;
    /// [points, kernel, channels, out channels] weight gradients at the interpolation points
    FloatBuffer m_gradients;
};

} // namespace dpdl

#endif // DPDL_TRAINING_ROW_WINOGRAD_H
