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
 * Activations between layers have an index: 0 for the images, i + 1 for the output of layer i. A
 * linear layer on images gets a separate layer before it, which reorders the images to vectors.
 */
class DeviceNetwork
{
  public:
    /// @param model a chain of layers
    explicit DeviceNetwork(const ModelSpec& model);
    ~DeviceNetwork();

    /// Number of bytes of device memory per example.
    std::size_t BytesPerExample() const;

    /// Allocates memory for @p nodes nodes with @p examples examples in all, and frees earlier
    /// memory.
    void Reserve(cuda::DeviceExecutor& executor, std::size_t nodes, std::size_t examples);

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

    /// Gradients with respect to the logits: float32 [nodes, examples of a node, classes].
    float* LogitGradients()
    {
        return m_gradients.back().Data();
    }

    /// Scratch memory in device memory, for DevicePass::scratch.
    float* Scratch()
    {
        return m_scratch.Data();
    }

    /// Computes the logits from the images.
    void Forward(const DevicePass& pass);

    /// Computes the gradients of all activations from those of the logits, and the norms of the
    /// per-example gradients.
    void Backward(const DevicePass& pass);

    /// Norms of the per-example gradients, which Backward() has computed.
    cuda::PartNorms Norms() const;

    /// Writes the sums of the clipped gradients to pass.sums, by the clip factors in pass.factors.
    void SumClipped(const DevicePass& pass);

  private:
    /// A residual block. Activations `end` are the sum of activations `begin` and the output of the
    /// block's layers.
    struct Shortcut
    {
        std::size_t begin; ///< index of the activations that enter the block
        std::size_t end;   ///< index of the activations that leave the block
        std::size_t size;  ///< number of values of one example
    };

    void AddLayer(std::unique_ptr<DeviceLayer> layer, std::size_t outputSize);
    void AddModelLayer(const ModelSpec& model, std::size_t index, std::size_t offset);
    void AddResidual(const Residual& residual, std::size_t index, std::size_t size);
    DeviceFlow Flow(std::size_t layer);
    void ReserveParts(cuda::DeviceExecutor& executor, std::size_t examples);
    void AddShortcuts(const DevicePass& pass, std::size_t flow);

    std::vector<std::unique_ptr<DeviceLayer>> m_layers; ///< layers from the images to the logits
    std::size_t m_firstTrained{0};                      ///< index in m_layers of the first layer
                                                        ///< with parameters
    std::vector<std::size_t> m_flowInto; ///< [layer of the model] index of the activations that
                                         ///< enter the layer
    std::vector<Shortcut> m_shortcuts;   ///< residual blocks of the model
    std::vector<DeviceResidualLayer*> m_residuals;  ///< the layers of m_layers that end residual
                                                    ///< blocks
    std::vector<std::size_t> m_sizes;               ///< [index of activations] number of values of
                                                    ///< one example
    std::vector<cuda::DeviceArray<float>> m_values; ///< [index of activations] values, for all
                                                    ///< examples
    /// [index of activations] gradients with respect to the values, for all examples.
    std::vector<cuda::DeviceArray<float>> m_gradients;
    cuda::DeviceArray<float> m_scratch;            ///< scratch memory for one layer at a time
    cuda::DeviceArray<cuda::GradientPart> m_parts; ///< parts of the gradients of all layers
    cuda::DeviceArray<double> m_squares; ///< [examples, parts] squared norms of the last gradients
    std::size_t m_summed{0};             ///< number of parameters in all parts
};

} // namespace dpdl

#endif // DPDL_TRAINING_DEVICE_NETWORK_H
