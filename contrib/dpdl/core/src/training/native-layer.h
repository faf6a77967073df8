// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_LAYER_H
#define DPDL_TRAINING_NATIVE_LAYER_H

#include "conv-shape.h"
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

namespace dpdl
{

/// What flows into a layer and out of it, and the gradients that flow back, for some examples.
struct LayerData
{
    float* in;          ///< [count, input size]
    float* out;         ///< [count, output size]
    float* inGradient;  ///< [count, input size]; null if not needed
    float* outGradient; ///< [count, output size]
    const float* begin; ///< what flowed into the residual block that the layer ends; else null
    std::size_t first;  ///< number of the first example in the block
    std::size_t count;  ///< examples
    bool isFirst{true}; ///< whether no block came before since Begin
};

/**
 * @brief One layer of the native engine.
 *
 * Images are in [row, column, channel] order. Examples come in blocks, and those of a block one
 * after the other or some at a time. For each gradient the calls come in this order: Begin; for
 * each block Forward for all its examples, then Backward and AddSquaredNorms for all, and
 * AddClipped; then EndBlock. AddClipped may follow each Backward or come once for the whole block.
 *
 * All values of an example before AddClipped are float32 and have the same bits alone and
 * in any block: one example more or less moves the sum by its own clipped gradient and by the
 * rounding of a sum in double precision, which SumRounding() bounds.
 */
class NativeLayer
{
  public:
    virtual ~NativeLayer() = default;

    /**
     * @brief Takes the parameters over and forgets all gradients.
     * @param parameters of the whole model; have to stay until the next Begin
     */
    virtual void Begin(const float* /* parameters */)
    {
    }

    /// out = layer(in).
    virtual void Forward(const LayerData& data) = 0;

    /// inGradient from outGradient; keeps what the parameters' gradients need.
    virtual void Backward(const LayerData& data) = 0;

    /// squares[i] += squared norm of example i's gradient by this layer's parameters.
    virtual void AddSquaredNorms(const LayerData& /* data */, double* /* squares */)
    {
    }

    /**
     * @brief Adds factors[i] * gradient of example i for all i; a factor 0 leaves the example out.
     *
     * The clipped gradients of a block are added up before they are added to those of others.
     *
     * @param data may be changed
     * @param factors [count]
     * @param[in,out] gradientSum of the whole model; of the first block since Begin the layer's
     *                part is unspecified before and overwritten
     */
    virtual void AddClipped(const LayerData& /* data */,
                            const double* /* factors */,
                            double* /* gradientSum */)
    {
    }

    /**
     * @brief Adds what the layer has kept of the block's sum.
     * @param isFirst whether no block came before since Begin
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

/// From the engine's [row, column, channel] order to the [channel, row, column] order of a vector.
class FlattenLayer : public NativeLayer
{
  public:
    /// @param input shape of what comes in
    explicit FlattenLayer(const ImageShape& input);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    std::size_t m_channels; ///< of what comes in
    std::size_t m_pixels;   ///< of what comes in
};

/**
 * @brief Max pool, alone or with the rectifier in front of it.
 *
 * max(pool(x), 0) = pool(max(x, 0)), so that the pair costs one pass over the output.
 */
class PoolLayer : public NativeLayer
{
  public:
    /**
     * @param spec window
     * @param input shape of what comes in
     * @param relu whether max(x, 0) comes first
     * @param capacity largest number of examples in a block
     */
    PoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu, std::size_t capacity);

    void Forward(const LayerData& data) override;
    void Backward(const LayerData& data) override;

  private:
    const NativeKernels& m_kernels;      ///< for this processor
    PoolShape m_shape;                   ///< sizes
    std::size_t m_outSize;               ///< values of one output image
    std::vector<std::uint16_t> m_winner; ///< [capacity, output size] place in the window
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
 * @brief The end of a residual block: adds what flowed into the block.
 *
 * Backward serves the chain alone. The gradient that goes past the block is for the network to add,
 * once the first layer of the block has given its own.
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

/// tanh(x), element by element, alone or with the end of the residual block behind it.
class TanhLayer : public NativeLayer
{
  public:
    /**
     * @param size values of one example
     * @param capacity largest number of examples in a block, if what flowed into a residual block
     *                 is to be added; 0: nothing is
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
    FloatBuffer m_tangents; ///< [capacity, size] without what is added
};

/// A fully connected layer on vectors, whose per-example gradients are never formed.
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

    std::size_t m_in;               ///< values that come in
    std::size_t m_out;              ///< values that go out
    std::size_t m_offset;           ///< of the weight in the model's vector
    const NativeKernels& m_kernels; ///< for this processor
    FloatBuffer m_noBias;           ///< [padded in] zeros
    FloatBuffer m_padded;           ///< [out, padded in] where NativeKernels want it
    FloatBuffer m_transposed;       ///< [in, padded out] where there are few inputs
    FloatBuffer m_bias;             ///< [padded out] likewise
    ProductScratch m_scratch;       ///< for the products of a block

    const float* m_weight{nullptr}; ///< [out, in], then the bias, since Begin
    bool m_isPadded{false};         ///< whether m_padded has this Begin's weight
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
    void WeightGradient(const float* in, const float* outGradient, float* gradient);
    void LoadPhases();
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

    std::unique_ptr<RowWinograd> m_rows;     ///< computes with the input, where that suits
    std::unique_ptr<RowWinograd> m_backRows; ///< computes the input's gradient, likewise

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

#endif // DPDL_TRAINING_NATIVE_LAYER_H
