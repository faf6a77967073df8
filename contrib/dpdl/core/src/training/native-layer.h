// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_LAYER_H
#define DPDL_TRAINING_NATIVE_LAYER_H

#include "dpdl/data/dataset.h"
#include "dpdl/training/layer.h"
#include "float-buffer.h"
#include "native-kernels.h"
#include "product-scratch.h"
#include "row-winograd.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// The layers of NativeNetwork: one class for each kind of layer, with one interface for forward
// pass, backward pass, gradient norms and clipped sums.

namespace dpdl
{

/// Memory of a layer for a range of examples of a block: inputs, outputs and the gradients with
/// respect to both.
struct LayerData
{
    float* in;          ///< [count, number of inputs] inputs
    float* out;         ///< [count, number of outputs] outputs
    float* inGradient;  ///< [count, number of inputs] gradients of the inputs; null if not needed
    float* outGradient; ///< [count, number of outputs] gradients of the outputs
    /// [count, number of inputs] input of the residual block that this layer ends; null for other
    /// layers
    const float* begin;
    std::size_t first;  ///< index of the first example in the block
    std::size_t count;  ///< number of examples in this range
    bool isFirst{true}; ///< true: this is the first block since Begin()
};

/**
 * @brief One layer of the native engine.
 *
 * Images are in [row, column, channel] order. A batch is processed in blocks of examples, and a
 * call processes one or more examples of a block. For each gradient sum the order of calls is:
 * Begin(); for each block Forward() of all examples, then Backward(), AddSquaredNorms() and
 * AddClipped(); then EndBlock(). AddClipped() is called after each Backward(), or once per block.
 *
 * Up to AddClipped(), the float32 values of an example are bit-identical in any block. So adding or
 * removing one example changes the sum by its clipped gradient, up to the rounding of sums in
 * double precision, which SumRounding() bounds.
 */
class NativeLayer
{
  public:
    virtual ~NativeLayer() = default;

    /**
     * @brief Sets the parameters, and resets all gradients.
     * @param parameters [ParameterCount()] of the whole model; must remain valid until the next
     *        call
     */
    virtual void Begin(const float* /* parameters */)
    {
    }

    /// Computes the outputs: out = layer(in).
    virtual void Forward(const LayerData& data) = 0;

    /// Computes inGradient from outGradient, and keeps the values that the gradient of the
    /// parameters needs.
    virtual void Backward(const LayerData& data) = 0;

    /// Adds to squares[i] the squared L2 norm of example i's gradient with respect to this layer's
    /// parameters.
    virtual void AddSquaredNorms(const LayerData& /* data */, double* /* squares */)
    {
    }

    /**
     * @brief Adds factors[i] times the gradient of example i, for all i, to the sum of the block.
     *        Examples with factor 0 are skipped, because their gradients may be infinite.
     *
     * The sum is added to gradientSum by this call or by EndBlock().
     *
     * @param data inputs and output gradients, which the call may change
     * @param factors [count] clip factors
     * @param[in,out] gradientSum [ParameterCount()] of the whole model; the first block since
     *        Begin() overwrites the values of this layer's parameters
     */
    virtual void AddClipped(const LayerData& /* data */,
                            const double* /* factors */,
                            double* /* gradientSum */)
    {
    }

    /**
     * @brief Ends a block. If AddClipped() has kept the sum of the block in the layer, adds it to
     *        gradientSum.
     * @param isFirst true for the first block since Begin()
     * @param[in,out] gradientSum [ParameterCount()] of the whole model
     */
    virtual void EndBlock(bool /* isFirst */, double* /* gradientSum */)
    {
    }

    /// True if Backward() or AddClipped() reads the layer's inputs.
    virtual bool KeepsInput() const
    {
        return false;
    }

    /// True if Backward() reads the layer's outputs.
    virtual bool KeepsOutput() const
    {
        return false;
    }
};

/// Flattens images: from [row, column, channel] to the [channel, row, column] order of vectors.
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
 * Since max(pool(x), 0) = pool(max(x, 0)), the layer applies ReLU to the output, which has fewer
 * values.
 */
class PoolLayer : public NativeLayer
{
  public:
    /**
     * @param spec size and stride of the window
     * @param input shape of the input
     * @param relu true: max(x, 0) is fused with the pool
     * @param capacity largest number of examples in a block
     */
    PoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu, std::size_t capacity);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    const NativeKernels& m_kernels; ///< kernels for this processor
    PoolShape m_shape;              ///< sizes of window, input and output
    std::size_t m_outSize;          ///< number of values of one output image
    /// [capacity, outputs] index of each maximum in its window, as `winner` in NativeKernels::pool
    std::vector<std::uint16_t> m_winner;
};

/// max(x, 0), element by element.
class ReluLayer : public NativeLayer
{
  public:
    /// @param size number of values per example
    explicit ReluLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsInput() const override
    {
        return true;
    }

  private:
    std::size_t m_size; ///< number of values per example
};

/**
 * @brief End of a residual block: adds the input of the block to the output of its layers.
 *
 * Backward() computes only the gradient that flows through the block's layers. NativeNetwork adds
 * the gradient of the shortcut to that of the block's input.
 */
class ResidualLayer : public NativeLayer
{
  public:
    /// @param size number of values per example
    explicit ResidualLayer(std::size_t size);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_size; ///< number of values per example
};

