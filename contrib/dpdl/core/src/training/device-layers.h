// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_LAYERS_H
#define DPDL_TRAINING_DEVICE_LAYERS_H

#include "cuda/device-executor.h"
#include "dpdl/training/layer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// The layers of DeviceNetwork, one class per kind of layer. Each layer composes operations and
// matrix products of a DeviceExecutor.

namespace dpdl
{

/// Batches of several nodes on a device, all padded to the same number of examples, and memory that
/// their layers share.
struct DevicePass
{
    cuda::DeviceExecutor* executor; ///< device that runs the operations
    const float* states;            ///< [nodes, parameters] state vectors
    std::size_t parameters;         ///< number of parameters d
    std::size_t nodes;              ///< number of nodes
    std::size_t places;             ///< padded batch size of each node
    float* scratch;                 ///< scratch memory of the size that the layer requests; its
                                    ///< content is unspecified
    const float* factors;           ///< [nodes, padded batch size] clip factors; 0: the example is
                                    ///< skipped
    float* sums;                    ///< [nodes, parameters] sums of clipped gradients

    /// Number of examples of all nodes, including padding.
    std::size_t Examples() const
    {
        return nodes * places;
    }
};

/// Inputs and outputs of a layer, and the gradients with respect to them. All are [nodes, padded
/// batch size, values of an example].
struct DeviceFlow
{
    float* in;          ///< input values
    float* out;         ///< output values
    float* inGradient;  ///< gradient with respect to the input; null if not needed
    float* outGradient; ///< gradient with respect to the output
};

/// Place of a layer's biases in a node's state vector.
struct BiasPlace
{
    std::size_t offset{0}; ///< index of the first bias
    std::size_t width{0};  ///< number of biases; 0: there are none
};

/// The biases of all nodes.
/// @param pass batches of the nodes
/// @param place place of the biases in a state vector
/// @param size number of values of one example to which they are added
cuda::Biases BiasesOf(const DevicePass& pass, const BiasPlace& place, std::size_t size);

/**
 * @brief One layer of a model on a device, for the batches of many nodes at a time.
 *
 * Images are in [row, column, channel] order. Layers read parameters directly from the nodes' state
 * vectors. For each gradient the calls come in this order: Forward, Backward, SumClipped.
 */
class DeviceLayer
{
  public:
    virtual ~DeviceLayer() = default;

    /// Number of bytes of device memory that the layer allocates for one example.
    virtual std::size_t BytesPerExample() const
    {
        return 0;
    }

    /// Number of floats of DevicePass::scratch that the layer needs for one example.
    virtual std::size_t ScratchPerExample() const
    {
        return 0;
    }

    /// Allocates the layer's memory for a number of nodes and of examples of all nodes, and frees
    /// earlier memory.
    virtual void Reserve(cuda::DeviceExecutor& /* executor */,
                         std::size_t /* nodes */,
                         std::size_t /* examples */)
    {
    }

    /// Computes out = layer(in).
    virtual void Forward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// Computes inGradient from outGradient, and the values of Parts().
    virtual void Backward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// Leaves the addition of the bias to the next layer.
    /// @return place of the biases; width 0: the layer has none
    virtual BiasPlace LeaveBias()
    {
        return {};
    }

    /// Arrays from which the norms of this layer's gradients and sums of them are computed. Member
    /// GradientPart::end is not set.
    virtual std::vector<cuda::GradientPart> Parts(const DeviceFlow& /* flow */) const
    {
        return {};
    }

    /// Writes the sums of the clipped gradients that are not in Parts() to pass.sums. May change
    /// the values of @p flow.
    virtual void SumClipped(const DevicePass& /* pass */, const DeviceFlow& /* flow */)
    {
    }
};

/// A layer that multiplies the rows of its input by a weight and adds a bias.
class DeviceProductLayer : public DeviceLayer
{
  public:
    BiasPlace LeaveBias() override
    {
        m_leavesBias = true;
        return Bias();
    }

