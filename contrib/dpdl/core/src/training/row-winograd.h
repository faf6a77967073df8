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
 * @brief A convolution with stride 1 by Winograd's algorithm F(4, k) along the rows, which needs
 * fewer products.
 *
 * Four adjacent results are a product of two polynomials, of degree 3 and k - 1. It is interpolated
 * from its values at k + 3 points, one of them infinity (Toom and Cook): k + 3 products instead of
 * 4 k. Each point has an image, which NativeKernels convolve with windows one value wide. Along the
 * columns the sums are plain. The rounding error is about twice that of plain sums.
 *
 * Winograd, Arithmetic Complexity of Computations, 1980; Lavin and Gray, arXiv:1509.09308.
 */
class RowWinograd
{
  public:
    /// True if this method is faster than plain sums: a kernel of 3 to 5 and a multiple of 16
    /// channels.
    static bool Suits(const ConvShape& shape);

    /// @param shape with Suits() @param kernels for this processor
    RowWinograd(const ConvShape& shape, const NativeKernels& kernels);

    /// Loads a weight. @param weight [kernel, kernel, channels, out channels]
    void Load(const float* weight);

    /**
     * @brief Convolves with the weights of the last Load.
     * @param image [height, width, channels]
     * @param bias [out channels]
     * @param[out] out [out height, out width, out channels]
     */
    void Correlate(const float* image, const float* bias, float* out);

    /**
     * @brief Gradient with respect to the weight.
     * @param image [height, width, channels]
     * @param outGradient [out height, out width, out channels]
     * @param[out] gradient [kernel, kernel, channels, out channels]
     */
    void WeightGradient(const float* image, const float* outGradient, float* gradient);

  private:
    /// Number of results of a tile.
    static constexpr std::size_t TILE = 4;

    void MakeMatrices();
    void LoadImage(const float* image);
    void LoadGradient(const float* outGradient);
    void StoreResults(const float* bias, float* out);
    std::size_t WeightSize() const;
    std::size_t ImageSize() const;
    std::size_t ResultSize() const;

    ConvShape m_shape;              ///< sizes of the convolution
    const NativeKernels& m_kernels; ///< kernels for this processor
    std::size_t m_points;           ///< number of interpolation points, kernel + 3
    std::size_t m_tiles;            ///< tiles of a row of results
    WindowGrid m_grid;              ///< windows from the image of a point to its results
    FloatBuffer m_fromImage;        ///< [points, points] transform of the image
    FloatBuffer m_fromWeight;       ///< [points, kernel] transform of the weight
    FloatBuffer m_toWeight;         ///< [kernel, points] transpose of m_fromWeight
    FloatBuffer m_fromResults;      ///< [points, TILE] transform of the results
    FloatBuffer m_toResults;        ///< [TILE, points + 1] its transpose, and a column for the bias
    FloatBuffer m_zeros;            ///< [larger of channels and out channels] zeros
    FloatBuffer m_weights;          ///< [points, kernel, channels, out channels] transformed weight
    FloatBuffer m_images;           ///< [points, height with padding, tiles, channels]
    FloatBuffer m_results;          ///< [points, out height, tiles, out channels]
    FloatBuffer m_gradients;        ///< [points, kernel, channels, out channels]
};

} // namespace dpdl

#endif // DPDL_TRAINING_ROW_WINOGRAD_H
