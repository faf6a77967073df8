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
 * @brief The layers of the native engine, with the activations between them, for one block of
 *        examples.
 *
 * The first linear layer and all layers after it are the tail. The tail processes a whole block at
 * once, because large matrix products are faster. The layers before it are the front: they process
 * a block in chunks, each of which passes all layers of the front while its activations are in the
 * cache.
 *
 * A Flow holds the activations between two layers; m_flows[0] holds the images. In the front,
 * activations have memory for the whole block only if the backward pass reads them. Activations
 * inside fused layers are not stored: a ReLU before a max pool, the end of a residual block after a
 * tanh, and a Flatten that keeps the order of values.
 */
class NativeNetwork
{
  public:
    /// Largest number of examples in a block.
    static constexpr std::size_t BLOCK = SUM_BLOCK;
    /// Largest number of examples in a chunk, small enough for their activations to stay in the
    /// cache.
    static constexpr std::size_t CHUNK = 4;

    explicit NativeNetwork(const ModelSpec& model);

    /// Sets the parameters, and resets all gradients.
    /// @param parameters [ParameterCount()]; must remain valid until the next call
    void Begin(const float* parameters);

    /// Adds the clipped gradients of a block to a sum.
    /// @param block at most BLOCK examples
    /// @param clip clip norm (L2) of one example's gradient
    /// @param[in,out] gradientSum [ParameterCount()]; the first block since Begin() overwrites it
    /// @return sums over the examples of the block
    BatchResult Gradient(const Batch& block, double clip, double* gradientSum);

    /// Evaluates a block of at most BLOCK examples.
    Evaluation Score(const Batch& block);

  private:
    /// A range of examples of a block.
    struct Range
    {
        std::size_t first; ///< index of the first example in the block
        std::size_t count; ///< number of examples
    };

    /// Activations between two layers, and the gradients with respect to them.
    struct Flow
    {
        std::size_t size; ///< number of values per example
        /// True: `values` has memory for a block (BLOCK examples). False: it has memory for a chunk
        /// (CHUNK examples), and each chunk overwrites the chunk before it.
        bool whole;
        /// index in m_flows of the activations in whose `gradients` the gradients are stored
        std::size_t gradientsIn;
        FloatBuffer values; ///< [examples, size] activations
        /// [examples, size] gradients with respect to the activations, for a whole block in the
        /// tail and a chunk in the front; empty if not needed.
        FloatBuffer gradients;
    };

    /// A residual block. Activations `end` are the sum of activations `begin` and the output of the
    /// block's layers.
    struct Shortcut
    {
        std::size_t begin; ///< index in m_flows of the activations that enter the block
        std::size_t end;   ///< index in m_flows of the activations that leave the block
        bool hasLayer; ///< true: a ResidualLayer computes the sum; false: it is fused with a tanh
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

    ImageShape m_input;                                 ///< size of one image
    Loss m_loss;                                        ///< objective of the model
    std::size_t m_logits;                               ///< number of logits per example
    std::vector<std::unique_ptr<NativeLayer>> m_layers; ///< layers from the image to the logits
    /// activations: m_flows[i] enters layer i, and the last entry holds the logits
    std::vector<Flow> m_flows;
    std::size_t m_tail{0};         ///< index of the first layer of the tail
    std::size_t m_firstTrained{0}; ///< index of the first layer with parameters
    /// [layer of the model] index in m_flows of the activations that enter the layer
    std::vector<std::size_t> m_flowInto;
    std::vector<Shortcut> m_shortcuts;     ///< residual blocks of the model
    std::array<double, BLOCK> m_squares{}; ///< [BLOCK] squared L2 norms of the examples' gradients
    std::array<double, BLOCK> m_factors{}; ///< [BLOCK] clip factors of the examples
    bool m_isFirst{true};                  ///< true: no block was computed since Begin()
    /// true: a backward pass follows, so the front keeps the activations of all chunks; false: all
    /// chunks in the front use the same memory
    bool m_keeps{true};
};

/// Makes the native engine.
/// @param model a chain of layers
std::unique_ptr<GradientEngine> MakeNativeEngine(const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_NETWORK_H
