// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CLIP_RULE_H
#define DPDL_TRAINING_CLIP_RULE_H

#include "dpdl/training/gradient-engine.h"

#include <cstddef>
#include <limits>

namespace dpdl
{

/// What a clip bound is a bound of.
enum class ClipNorm
{
    L2, ///< root of the sum of squares, for Gaussian noise
    L1, ///< sum of absolute values, for Laplace noise
};

/**
 * @brief Norm, bound and range by which a gradient is clipped.
 *
 * The coordinates outside of [begin, end) become zero, so that nothing of a gradient passes a rule
 * unbounded. A clipped gradient is below the bound by the reserve of ClipFactor() for float32.
 */
struct ClipRule
{
    double bound{std::numeric_limits<double>::infinity()}; ///< C > 0; infinity: nothing is clipped
    ClipNorm norm{ClipNorm::L2};                           ///< what C bounds
    /// true: C bounds each of the model's parameter tensors on its own (Wei et al., Fed-CDP), so
    /// that T of them together have an L2 norm of up to C sqrt(T) and an L1 norm of up to C T
    bool perTensor{false};
    std::size_t begin{0};                                     ///< first coordinate that counts
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< behind the last one that does
    /// true: g becomes C g / (C + |g|): shorter than C, and than g, for every g (Li and Chi,
    /// PORTER)
    bool isSmooth{false};
};

/// Largest norm of a clipped gradient of a model, in the rule's norm: how far one example moves a
/// sum of them. Infinity without a bound.
double Sensitivity(const ClipRule& rule, const ModelSpec& model);

/// Norm and factor of a clipped gradient.
struct ClipOutcome
{
    double norm{0.0};    ///< before clipping, in the rule's norm, over all coordinates that count
    bool clipped{false}; ///< the bound was exceeded, by a tensor at least, or not finite
};

/**
 * @brief Clips one gradient in place, be it of an example or the mean of a batch.
 *
 * The factor is that of ClipFactor(), at C + |g| for a smooth rule: a gradient, or with perTensor a
 * tensor, that is not finite becomes zero.
 * @param model whose parameters the gradient is of
 * @param rule how
 * @param[in,out] gradient [ParameterCount()]
 */
ClipOutcome ClipGradient(const ModelSpec& model, const ClipRule& rule, float* gradient);

/**
 * @brief Sum over the batch of the per-example gradients, each clipped by a rule.
 *
 * Plain L2 clipping of whole gradients is the engine's own, and as fast; so is a rule without a
 * bound. All other rules cost one pass of the engine for each example.
 *
 * @param engine computes the gradients
 * @param model the engine's
 * @param parameters [ParameterCount()]
 * @param batch the examples
 * @param rule how each gradient is clipped
 * @param scratch [ParameterCount()], for one gradient in float32
 * @param[out] sum [ParameterCount()], overwritten; zero for an empty batch. One example moves it by
 *         at most the bound times 1 + SumRounding()
 * @return as of GradientEngine::ClippedGradientSum(), with the norms in the rule's norm, or those
 *         of the engine if there is no bound
 */
BatchResult ClippedSum(GradientEngine& engine,
                       const ModelSpec& model,
                       const float* parameters,
                       const Batch& batch,
                       const ClipRule& rule,
                       float* scratch,
                       double* sum);

} // namespace dpdl

#endif // DPDL_TRAINING_CLIP_RULE_H
