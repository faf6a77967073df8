// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_NATIVE_NETWORK_H
#define DPDL_TRAINING_NATIVE_NETWORK_H

#include "dpdl/training/gradient-engine.h"
#include "example-loss.h"
#include "float-buffer.h"
#include "native-layer.h"

#include <memory>
#include <vector>

namespace dpdl
{

/**
 * @brief The layers of the native engine with the memory between them, for one chunk of examples.
 *
 * A flow is what goes from a layer to the next; flow 0 is the images. A rectifier in front of a
 * pool has no layer and no flow of its own, because the pool does its work, too.
 */
class NativeNetwork
{
  public:
    /// Examples in a chunk: enough for the products to be large, few enough for the cache.
    static constexpr std::size_t CHUNK = 8;

    explicit NativeNetwork(const ModelSpec& model);

    /// Takes the parameters over and forgets all gradients.
    void Load(const float* parameters);

    /// Adds a chunk's clipped gradients to the sum.
    BatchResult Gradient(const Batch& chunk, double clip);

    /// Scores a chunk.
    Evaluation Score(const Batch& chunk);

    /// Writes the sum of the gradients since Load.
    void Store(float* gradientSum);

  private:
    /// A residual block: its last flow is the sum of what its layers give and its first flow.
    struct Shortcut
    {
        std::size_t begin; ///< flow into the block
        std::size_t end;   ///< flow out of it
        std::size_t size;  ///< values of one example
    };

    void AddLayer(const ModelSpec& model, std::size_t index, std::size_t offset);
    std::unique_ptr<NativeLayer> MakeLayer(const ModelSpec& model,
                                           std::size_t index,
                                           std::size_t offset);
    LayerData Data(std::size_t layer, std::size_t count);
    LossAim Aim(const Batch& chunk, std::size_t example) const;
    void Forward(const Batch& chunk);
    double LossGradients(const Batch& chunk);
    void Backward(std::size_t count);
    void AddShortcuts(std::size_t flow, std::size_t count);

    ImageShape m_input;                                 ///< of one image
    Loss m_loss;                                        ///< of one example
    std::size_t m_scores;                               ///< values of the last flow
    std::vector<std::unique_ptr<NativeLayer>> m_layers; ///< from the image to the scores
    std::size_t m_firstTrained{0};                      ///< the first layer with parameters
    std::vector<std::size_t> m_flowInto;                ///< [model layer] the flow into it
    std::vector<Shortcut> m_shortcuts;                  ///< residual blocks
    std::vector<FloatBuffer> m_values;                  ///< [flow]
    std::vector<FloatBuffer> m_gradients;               ///< [flow] by its values
};

} // namespace dpdl

#endif // DPDL_TRAINING_NATIVE_NETWORK_H
