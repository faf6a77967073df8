// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_NETWORK_H
#define DPDL_TRAINING_NATIVE_NETWORK_H

#include "dpdl/training/clip-rule.h"
#include "dpdl/training/gradient-engine.h"
#include "float-buffer.h"
#include "gradient-sum.h"
#include "native-layer.h"

#include <array>
#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief Layers of the native engine with the activations between them, for a block of examples.
 *
 * The layers from the first linear one on are the tail. They process the whole block at once, since
 * large matrix products are faster. The layers before it are the front: a chunk of examples passes
 * all of them while its values are in the cache.
 *
 * A flow holds the values between two layers; flow 0 is the images. A flow of the front has room
 * for the whole block only if the backward pass reads it. Some layers are fused and have no flow: a
 * ReLU before a pool, the end of a residual block after a tanh, and a flattening that changes
 * nothing.
 */
class NativeNetwork
{
  public:
    /// Largest number of examples in a block: enough for large products.
    static constexpr std::size_t BLOCK = SUM_BLOCK;
    /// Largest number of examples in a chunk: few enough for the cache.
    static constexpr std::size_t CHUNK = 4;

    explicit NativeNetwork(const ModelSpec& model);

    /// Sets the parameters and resets all gradients. @param parameters valid until the next call
    void Begin(const float* parameters);

    /// Adds a block's clipped gradients to the sum; the first block since Begin overwrites it.
    BatchResult Gradient(const Batch& block, double clip, double* gradientSum);

    /// Evaluates a block.
    Evaluation Score(const Batch& block);

  private:
    /// Some examples of a block.
    struct Range
    {
        std::size_t first; ///< index of the first example of the chunk in the block
        std::size_t count; ///< number of examples
    };

    /// Values between two layers.
    struct Flow
    {
        std::size_t size;        ///< values of one example
        bool whole;              ///< true: the memory holds a whole block
        std::size_t gradientsIn; ///< flow that stores this one's gradients
        FloatBuffer values;      ///< [examples, size] activations
        /// [examples, size] with respect to the values; a whole block in the tail.
        FloatBuffer gradients;
    };

    /// A residual block: its last flow is the sum of its layers' output and its first flow.
    struct Shortcut
    {
        std::size_t begin; ///< index of the activations that enter the block
        std::size_t end;   ///< index of the activations that leave the block
        bool hasLayer;     ///< true: a separate layer adds the two
    };

    void AddLayers(const ModelSpec& model);
    void AddFlow(std::unique_ptr<NativeLayer> layer, std::size_t size);
    void MakeRoom();
    bool SharesGradients(std::size_t flow) const;
    float* Values(std::size_t flow, std::size_t first);
    float* Gradients(std::size_t flow, std::size_t first);
    LayerData Data(std::size_t layer, const Range& range);
    ExampleTarget Aim(const Batch& block, std::size_t example) const;
    template <class Feature>
    void LoadFeatures(const Feature* features, const Batch& block, const Range& range);
    void LoadImages(const Batch& block, const Range& range);
    void Forward(const Batch& block);
    double LossGradients(const Batch& block);
    void Backward(std::size_t begin, std::size_t end, const Range& range);
    void AddShortcuts(std::size_t flow, const Range& range);
    void AddSquaredNorms(std::size_t begin, std::size_t end, const Range& range);
    void AddClipped(std::size_t begin, std::size_t end, const Range& range, double* gradientSum);
    void ClipRange(const Range& range, double clip, BatchResult& result);

    ImageShape m_input;   ///< size of one image
    Loss m_loss;          ///< loss function of one example
    std::size_t m_logits; ///< number of values of the last activations
    std::vector<std::unique_ptr<NativeLayer>> m_layers; ///< layers from the image to the logits
    std::vector<Flow> m_flows;                          ///< activations between the layers
    std::size_t m_tail{0};                              ///< the first layer of the tail
    std::size_t m_firstTrained{0};                      ///< the first layer with parameters
    std::vector<std::size_t> m_flowInto;   ///< by layer of the model: the flow into the layer
    std::vector<Shortcut> m_shortcuts;     ///< residual blocks
    std::array<double, BLOCK> m_squares{}; ///< squared norms of the examples' gradients
    std::array<double, BLOCK> m_factors{}; ///< clip factors of the examples
    bool m_isFirst{true};                  ///< no block was computed since Begin
    bool m_keeps{true}; ///< false: no backward pass follows, so chunks of the front share memory
};

/// Makes the native engine. @param model a chain of layers
std::unique_ptr<GradientEngine> MakeNativeEngine(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_NETWORK_H
