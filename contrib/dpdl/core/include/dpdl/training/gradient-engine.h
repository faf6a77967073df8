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
#include <limits>
#include <memory>
#include <string>

namespace dpdl
{

/// The examples of one gradient.
struct Batch
{
    const Split* split{nullptr};            ///< split that holds the examples
    const std::uint32_t* examples{nullptr}; ///< [size] indices into the split
    std::size_t size{0};                    ///< number of examples; 0 is also a batch
    std::uint32_t flipped{0}; ///< C > 0: label y is replaced by C - 1 - y; 0: labels are unchanged

    /// The label of an example. @param index below `size`
    double Label(std::size_t index) const
    {
        const double label = split->labels[examples[index]];
        return flipped > 0 ? flipped - 1.0 - label : label;
    }

    /// Part of the batch. @param first index of its first example @param count number of examples
    Batch Part(std::size_t first, std::size_t count) const
    {
        return {split, examples + first, count, flipped};
    }
};

/// Sums over a batch that ClippedGradientSum() returns in addition to the gradient.
struct BatchResult
{
    double lossSum{0.0};      ///< sum of the examples' losses
    double normSum{0.0};      ///< sum of the examples' gradient norms before clipping
    std::uint32_t clipped{0}; ///< examples whose norm was above the clip bound, or not finite
    std::uint32_t size{0};    ///< number of examples

    /// Adds the sums of another batch.
    BatchResult& operator+=(const BatchResult& other);
};

/// A regression counts as correct if its output differs from the target by at most this: a
/// twentieth of the range of targets.
constexpr double TARGET_TOLERANCE = 0.1;

/// Loss and correct answers of a model on labelled images. All fields are sums, so parts of a split
/// can be added.
struct Evaluation
{
    /// Number of test examples that stands for the whole split.
    static constexpr std::size_t ALL = std::numeric_limits<std::size_t>::max();

    /// images whose largest logit is that of their label; in a regression, those whose output is
    /// within TARGET_TOLERANCE of their target
    std::uint64_t correct{0};
    double lossSum{0.0};   ///< sum of the examples' losses
    std::uint64_t size{0}; ///< number of images

    /// correct / size; 0 without images.
    double Accuracy() const;

    /// Mean loss; 0 without images.
    double MeanLoss() const;

    /// Adds the sums of another part.
    Evaluation& operator+=(const Evaluation& other);
};

/**
 * @brief Computes gradients and logits of one model.
 *
 * An engine owns its working memory and is used by one thread at a time. Engines of the same kind
 * give bit-identical results for the same arguments.
 */
class GradientEngine
{
  public:
    virtual ~GradientEngine() = default;

    /**
     * @brief Sum over the batch of the clipped per-example gradients.
     *
     * The gradient g of an example's loss is scaled by min(1, clip / |g|) in the L2 norm
     * over all parameters, so that adding or removing one example moves the sum by at most clip
     * (Abadi et al., CCS 2016). To allow for rounding, gradients are clipped to clip * (1 - 1e-6)
     * and added in double precision. SumRounding() bounds the move of the computed sum by one
     * example. With a finite clip, an example whose gradient is not finite adds nothing to the sum,
     * but its loss and norm stay in the result's sums.
     *
     * @param parameters [ParameterCount()]; may hold infinities and NaN
     * @param batch any number of examples
     * @param clip largest norm of one example's contribution, above 0; infinity: no clipping
     * @param[out] gradientSum [ParameterCount()], overwritten; zero for an empty batch
     */
    virtual BatchResult ClippedGradientSum(const float* parameters,
                                           const Batch& batch,
                                           double clip,
                                           double* gradientSum) = 0;

    /**
     * @brief True if an example's clipped gradient is bit-identical in every batch and at every
     *        position.
     *
     * If not, another example can change its last bits, which may flip a ReLU or a pool, and no
     * bound of the sum is proven.
     */
    virtual bool IsBatchInvariant() const
    {
        return false;
    }

    /**
     * @brief Evaluates the examples first..first+count-1 of a split.
     * @param parameters [ParameterCount()]
     * @param split of the examples
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
 *         so large that the factor would be below 2^-126, the smallest normal float32
 */
double ClipFactor(double norm, double clip);

/// Makes an engine for a model. Each thread needs a separate engine.
using GradientEngineFactory = std::function<std::unique_ptr<GradientEngine>(const ModelSpec&)>;

/// All engines by name: auto, native, libtorch, libtorch-loop, libtorch-cuda.
const Registry<GradientEngineFactory>& GradientEngines();

/// Resolves a name for a model: never returns `auto`, and `libtorch` only if one pass gives the
/// gradients of all examples.
std::string ResolveEngine(const std::string& name, const ModelSpec& model);

/**
 * @brief Makes an engine.
 * @param name `native`: for chains of the layers of layer.h. `libtorch`: clips all examples of a
 *        batch in one pass of LibTorch's autograd, if the model's operations are recorded;
 *        otherwise the same as `libtorch-loop`: one backward pass per example, slow, for every
 *        model, the reference in tests. `auto`: native if the model is a chain of layers, else
 *        libtorch
 * @param model to compute gradients of
 * @throws UsageError if the name is unknown, or the engine cannot take the model
 */
std::unique_ptr<GradientEngine> MakeGradientEngine(const std::string& name, const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_ENGINE_H
