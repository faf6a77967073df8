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

/// Examples over which a gradient is summed.
struct Batch
{
    const Split* split{nullptr}; ///< split that has the examples; not owned, must outlive the batch
    /// Indices of the examples in the split, [size]; not owned.
    const std::uint32_t* examples{nullptr};
    std::size_t size{0}; ///< number of examples; may be 0
    /// Label-flipping attack: number of classes C, with which label y is replaced by C - 1 - y. 0:
    /// labels are unchanged.
    std::uint32_t flipped{0};

    /// Label of an example, flipped if `flipped` is above 0.
    /// @param index position in the batch, below `size`
    double Label(std::size_t index) const
    {
        const double label = split->labels[examples[index]];
        return flipped > 0 ? flipped - 1.0 - label : label;
    }

    /// Part of the batch with consecutive examples.
    /// @param first position of the first example
    /// @param count number of examples
    Batch Part(std::size_t first, std::size_t count) const
    {
        return {split, examples + first, count, flipped};
    }
};

/// Statistics of a batch, from ClippedGradientSum().
struct BatchResult
{
    /// Sum of the examples' objectives: cross-entropy in nats, or half the squared error.
    double lossSum{0.0};
    double normSum{0.0}; ///< sum of the per-example gradient norms before clipping
    /// Number of examples whose gradient norm exceeded the clip norm or was not finite.
    std::uint32_t clipped{0};
    std::uint32_t size{0}; ///< number of examples

    /// Adds the statistics of another batch, field by field.
    BatchResult& operator+=(const BatchResult& other);
};

/// Largest distance between the output of a regression and its target that counts as correct. The
/// distance is 5 % of the range [-1, 1] of targets.
constexpr double TARGET_TOLERANCE = 0.1;

/// Objective and number of correct answers of a model on labelled examples. All fields are sums
/// over examples, so the results of parts of a split can be added.
struct Evaluation
{
    /// Number of test examples to request for an evaluation of the whole test split.
    static constexpr std::size_t ALL = std::numeric_limits<std::size_t>::max();

    /// Number of examples whose largest logit is that of their label. In a regression: number of
    /// examples whose output is within TARGET_TOLERANCE of the target.
    std::uint64_t correct{0};
    double lossSum{0.0};   ///< sum of the examples' objectives
    std::uint64_t size{0}; ///< number of evaluated examples

    /// Fraction of correct answers, in [0, 1]; 0 without examples, NaN if the sum of objectives is
    /// NaN.
    double Accuracy() const;

    /// Mean objective per example; 0 without examples.
    double MeanLoss() const
    {
        return size == 0 ? 0.0 : lossSum / static_cast<double>(size);
    }

    /// Adds the sums of other examples.
    Evaluation& operator+=(const Evaluation& other);
};

/// Evaluation of the mean of several models. The mean is computed in double precision.
struct MeanEvaluation
{
    double distance{0.0};  ///< root mean square over the models of the L2 distance to their mean
    Evaluation evaluation; ///< evaluation of the mean, rounded to float32
};

/**
 * @brief Computes gradients and logits of one model.
 *
 * An engine owns its working memory; only one thread may use it at a time. Engines of the same name
 * return bit-identical results for equal arguments.
 */
class GradientEngine
{
  public:
    virtual ~GradientEngine() = default;

    /**
     * @brief Computes the sum over the batch of the clipped per-example gradients.
     *
     * The gradient g of each example is scaled by min(1, clip / |g|), with |g| the L2 norm over all
     * parameters. So adding or removing one example changes the sum by at most clip (Abadi et al.,
     * CCS 2016). To allow for rounding, gradients are clipped to clip (1 - 1e-6) and added in
     * double precision; SumRounding() bounds the change of the computed sum. With a finite clip
     * norm, a gradient that is not finite is not added to the sum. Its objective and norm are
     * nevertheless added to lossSum and normSum.
     *
     * @param parameters parameters at which to differentiate, [ParameterCount()]; may have
     *        infinities and NaN
     * @param batch the examples; may be empty
     * @param clip clip norm: largest L2 norm of one example's clipped gradient, above 0; infinity:
     *        no clipping
     * @param[out] gradientSum receives the sum, [ParameterCount()]; 0 for an empty batch
     * @return statistics of the batch; the norms are L2 norms before clipping
     */
    virtual BatchResult ClippedGradientSum(const float* parameters,
                                           const Batch& batch,
                                           double clip,
                                           double* gradientSum) = 0;

    /**
     * @brief True if an example's clipped gradient is bit-identical in every batch and at every
     *        position in the batch.
     *
     * If false, other examples of the batch can change the last bits of the gradient. A changed bit
     * can change the inputs that a ReLU or a max pool passes on, so the sensitivity of the sum is
     * not proven.
     */
    virtual bool IsBatchInvariant() const
    {
        return false;
    }

    /**
     * @brief Evaluates the examples [first, first + count) of a split.
     * @param parameters parameters of the model, [ParameterCount()]
     * @param split split that contains the examples
     * @param first index of the first example
     * @param count number of examples; first + count must be at most the size of the split
     * @return sums over the examples
     */
    virtual Evaluation Evaluate(const float* parameters,
                                const Split& split,
                                std::size_t first,
                                std::size_t count) = 0;
};

/**
 * @brief Factor by which a gradient is multiplied to clip it.
 * @param norm L2 norm of the gradient; may be infinite or NaN
 * @param clip clip norm, above 0; infinity: no clipping
 * @return min(1, clip (1 - 1e-6) / norm). With a finite clip the factor is 0 if the norm is not
 *         finite, or if the factor would be below 2^-126, the smallest normal float32
 */
double ClipFactor(double norm, double clip);

/// Makes an engine for a model. Each thread needs a separate engine.
using GradientEngineFactory = std::function<std::unique_ptr<GradientEngine>(const ModelSpec&)>;

/// Registry of all engines: auto, native, libtorch, libtorch-loop, libtorch-cuda; see
/// MakeGradientEngine().
const Registry<GradientEngineFactory>& GradientEngines();

/// Name of the engine that `auto` or `libtorch` selects for a model. Returns other names unchanged.
/// The result is never `auto`. The result is `libtorch` only if the model's operations are recorded
/// (ForwardFunction::Recorded()).
std::string ResolveEngine(const std::string& name, const ModelSpec& model);

/**
 * @brief Makes an engine by name:
 *
 * - `native`: computes chains of the layers in layer.h.
 * - `libtorch`: clips all examples of a batch in one pass of LibTorch's autograd, if the model's
 *   operations are recorded. If the operations are not recorded, `libtorch` makes the engine
 *   `libtorch-loop`.
 * - `libtorch-loop`: takes one backward pass per example. This engine is slow, supports every
 *   model, and is the reference in tests.
 * - `libtorch-cuda`: computes with LibTorch on a CUDA device.
 * - `auto`: `native` if the model is a chain of layers, `libtorch` for other models.
 *
 * @param name one of these names
 * @param model model to compute
 * @throws UsageError if the name is unknown, or the engine cannot compute the model
 */
std::unique_ptr<GradientEngine> MakeGradientEngine(const std::string& name, const ModelSpec& model);

} // namespace dpdl

#endif // DPDL_TRAINING_GRADIENT_ENGINE_H
