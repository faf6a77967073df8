// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_LAYER_H
#define DPDL_TRAINING_NATIVE_LAYER_H

#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "product-scratch.h"
#include "row-winograd.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// The layers of NativeNetwork, one class per kind of layer, behind one interface for the forward
// and backward pass, norms and clipped sums.

namespace dpdl
{

/// Inputs and outputs of a layer, and the gradients with respect to them, for some examples.
struct LayerData
{
    float* in;          ///< [count, input size]
    float* out;         ///< [count, output size]
    float* inGradient;  ///< [count, input size]; null if not needed
    float* outGradient; ///< [count, output size]
    const float* begin; ///< input of the residual block that the layer ends; else null
    std::size_t first;  ///< index of the first example in the block
    std::size_t count;  ///< number of examples
    bool isFirst{true}; ///< true: the first block since Begin
};

/**
 * @brief One layer of the native engine.
 *
 * Images are in [row, column, channel] order. Examples come in blocks; a call processes one or more
 * examples of a block. For each gradient the calls come in this order: Begin; for each block
 * Forward for all its examples, then Backward and AddSquaredNorms for all, and AddClipped; then
 * EndBlock. AddClipped may follow each Backward, or be called once per block.
 *
 * All values of an example before AddClipped are float32 and have the same bits alone and
 * in any block: adding or removing one example moves the sum by its clipped gradient and by the
 * rounding of double sums, which SumRounding() bounds.
 */
class NativeLayer
{
  public:
    virtual ~NativeLayer() = default;

    /**
     * @brief Sets the parameters and resets all gradients.
     * @param parameters of the whole model; valid until the next Begin
     */
    virtual void Begin(const float* /* parameters */)
    {
    }

    /// out = layer(in).
    virtual void Forward(const LayerData& data) = 0;

    /// inGradient from outGradient; keeps the inputs of the parameters' gradients.
    virtual void Backward(const LayerData& data) = 0;

    /// squares[i] += squared norm of example i's gradient with respect to this layer's parameters.
    virtual void AddSquaredNorms(const LayerData& /* data */, double* /* squares */)
    {
    }

    /**
     * @brief Adds factors[i] * gradient of example i for all i; examples with factor 0 are skipped.
     *
     * The gradients of a block are summed before the sums of blocks are added.
     *
     * @param data may be changed
     * @param factors [count]
     * @param[in,out] gradientSum of the whole model; the first block since Begin overwrites the
     *                layer's part
     */
    virtual void AddClipped(const LayerData& /* data */,
                            const double* /* factors */,
                            double* /* gradientSum */)
    {
    }

    /**
     * @brief Adds the block's sum, if the layer has kept it.
     * @param isFirst true for the first block since Begin
     * @param[in,out] gradientSum as of AddClipped
     */
    virtual void EndBlock(bool /* isFirst */, double* /* gradientSum */)
    {
    }

    /// True if a pass after Forward reads the input.
    virtual bool KeepsInput() const
    {
        return false;
    }

    /// True if Backward reads the output.
    virtual bool KeepsOutput() const
    {
        return false;
    }
};

/// Reorders images from [row, column, channel] to the [channel, row, column] order of vectors.
class FlattenLayer : public NativeLayer
{
  public:
    /// @param input shape of the input
    explicit FlattenLayer(const ImageShape& input);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_channels; ///< number of channels of the input
    std::size_t m_pixels;   ///< number of pixels of the input
};

/**
 * @brief Max pool, alone or fused with the ReLU before it.
 *
 * max(pool(x), 0) = pool(max(x, 0)), so ReLU costs one pass over the smaller output.
 */
class PoolLayer : public NativeLayer
{
  public:
    /**
     * @param spec window
     * @param input shape of the input
     * @param relu true: max(x, 0) comes first
     * @param capacity largest number of examples in a block
     */
    PoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu, std::size_t capacity);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    const NativeKernels& m_kernels;      ///< kernels for this processor
    PoolShape m_shape;                   ///< sizes of the pool
    std::size_t m_outSize;               ///< values of one output image
    std::vector<std::uint16_t> m_winner; ///< [capacity, output size] position in the window
};

/// max(x, 0), element by element.
class ReluLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ReluLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    std::size_t m_size; ///< values of one example
};

/**
 * @brief End of a residual block: adds the block's input.
 *
 * Backward computes only the chain's gradient. The network adds the gradient of the shortcut after
 * the block's first layer has run Backward.
 */
class ResidualLayer : public NativeLayer
{
  public:
    /// @param size values of one example
    explicit ResidualLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_size; ///< values of one example
};

