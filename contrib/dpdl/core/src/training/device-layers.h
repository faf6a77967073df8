// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_LAYERS_H
#define DPDL_TRAINING_DEVICE_LAYERS_H

#include "cuda/device-executor.h"
#include "dpdl/training/layer.h"

#include <cstddef>
#include <cstdint>

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
    double* squares;      ///< [nodes, padded batch size] squared L2 norm of each example's gradient
    double* otherSquares; ///< [nodes, padded batch size] scratch memory for squared norms
    const float* factors; ///< [nodes, padded batch size] clip factors; 0: the example is
                          ///< skipped
    float* sums;          ///< [nodes, parameters] sums of clipped gradients

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

/**
 * @brief One layer of a model on a device, for the batches of many nodes at a time.
 *
 * Images are in [row, column, channel] order. Layers read parameters directly from the nodes' state
 * vectors. For each gradient the calls come in this order: Forward, Backward, AddSquaredNorms,
 * SumClipped.
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

    /// Allocates the layer's memory for a number of examples, and frees earlier memory.
    virtual void Reserve(cuda::DeviceExecutor& /* executor */, std::size_t /* examples */)
    {
    }

    /// Computes out = layer(in).
    virtual void Forward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// Computes inGradient from outGradient, and keeps the values that AddSquaredNorms() and
    /// SumClipped() need.
    virtual void Backward(const DevicePass& pass, const DeviceFlow& flow) = 0;

    /// Adds to pass.squares the squared L2 norm of each example's gradient with respect to this
    /// layer's parameters.
    virtual void AddSquaredNorms(const DevicePass& /* pass */, const DeviceFlow& /* flow */)
    {
    }

    /// Writes the sums of the clipped gradients of this layer's parameters to pass.sums. May change
    /// the values of @p flow.
    virtual void SumClipped(const DevicePass& /* pass */, const DeviceFlow& /* flow */)
    {
    }
};

/**
 * @brief Fully connected layer: one matrix product per node.
 *
 * Per-example gradients are never materialised. The norm of an example's weight gradient is |input|
 * times |output gradient|, and the matrix product that sums over the batch applies the clip
 * factors.
 */
class DeviceLinearLayer : public DeviceLayer
{
  public:
    /**
     * @param spec numbers of inputs and outputs
     * @param offset index of the weight in a node's state vector; the bias follows it
     */
    DeviceLinearLayer(const Linear& spec, std::size_t offset);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    void AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow) override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    /// Number of input values per example. An image is in [channel, row, column] order here, that
    /// of the weight's columns: DeviceFlattenLayer reorders it before this layer.
    std::size_t m_in;
    std::size_t m_out;    ///< number of output values
    std::size_t m_offset; ///< index of the weight in a node's state vector
};

/**
 * @brief Convolution by im2col and one matrix product per node.
 *
 * Per-example gradients are materialised, because they take no more operations than their sum.
 */
class DeviceConvLayer : public DeviceLayer
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

    void Reserve(cuda::DeviceExecutor& executor, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    void AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow) override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t WindowValues() const
    {
        return std::size_t{m_shape.windows} * m_shape.windowSize;
    }

    std::size_t WeightSize() const
    {
        return m_outChannels * m_shape.windowSize;
    }

    std::size_t GradientSize() const
    {
        return WeightSize() + m_outChannels;
    }

    cuda::WindowShape m_shape;            ///< sizes of windows, input and output
    std::size_t m_outChannels;            ///< number of channels of the output
    std::size_t m_offset;                 ///< index of the weight in a node's state vector
    cuda::DeviceArray<float> m_windows;   ///< [examples, windows, values of a window] windows of
                                          ///< the last inputs
    cuda::DeviceArray<float> m_gradients; ///< [examples, parameters of the layer] gradients:
                                          ///< weight, then bias
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
     */
    DevicePoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu);

    std::size_t BytesPerExample() const override
    {
        return OutputSize() * sizeof(std::int32_t);
    }

    void Reserve(cuda::DeviceExecutor& executor, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t OutputSize() const
    {
        return std::size_t{m_shape.windows} * m_shape.channels;
    }

    cuda::WindowShape m_shape; ///< sizes of windows, input and output
    bool m_relu;               ///< true: max(x, 0) is applied before the pool
    /// [examples, output size] index of each maximum in its window, as PoolForward::winner.
    cuda::DeviceArray<std::int32_t> m_winner;
};

/// An element-wise function. The gradient is computed from the input (ReLU) or from the output
/// (tanh).
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
    DeviceFunctionLayer(Kind kind, std::size_t size);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    Kind m_kind;        ///< function that the layer applies
    std::size_t m_size; ///< number of values of one example
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
