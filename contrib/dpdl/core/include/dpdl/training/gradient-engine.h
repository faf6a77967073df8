// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_GRADIENT_ENGINE_H
#define DPDL_TRAINING_GRADIENT_ENGINE_H

#include "dpdl/base/registry.h"
#include "dpdl/data/dataset.h"
#include "dpdl/training/model.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace dpdl
{

/// The examples of one gradient.
struct Batch
{
    const Split* split{nullptr};            ///< where the examples are
    const std::uint32_t* examples{nullptr}; ///< [size] indices into the split
    std::size_t size{0};                    ///< number of examples; 0 is also a batch
    std::uint32_t flipped{0}; ///< C: labels count as C - 1 - y; 0: they are as they are

    /// The label of an example. @param index below `size`
    double Label(std::size_t index) const
    {
        const double label = split->labels[examples[index]];
        return flipped > 0 ? flipped - 1.0 - label : label;
    }

    /// Some of the examples. @param first of them @param count how many
    Batch Part(std::size_t first, std::size_t count) const
    {
        return {split, examples + first, count, flipped};
    }
};

/// What ClippedGradientSum returns of a batch in addition to the gradient.
struct BatchResult
{
    double lossSum{0.0};      ///< sum of the examples' losses
    double normSum{0.0};      ///< sum of the examples' gradient norms before clipping
    std::uint32_t clipped{0}; ///< how many of the norms were above the clip bound, or not finite
    std::uint32_t size{0};    ///< number of examples

    /// Adds what another batch gave.
    BatchResult& operator+=(const BatchResult& other);
};

/// A regression counts as right if its score is at most this far from the target: a twentieth of
/// the range of targets.
constexpr double TARGET_TOLERANCE = 0.1;

/// Loss and correct answers of a model on labelled images. Sums, so parts add up.
struct Evaluation
{
    /// images whose highest score is that of their label; in a regression, those whose score is
    /// within TARGET_TOLERANCE of their target
    std::uint64_t correct{0};
    double lossSum{0.0};   ///< sum of the examples' losses
    std::uint64_t size{0}; ///< number of images

    /// correct / size; 0 without images.
    double Accuracy() const;

    /// Mean loss; 0 without images.
    double MeanLoss() const;

    /// Adds what another part gave.
    Evaluation& operator+=(const Evaluation& other);
};

/**
 * @brief Computes gradients and logits of one model.
 *
 * An engine owns the memory that it computes in and is used by one thread at a time. Two engines of
 * the same kind give the same bits for the same arguments.
 */
class GradientEngine
{
  public:
    virtual ~GradientEngine() = default;

    /**
     * @brief Sum over the batch of the per-example gradients, each clipped on its own.
     *
     * The gradient g of an example's loss is scaled by min(1, clip / |g|) in the L2 norm
     * over all parameters, so that adding or removing one example moves the sum by at most clip
     * (Abadi et al., CCS 2016). Against rounding the bound in force is clip * (1 - 1e-6), and the
     * clipped gradients are added up in double precision: SumRounding() says how much one example
     * can move the sum in the computer. With a finite clip, an example whose gradient is not finite
     * adds nothing to the sum; its loss and norm stay in the result's sums and show it.
     *
     * @param parameters [ParameterCount()]; may hold infinities and NaN
     * @param batch the examples, of any number
     * @param clip largest norm of one example's contribution, above 0; infinity: no clipping
     * @param[out] gradientSum [ParameterCount()], overwritten; zero for an empty batch
     */
    virtual BatchResult ClippedGradientSum(const float* parameters,
                                           const Batch& batch,
                                           double clip,
                                           double* gradientSum) = 0;

    /**
     * @brief True if an example's clipped gradient has the same bits in every batch, and
     *        in whatever place.
     *
     * If not, a last bit that another example changes may flip a rectifier or a pool of this one,
     * and no bound of the sum is proven.
     */
    virtual bool IsBatchInvariant() const
    {
        return false;
    }

    /**
     * @brief Logits the examples first..first+count-1 of a split.
     * @param parameters [ParameterCount()]
     * @param split where the examples are
     * @param first index of the first example
     * @param count number of examples
     */
    virtual Evaluation Evaluate(const float* parameters,
                                const Split& split,
                                std::size_t first,
                                std::size_t count) = 0;
};

/**
 * @brief Factor that clips a gradient.
 * @param norm L2 norm of the gradient; may be infinite or NaN
 * @param clip clip bound, above 0; infinity: no clipping
 * @return min(1, clip * (1 - 1e-6) / norm); with a finite clip 0 for a norm that is not finite, or
 *         so large that the factor would be below 2^-126, the least that float32 holds accurately
 */
double ClipFactor(double norm, double clip);

/// Makes an engine for a model. One for each thread.
using GradientEngineFactory = std::function<std::unique_ptr<GradientEngine>(const ModelSpec&)>;

/// All engines by name: auto, native, libtorch, libtorch-loop, libtorch-cuda.
const Registry<GradientEngineFactory>& GradientEngines();

/// The engine that a name stands for with a model: never `auto`, and `libtorch` only where the
/// model's examples share a pass.
std::string ResolveEngine(const std::string& name, const ModelSpec& model);

/**
 * @brief Makes an engine.
 * @param name `native`: written for chains of the layers of layer.h. `libtorch`:
 *        clips all examples of a batch in one pass of LibTorch's autograd, for models whose
 *        operations are recorded; for others the same as `libtorch-loop`: one backward pass for
 *        each example, which takes every model, is slow, and is what the others are checked
 *        against. `auto`: native where the model is a chain of layers, else libtorch
 * @param model what it computes
 * @throws UsageError if the name is unknown, or the engine cannot take the model
 */
std::unique_ptr<GradientEngine> MakeGradientEngine(const std::string& name, const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_ENGINE_H
