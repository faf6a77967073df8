// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_LAYERS_H
#define DPDL_TRAINING_DEVICE_LAYERS_H

#include "device-layer.h"
#include "dpdl/training/layer.h"
#include "dpdl/training/model.h"

#include <cstdint>

namespace dpdl
{

/**
 * @brief Fully connected layer: one product for each node.
 *
 * The gradient of an example is never formed: its norm is |input| * |output gradient|, and the clip
 * factors go into the product that sums over the batch.
 */
class DeviceLinearLayer : public DeviceLayer
{
  public:
    /**
     * @param spec sizes
     * @param offset of the weight in a node's state; the bias is behind it
     */
    DeviceLinearLayer(const Linear& spec, std::size_t offset);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    void AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow) override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t m_in;     ///< values that come in, in [channel, row, column] order
    std::size_t m_out;    ///< values that go out
    std::size_t m_offset; ///< of the weight in a node's state
};

/**
 * @brief Convolution: all windows side by side, and one product for each node.
 *
 * The gradients of the examples are written out, for they cost no more operations than their sum.
 */
class DeviceConvLayer : public DeviceLayer
{
  public:
    /**
     * @param spec window and channels
     * @param input shape of what comes in
     * @param offset of the weight in a node's state; the bias is behind it
     */
    DeviceConvLayer(const Conv2d& spec, const ImageShape& input, std::size_t offset);

    std::size_t BytesPerExample() const override;
    std::size_t ScratchPerExample() const override;
    void Reserve(cuda::DeviceExecutor& executor, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;
    void AddSquaredNorms(const DevicePass& pass, const DeviceFlow& flow) override;
    void SumClipped(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t WindowValues() const;
    std::size_t WeightSize() const;
    std::size_t GradientSize() const;

    cuda::WindowShape m_shape;            ///< sizes
    std::size_t m_outChannels;            ///< of the output
    std::size_t m_offset;                 ///< of the weight in a node's state
    cuda::DeviceArray<float> m_windows;   ///< [examples, window, values of a window]
    cuda::DeviceArray<float> m_gradients; ///< [examples, weight and bias]
};

/// Sizes of a window on images. @param output what the layer gives
cuda::WindowShape MakeWindowShape(const ImageShape& input,
                                  const ImageShape& output,
                                  std::uint32_t kernel,
                                  std::uint32_t stride,
                                  std::uint32_t padding);

/// Max pool, alone or with the rectifier in front of it.
class DevicePoolLayer : public DeviceLayer
{
  public:
    /**
     * @param spec window
     * @param input shape of what comes in
     * @param relu whether max(x, 0) comes first
     */
    DevicePoolLayer(const MaxPool2d& spec, const ImageShape& input, bool relu);

    std::size_t BytesPerExample() const override;
    void Reserve(cuda::DeviceExecutor& executor, std::size_t examples) override;
    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t OutputSize() const;

    cuda::WindowShape m_shape;                ///< sizes
    bool m_relu;                              ///< whether max(x, 0) comes first
    cuda::DeviceArray<std::int32_t> m_winner; ///< [examples, output size]
};

/// A function of each value. Its gradient is a function of what came in, or of what went out.
class DeviceFunctionLayer : public DeviceLayer
{
  public:
    /// Which function.
    enum class Kind
    {
        RELU, ///< max(x, 0)
        TANH, ///< tanh(x)
    };

    /// @param kind which function @param size values of one example
    DeviceFunctionLayer(Kind kind, std::size_t size);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    Kind m_kind;        ///< which function
    std::size_t m_size; ///< values of one example
};

/// From the [row, column, channel] order of images to the [channel, row, column] order of vectors.
class DeviceFlattenLayer : public DeviceLayer
{
  public:
    /// @param input shape of what comes in
    explicit DeviceFlattenLayer(const ImageShape& input);

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::uint32_t m_channels; ///< of what comes in
    std::uint32_t m_pixels;   ///< of what comes in
};

/// The end of a residual block: adds what flowed into the block. The gradient that goes past the
/// block is for the network to add.
class DeviceResidualLayer : public DeviceLayer
{
  public:
    /**
     * @param begin number of the flow into the block
     * @param size values of one example
     */
    DeviceResidualLayer(std::size_t begin, std::size_t size);

    /// Says where the flow into the block is. @param values [examples, size]
    void SetBegin(const float* values);

    /// Number of the flow into the block.
    std::size_t Begin() const;

    void Forward(const DevicePass& pass, const DeviceFlow& flow) override;
    void Backward(const DevicePass& pass, const DeviceFlow& flow) override;

  private:
    std::size_t m_begin;            ///< number of the flow into the block
    const float* m_values{nullptr}; ///< that flow
    std::size_t m_size;             ///< values of one example
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_LAYERS_H
