// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_CONV_LAYER_H
#define DPDL_TRAINING_DEVICE_CONV_LAYER_H

#include "device-layer.h"
#include "dpdl/training/model.h"

namespace dpdl
{

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

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_CONV_LAYER_H
