// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CONV_LAYER_H
#define DPDL_TRAINING_CONV_LAYER_H

#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-layer.h"

namespace dpdl
{

/// Sizes of a convolution on [row, column, channel] images.
struct ConvShape
{
    std::size_t channels;     ///< of the input
    std::size_t height;       ///< rows of the input
    std::size_t width;        ///< columns of the input
    std::size_t kernel;       ///< side of the window
    std::size_t stride;       ///< step of the window
    std::size_t padding;      ///< zeros on each side
    std::size_t outHeight;    ///< rows of the output
    std::size_t outWidth;     ///< columns of the output
    std::size_t outChannels;  ///< of the output
    std::size_t paddedHeight; ///< height + 2 padding
    std::size_t paddedWidth;  ///< width + 2 padding

    /// Values of one window.
    std::size_t WindowSize() const
    {
        return kernel * kernel * channels;
    }

    /// Windows of one image.
    std::size_t Windows() const
    {
        return outHeight * outWidth;
    }
};

/**
 * @brief A convolution as a matrix product: all windows of the chunk, one a row, times the weight.
 *
 * The weight gradient of each example is formed, so that its norm is exact, and kept until the
 * clip factors are known.
 */
class ConvLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param input shape of what comes in
     * @param offset where the weight lies in the model's vector; the bias follows
     * @param capacity largest number of examples in a chunk
     */
    ConvLayer(const Conv2d& spec,
              const ImageShape& input,
              std::size_t offset,
              std::size_t capacity);

    void Load(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const float* factors) override;
    void Store(float* gradientSum) override;

  private:
    std::size_t WeightSize() const;
    std::size_t GradientSize() const;
    void ExampleGradients(const LayerData& data);

    ConvShape m_shape;    ///< sizes
    std::size_t m_offset; ///< of the weight in the model's vector

    FloatBuffer m_weight;    ///< [out, window]
    FloatBuffer m_bias;      ///< [out]
    FloatBuffer m_padded;    ///< one padded image
    FloatBuffer m_windows;   ///< [capacity, windows, window]
    FloatBuffer m_scratch;   ///< [capacity, windows, window] gradient of m_windows
    FloatBuffer m_gradients; ///< [capacity, weight then bias], example by example
    FloatBuffer m_sum;       ///< [weight then bias] clipped sum
};

} // namespace dpdl

#endif // DPDL_TRAINING_CONV_LAYER_H
