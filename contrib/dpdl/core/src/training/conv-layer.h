// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CONV_LAYER_H
#define DPDL_TRAINING_CONV_LAYER_H

#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "native-layer.h"

#include <vector>

namespace dpdl
{

/// Sizes of a convolution on [row, column, channel] images.
struct ConvShape
{
    std::size_t channels;    ///< of the input
    std::size_t height;      ///< rows of the input
    std::size_t width;       ///< columns of the input
    std::size_t kernel;      ///< side of the window
    std::size_t stride;      ///< step of the window
    std::size_t padding;     ///< zeros on each side
    std::size_t outHeight;   ///< rows of the output
    std::size_t outWidth;    ///< columns of the output
    std::size_t outChannels; ///< of the output

    /// Values of the input.
    std::size_t InSize() const
    {
        return height * width * channels;
    }

    /// Values of the output.
    std::size_t OutSize() const
    {
        return outHeight * outWidth * outChannels;
    }

    /// Values of one window.
    std::size_t WindowSize() const
    {
        return kernel * kernel * channels;
    }
};

/// An image in the middle of a larger one that is zero elsewhere.
struct Frame
{
    std::size_t height;   ///< rows of the image
    std::size_t row;      ///< floats of a row of the image
    std::size_t outerRow; ///< floats of a row of the larger one
    std::size_t offset;   ///< of the image's first value in the larger one
};

/**
 * @brief A convolution; see NativeKernels.
 *
 * The weight gradient of each example is formed, so that its norm is exact, and kept until the
 * clip factors are known. The gradient by the input is a convolution of the output's gradient, one
 * for each place that an input value can have within the strides of the windows.
 */
class ConvLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param input shape of what comes in
     * @param offset where the weight lies in the model's vector; the bias follows
     * @param capacity largest number of examples between Backward and AddClipped
     */
    ConvLayer(const Conv2d& spec,
              const ImageShape& input,
              std::size_t offset,
              std::size_t capacity);

    void Begin(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const double* factors, double* gradientSum) override;
    void EndBlock(bool isFirst, double* gradientSum) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    /// The input values of one place within the strides.
    struct Phase
    {
        std::size_t firstRow;    ///< row of the window that the first value can be in
        std::size_t firstColumn; ///< likewise
        std::size_t columns;     ///< of windows that the values are in
        WindowGrid grid;         ///< from the output's gradient to the input's
        std::size_t in;          ///< offset of the first window in the framed output gradient
        std::size_t out;         ///< offset of the first value in the input
        FloatBuffer weight;      ///< as NativeKernels wants it
    };

    void MakePhases();
    Phase MakePhase(std::size_t row, std::size_t column) const;
    void LoadPhase(const float* weight, Phase& phase) const;
    const float* Framed(const float* image);
    void InputGradient(const float* outGradient, float* inGradient);
    std::size_t WeightSize() const;
    std::size_t GradientSize() const;

    ConvShape m_shape;              ///< sizes
    std::size_t m_offset;           ///< of the weight in the model's vector
    const NativeKernels& m_kernels; ///< for this processor
    WindowGrid m_grid{};            ///< from the framed input to the output
    Frame m_inFrame{};              ///< the input with its padding
    Frame m_outFrame{};             ///< the output's gradient with what all phases need around it
    std::vector<Phase> m_phases;    ///< all places within the strides

    const float* m_parameters{nullptr}; ///< of the layer, since Begin
    bool m_phasesLoaded{false};         ///< whether the phases have this Begin's weight
    FloatBuffer m_weight;               ///< [window, padded out]
    FloatBuffer m_bias;                 ///< [padded out]
    FloatBuffer m_noBias;               ///< [padded channels] zeros
    FloatBuffer m_framedIn;             ///< one framed input
    FloatBuffer m_framedGradient;       ///< one framed output gradient
    FloatBuffer m_gradients;            ///< [capacity, [window, out] then bias]
    DoubleBuffer m_sum;                 ///< [[window, out] then bias] clipped sum of the block
};

} // namespace dpdl

#endif // DPDL_TRAINING_CONV_LAYER_H