/// tanh(x), element by element, alone or fused with the end of a residual block.
class TanhLayer : public NativeLayer
{
  public:
    /**
     * @param size number of values per example
     * @param capacity largest number of examples in a block, if the layer is fused with the end of
     *         a residual block; 0: not fused
     */
    explicit TanhLayer(std::size_t size, std::size_t capacity = 0);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

    bool KeepsOutput() const override
    {
        return m_tangents.Size() == 0;
    }

  private:
    std::size_t m_size; ///< number of values per example
    /// [capacity, size] tanh(x), before the residual block's input is added; empty if not fused.
    FloatBuffer m_tangents;
};

/// A fully connected layer on vectors. Per-example gradients are never materialised.
class LinearLayer : public NativeLayer
{
  public:
    /**
     * @param spec numbers of inputs and outputs
     * @param offset index of the weight in the model's parameter vector; the bias follows it
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
    std::size_t m_offset;           ///< index of the weight in the model's parameter vector
    const NativeKernels& m_kernels; ///< kernels for this processor
    FloatBuffer m_noBias;           ///< [padded in] zeros, which serve as the bias in the backward
                                    ///< pass
    FloatBuffer m_padded;           ///< [out, padded in] weight with padded rows; empty if
                                    ///< NativeKernels do not need them
    /// [in, padded out] transposed weight; empty for more than FEW_ROWS inputs
    FloatBuffer m_transposed;
    FloatBuffer m_bias;       ///< [padded out] copy of the bias
    ProductScratch m_scratch; ///< scratch memory for the products of a block

    const float* m_weight{nullptr}; ///< address of the weight [out, in], which the bias follows;
                                    ///< set by Begin()
    bool m_isPadded{false};         ///< true: m_padded holds the weight of the last Begin()
};

/// Position of an image inside a larger image whose other values are zero (zero padding).
struct Frame
{
    std::size_t height;   ///< rows of the image
    std::size_t row;      ///< number of floats in a row of the image
    std::size_t outerRow; ///< number of floats in a row of the larger image
    std::size_t offset;   ///< index of the image's first value in the larger image
};

/**
 * @brief A convolution, computed by NativeKernels.
 *
 * The weight gradient of each example is materialised and kept until the clip factors are known.
 *
 * The input gradient is computed in phases. The input values of a phase have the same row and
 * column modulo the stride. The gradient of a phase is a convolution of the output gradient.
 */
class ConvLayer : public NativeLayer
{
  public:
    /**
     * @param spec channels, window, stride and padding
     * @param input shape of the input
     * @param offset index of the weight in the model's parameter vector; the bias follows it
     * @param capacity largest number of examples for which Backward() is called before AddClipped()
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
    /// A phase of the input gradient: the input values whose row and column have the same
    /// remainders modulo the stride.
    struct Phase
    {
        std::size_t firstRow; ///< row within a window at which the phase's first value occurs
        /// column within a window at which the phase's first value occurs
        std::size_t firstColumn;
        std::size_t columns; ///< number of horizontally adjacent windows that contain the same
                             ///< value
        /// convolution of the output gradient that computes the gradient of the phase
        WindowGrid grid;
        std::size_t in;     ///< index of the first window's first value in the framed output
                            ///< gradient
        std::size_t out;    ///< index of the phase's first value in the input
        FloatBuffer weight; ///< weights of the windows in the layout of NativeKernels::correlate
    };

    void MakePhases();
    Phase MakePhase(std::size_t row, std::size_t column) const;
    void LoadPhase(const float* weight, Phase& phase) const;
    const float* Framed(const float* image);
    void WeightGradient(const float* in, const float* outGradient, float* gradient);
    void LoadPhases();
    void InputGradient(const float* outGradient, float* inGradient);

    std::size_t WeightSize() const
    {
        return m_shape.outChannels * m_shape.WindowSize();
    }

    std::size_t GradientSize() const
    {
        return WeightSize() + m_shape.outChannels;
    }

    ConvShape m_shape;              ///< sizes of the convolution
    std::size_t m_offset;           ///< index of the weight in the model's parameter vector
    const NativeKernels& m_kernels; ///< kernels for this processor
    WindowGrid m_grid{};            ///< convolution of the framed input to the output
    Frame m_inFrame{};              ///< layout of the zero-padded input
    Frame m_outFrame{};             ///< layout of the zero-padded output gradient, for all phases
    std::vector<Phase> m_phases;    ///< phases of the input gradient

    /// computes outputs and weight gradients if RowWinograd::Suits() the shape; else null
    std::unique_ptr<RowWinograd> m_rows;
    /// computes input gradients if RowWinograd::Suits() the shape; else null
    std::unique_ptr<RowWinograd> m_backRows;

    const float* m_parameters{nullptr}; ///< parameters of the layer (weight, then bias), set by
                                        ///< Begin()
    bool m_phasesLoaded{false};         ///< true: m_phases has the weight of the last Begin()
    FloatBuffer m_weight;               ///< [window values, padded out] copy of the weight
    FloatBuffer m_bias;                 ///< [padded out] copy of the bias
    FloatBuffer m_noBias;         ///< [padded channels] zeros, which serve as the bias of the input
                                  ///< gradient
    FloatBuffer m_framedIn;       ///< memory of one zero-padded input
    FloatBuffer m_framedGradient; ///< memory of one zero-padded output gradient
    /// [capacity, parameters of the layer] gradient of each example: weight [window values, out],
    /// then bias [out]
    FloatBuffer m_gradients;
    /// sum of the block's clipped gradients: weight [window values, out], then bias [out]
    DoubleBuffer m_sum;
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_LAYER_H
