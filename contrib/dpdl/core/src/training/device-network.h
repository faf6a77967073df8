// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_DEVICE_NETWORK_H
#define DPDL_TRAINING_DEVICE_NETWORK_H

#include "device-layers.h"
#include "dpdl/training/model.h"

#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Layers of a model on a device, with the activations between them, for the batches of many
 *        nodes at a time.
 *
 * A flow holds the values between two layers; flow 0 is the images. The rules of NativeNetwork
 * apply, with one difference: before a linear layer on images, a separate layer reorders them to a
 * vector.
 */
class DeviceNetwork
{
  public:
    /// @param model a chain of layers
    explicit DeviceNetwork(const ModelSpec& model);
    ~DeviceNetwork();

    /// Bytes of device memory per example.
    std::size_t BytesPerExample() const;

    /// Allocates memory for @p examples examples; frees earlier memory.
    void Reserve(cuda::DeviceExecutor& executor, std::size_t examples);

    /// Images in device memory: float32 [nodes, examples of a node, pixels, channels].
    float* Images()
    {
        return m_values.front().Data();
    }

    /// Logits in device memory: float32 [nodes, examples of a node, classes].
    const float* Logits() const
    {
        return m_values.back().Data();
    }

    /// Gradients with respect to the logits.
    float* LogitGradients()
    {
        return m_gradients.back().Data();
    }

    /// Memory for DevicePass::scratch.
    float* Scratch()
    {
        return m_scratch.Data();
    }

    /// Computes the logits from the images.
    void Forward(const DevicePass& pass);

    /// Computes from the logit gradients those of all values, and the examples' squared norms.
    void Backward(const DevicePass& pass);

    /// Computes the sums of the clipped gradients from the clip factors.
    void SumClipped(const DevicePass& pass);

  private:
    /// A residual block: its last flow is the sum of its layers' output and its first flow.
    struct Shortcut
    {
        std::size_t begin; ///< index of the activations that enter the block
        std::size_t end;   ///< index of the activations that leave the block
        std::size_t size;  ///< values of one example
    };

    void AddLayer(std::unique_ptr<DeviceLayer> layer, std::size_t outputSize);
    void AddModelLayer(const ModelSpec& model, std::size_t index, std::size_t offset);
    void AddResidual(const Residual& residual, std::size_t index, std::size_t size);
    DeviceFlow Flow(std::size_t layer);
    void AddShortcuts(const DevicePass& pass, std::size_t flow);

    std::vector<std::unique_ptr<DeviceLayer>> m_layers; ///< layers from the images to the logits
    std::size_t m_firstTrained{0};                      ///< the first layer with parameters
    std::vector<std::size_t> m_flowInto; ///< by layer of the model: the flow into the layer
    std::vector<Shortcut> m_shortcuts;   ///< residual blocks
    std::vector<DeviceResidualLayer*> m_residuals;  ///< layers that end residual blocks
    std::vector<std::size_t> m_sizes;               ///< [flow] values of one example
    std::vector<cuda::DeviceArray<float>> m_values; ///< [flow] activations between the layers
    /// By flow: gradients with respect to the flow's values.
    std::vector<cuda::DeviceArray<float>> m_gradients;
    cuda::DeviceArray<float> m_scratch; ///< scratch memory for one layer at a time
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_NETWORK_H
