// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CLIP_RULE_H
#define DPDL_TRAINING_CLIP_RULE_H

#include "dpdl/training/gradient-engine.h"

#include <cstddef>
#include <limits>

namespace dpdl
{

/// Norm that a clip bound limits.
enum class ClipNorm
{
    L2, ///< root of the sum of squares, for Gaussian noise
    L1, ///< sum of absolute values, for Laplace noise
};

/**
 * @brief Norm, bound and range by which a gradient is clipped.
 *
 * Coordinates outside of [begin, end) become zero, so no coordinate passes a rule unbounded. A
 * clipped gradient stays below the bound by the float32 margin of ClipFactor().
 */
struct ClipRule
{
    double bound{std::numeric_limits<double>::infinity()}; ///< C > 0; infinity: no clipping
    ClipNorm norm{ClipNorm::L2};                           ///< norm that C bounds
    /// true: C bounds each parameter tensor separately (Wei et al., Fed-CDP); T tensors together
    /// have an L2 norm of up to C sqrt(T) and an L1 norm of up to C T
    bool perTensor{false};
    std::size_t begin{0};                                     ///< first coordinate that is kept
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< behind the last kept one
    /// true: g becomes C g / (C + |g|), which is shorter than C and than g (Li and Chi, PORTER)
    bool isSmooth{false};
};

/// Largest norm of a clipped gradient of a model, in the rule's norm. It is the sensitivity of
/// their sum to adding or removing one example. Infinity without a bound.
double Sensitivity(const ClipRule& rule, const ModelSpec& model);

/// Norm and factor of a clipped gradient.
struct ClipOutcome
{
    double norm{0.0};    ///< before clipping, in the rule's norm, over the kept coordinates
    bool clipped{false}; ///< the gradient, or one tensor, exceeded the bound or was not finite
};

/**
 * @brief Clips one gradient in place: of an example, or the mean of a batch.
 *
 * The factor is ClipFactor(|g|, C), with C + |g| as norm for a smooth rule. A gradient (with
 * perTensor: a tensor) that is not finite becomes zero.
 * @param model gives the places of the parameter tensors
 * @param rule bound, norm and range
 * @param[in,out] gradient [ParameterCount()]
 */
ClipOutcome ClipGradient(const ModelSpec& model, const ClipRule& rule, float* gradient);

/**
 * @brief Sum over the batch of the per-example gradients, each clipped by a rule.
 *
 * The engine itself clips whole gradients in L2, and runs a rule without a bound, in one pass per
 * batch. All other rules cost one pass of the engine per example.
 *
 * @param engine computes the gradients
 * @param model of the engine
 * @param parameters [ParameterCount()]
 * @param batch the examples
 * @param rule how each gradient is clipped
 * @param scratch [ParameterCount()], for one gradient in float32
 * @param[out] sum [ParameterCount()], overwritten; zero for an empty batch. One example moves it by
 *         at most Sensitivity(rule, model) times 1 + SumRounding()
 * @return result as of GradientEngine::ClippedGradientSum(); norms are in the rule's norm, without
 *         a bound in L2
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