  protected:
    /**
     * @param offset index of the weight in a node's state vector; the bias follows it
     * @param in number of values in a row of the input
     * @param out number of values in a row of the output
     */
    DeviceProductLayer(std::size_t offset, std::size_t in, std::size_t out);

    /// Number of elements of the weight.
    std::size_t WeightSize() const
    {
        return m_out * m_in;
    }

    /// Place of the biases, which follow the weight.
    BiasPlace Bias() const
    {
        return {m_offset + WeightSize(), m_out};
    }

    /// The weights in the states of all nodes, each [m_out, m_in].
    cuda::MatrixBatch StateWeights(const DevicePass& pass) const
    {
        return {pass.states + m_offset, m_in, pass.parameters};
    }

    /**
     * @brief Computes out = in W', plus the bias unless the next layer adds it.
     * @param pass batches of the nodes
     * @param in [examples, rows, m_in]
     * @param weights weights W of all nodes, each [m_out, m_in]
     * @param out [examples, rows, m_out]
     * @param rows number of rows of an example
     */
    void MultiplyForward(const DevicePass& pass,
                         const float* in,
                         cuda::MatrixBatch weights,
                         float* out,
                         std::size_t rows) const;

    /**
     * @brief Computes inGradient = outGradient W.
     * @param pass batches of the nodes
     * @param outGradient [examples, rows, m_out]
     * @param weights weights W of all nodes, each [m_out, m_in]
     * @param inGradient [examples, rows, m_in]
     * @param rows number of rows of an example
     */
    void MultiplyBackward(const DevicePass& pass,
                          const float* outGradient,
                          const cuda::MatrixBatch& weights,
                          float* inGradient,
                          std::size_t rows) const;

    const std::size_t m_offset; ///< index of the weight in a node's state vector
    const std::size_t m_in;     ///< number of values in a row of the input
    const std::size_t m_out;    ///< number of values in a row of the output

  private:
    bool m_leavesBias{false}; ///< true: the next layer adds the bias
};

/**
 * @brief Fully connected layer: one matrix product per node.
 *
 * Per-example gradients are never materialised. The norm of an example's weight gradient is |input|
 * times |output gradient|, and the matrix product that sums over the batch applies the clip
 * factors. An image is in the [channel, row, column] order of the weight's columns here:
 * DeviceFlattenLayer reorders it before this layer.
 */
class DeviceLinearLayer : public DeviceProductLayer
{
  public:
    /**
     * @param spec numbers of inputs and outputs
     * @param offset index of the weight in a node's state vector; the bias follows it
     */
    DeviceLinearLayer(const Linear& spec, std::size_t offset);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    std::vector<cuda::GradientPart> Parts(const DeviceFlow& flow) const override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;
};

/**
 * @brief Convolution by im2col and one matrix product per node.
 *
 * Per-example gradients are materialised, because they take no more operations than their sum.
 */
class DeviceConvLayer : public DeviceProductLayer
{
  public:
    /**
     * @param spec window, stride, padding and channels
     * @param input shape of the input
     * @param offset index of the weight in a node's state vector; the bias follows it
     */
    DeviceConvLayer(const Conv2d& spec, const ImageShape& input, std::size_t offset);

    std::size_t BytesPerExample() const override
    {
        return (WindowValues() + GradientSize()) * sizeof(float);
    }

    std::size_t ScratchPerExample() const override
    {
        return WindowValues();
    }