/// tanh(x), element by element, alone or fused with the end of a residual block.
class TanhLayer : public NativeLayer
{
  public:
    /**
     * @param size values of one example
     * @param capacity largest number of examples in a block if the input of a residual block is
     *                 added; 0: not fused
     */
    explicit TanhLayer(std::size_t size, std::size_t capacity = 0);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsOutput() const override
    {
        return m_tangents.Size() == 0;
    }

  private:
    std::size_t m_size;     ///< values of one example
    FloatBuffer m_tangents; ///< [capacity, size] tanh(x) without the sum
};

/// A fully connected layer on vectors, whose per-example gradients are never materialised.
class LinearLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param offset of the weight in the model's vector; the bias follows
     * @param block largest number of examples in a block
     */
    LinearLayer(const Linear& spec, std::size_t offset, std::size_t block);

    void Begin(const float* parameters) override;
    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;
    void AddSquaredNorms(const LayerData& data, double* squares) override;
    void AddClipped(const LayerData& data, const double* factors, double* gradientSum) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    bool HasFewInputs() const;
    const float* PaddedWeight();

    std::size_t m_in;               ///< number of input values
    std::size_t m_out;              ///< number of output values
    std::size_t m_offset;           ///< offset of the weight in the model's vector
    const NativeKernels& m_kernels; ///< kernels for this processor
    FloatBuffer m_noBias;           ///< [padded in] zeros
    FloatBuffer m_padded;           ///< [out, padded in] if NativeKernels need it
    FloatBuffer m_transposed;       ///< [in, padded out] if there are few inputs
    FloatBuffer m_bias;             ///< [padded out] copy of the bias
    ProductScratch m_scratch;       ///< scratch memory for the products of a block

    const float* m_weight{nullptr}; ///< [out, in], then the bias, since Begin
    bool m_isPadded{false};         ///< m_padded holds the current weight
};

/// Position of an image inside a larger, zero-padded one.
struct Frame
{
    std::size_t height;   ///< rows of the image
    std::size_t row;      ///< floats of a row of the image
    std::size_t outerRow; ///< floats of a row of the larger image
    std::size_t offset;   ///< index of the image's first value in the larger one
};

/**
 * @brief A convolution; see NativeKernels.
 *
 * Each example's weight gradient is materialised, so its norm is exact, and kept until the clip
 * factors are known. The input gradient is a convolution of the output gradient for each phase: a
 * position of input values modulo the stride.
 */
class ConvLayer : public NativeLayer
{
  public:
    /**
     * @param spec sizes
     * @param input shape of the input
     * @param offset of the weight in the model's vector; the bias follows
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
    /// Input values with the same position modulo the stride.
    struct Phase
    {
        std::size_t firstRow;    ///< row of the window in which the first value occurs
        std::size_t firstColumn; ///< column of the window in which the first value occurs
        std::size_t columns;     ///< number of columns of windows that contain the values
        WindowGrid grid;         ///< windows from the output's gradient to the input's
        std::size_t in;          ///< offset of the first window in the framed output gradient
        std::size_t out;         ///< offset of the first value in the input
        FloatBuffer weight;      ///< weight in the layout of NativeKernels
    };

    void MakePhases();
    Phase MakePhase(std::size_t row, std::size_t column) const;
    void LoadPhase(const float* weight, Phase& phase) const;
    const float* Framed(const float* image);
    void WeightGradient(const float* in, const float* outGradient, float* gradient);
    void LoadPhases();
    void InputGradient(const float* outGradient, float* inGradient);
    std::size_t WeightSize() const;
    std::size_t GradientSize() const;

    ConvShape m_shape;              ///< sizes of the convolution
    std::size_t m_offset;           ///< offset of the weight in the model's vector
    const NativeKernels& m_kernels; ///< kernels for this processor
    WindowGrid m_grid{};            ///< windows from the framed input to the output
    Frame m_inFrame{};              ///< the input with its padding
    Frame m_outFrame{};             ///< the output gradient with the zeros that all phases need
    std::vector<Phase> m_phases;    ///< positions modulo the stride

    std::unique_ptr<RowWinograd> m_rows;     ///< forward and weight gradient, if suitable
    std::unique_ptr<RowWinograd> m_backRows; ///< input gradient, if suitable

    const float* m_parameters{nullptr}; ///< parameters of the layer, set by Begin()
    bool m_phasesLoaded{false};         ///< the phases hold the current weight
    FloatBuffer m_weight;               ///< [window, padded out] copy of the weight
    FloatBuffer m_bias;                 ///< [padded out]
    FloatBuffer m_noBias;               ///< [padded channels] zeros
    FloatBuffer m_framedIn;             ///< one framed input
    FloatBuffer m_framedGradient;       ///< one framed output gradient
    FloatBuffer m_gradients;            ///< [capacity, [window, out] then bias]
    DoubleBuffer m_sum;                 ///< [[window, out] then bias] clipped sum of the block
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_LAYER_H