    void Reserve(cuda::DeviceExecutor& executor, std::size_t nodes, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    std::vector<cuda::GradientPart> Parts(const DeviceFlow& flow) const override;

  private:
    std::size_t WindowValues() const
    {
        return std::size_t{m_shape.windows} * m_shape.windowSize;
    }

    std::size_t GradientSize() const
    {
        return WeightSize() + m_out;
    }

    cuda::MatrixBatch Weights(const DevicePass& pass) const;

    cuda::WindowShape m_shape; ///< sizes of windows, input and output
    /// [nodes, WeightSize()] weights of the last states in the order of windows; empty for one
    /// channel, whose weights have this order in the states.
    cuda::DeviceArray<float> m_weights;
    cuda::DeviceArray<float> m_windows;   ///< [examples, windows, values of a window] windows of
                                          ///< the last inputs
    cuda::DeviceArray<float> m_gradients; ///< [examples, parameters of the layer] gradients:
                                          ///< weight in the order of windows, then bias
};

/// Computes the sizes of a convolution or a pool.
/// @param input shape of the layer's input
/// @param output shape of the layer's output
/// @param kernel height and width of the window
/// @param stride distance between adjacent windows, in pixels
/// @param padding number of rows and columns of zeros on each side
cuda::WindowShape MakeWindowShape(const ImageShape& input,
                                  const ImageShape& output,
                                  std::uint32_t kernel,
                                  std::uint32_t stride,
                                  std::uint32_t padding);

/// Max pool, alone or fused with the ReLU before it.
class DevicePoolLayer : public DeviceLayer
{
  public:
    /**
     * @param spec size and stride of the window
     * @param input shape of the input
     * @param relu true: max(x, 0) is applied before the pool
     * @param bias biases that the layer before has left
     */
    DevicePoolLayer(const MaxPool2d& spec,
                    const ImageShape& input,
                    bool relu,
                    const BiasPlace& bias);

    std::size_t BytesPerExample() const override
    {
        return OutputSize() * sizeof(std::int32_t);
    }

    void Reserve(cuda::DeviceExecutor& executor, std::size_t nodes, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t OutputSize() const
    {
        return std::size_t{m_shape.windows} * m_shape.channels;
    }

    cuda::WindowShape m_shape; ///< sizes of windows, input and output
    bool m_relu;               ///< true: max(x, 0) is applied before the pool
    BiasPlace m_bias;          ///< biases that are added to the input
    /// [examples, output size] index of each maximum in its window, as PoolForward::winner.
    cuda::DeviceArray<std::int32_t> m_winner;
};

/// An element-wise function. The gradient is computed from the output.
class DeviceFunctionLayer : public DeviceLayer
{
  public:
    /// Available element-wise functions.
    enum class Kind
    {
        RELU, ///< max(x, 0)
        TANH, ///< tanh(x)
    };

    /// @param kind function that the layer applies
    /// @param size number of values of one example
    /// @param bias biases that the layer before has left; none for tanh
    DeviceFunctionLayer(Kind kind, std::size_t size, const BiasPlace& bias = {});

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    Kind m_kind;        ///< function that the layer applies
    std::size_t m_size; ///< number of values of one example
    BiasPlace m_bias;   ///< biases that are added to the input
};

/// Reorders images from [row, column, channel] to the [channel, row, column] order of vectors.
class DeviceFlattenLayer : public DeviceLayer
{
  public:
    /// @param input shape of the input
    explicit DeviceFlattenLayer(const ImageShape& input);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::uint32_t m_channels; ///< number of channels of the input
    std::uint32_t m_pixels;   ///< number of pixels of the input
};

/// End of a residual block: adds the block's input to the output of its layers. DeviceNetwork adds
/// the gradient of the shortcut to that of the block's input.
class DeviceResidualLayer : public DeviceLayer
{
  public:
    /**
     * @param begin index, in DeviceNetwork, of the activations that enter the block
     * @param size number of values of one example
     */
    DeviceResidualLayer(std::size_t begin, std::size_t size);

    /// Sets the address of the activations that enter the block.
    /// @param values [examples, size] in device memory
    void SetBegin(const float* values)
    {
        m_values = values;
    }

    /// Index of the activations that enter the block.
    std::size_t Begin() const
    {
        return m_begin;
    }

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t m_begin;            ///< index of the activations that enter the block
    const float* m_values{nullptr}; ///< address of the activations that enter the block, set by
                                    ///< SetBegin()
    std::size_t m_size;             ///< number of values of one example
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_LAYERS_H
