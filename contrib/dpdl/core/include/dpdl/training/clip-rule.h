// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CLIP_RULE_H
#define DPDL_TRAINING_CLIP_RULE_H

#include "dpdl/base/types.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/node-job.h"

#include <cstddef>
#include <limits>
#include <optional>

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
    /// C > 0, the clip bound; infinity: no clipping.
    double bound{std::numeric_limits<double>::infinity()};
    ClipNorm norm{ClipNorm::L2}; ///< norm that C bounds
    /// true: C bounds each parameter tensor separately (Wei et al., Fed-CDP); T tensors together
    /// have an L2 norm of up to C sqrt(T) and an L1 norm of up to C T
    bool perTensor{false};
    std::size_t begin{0};                                     ///< first coordinate that is kept
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< one past the last kept coordinate
    /// true: g becomes C g / (C + |g|), which is shorter than C and than g (Li and Chi, PORTER)
    bool isSmooth{false};
};

/// Largest norm of a clipped gradient of a model, in the rule's norm. It is the sensitivity of
/// their sum to adding or removing one example. Infinity without a bound.
double Sensitivity(const ClipRule& rule, const ModelSpec& model);

/// Norm and factor of a clipped gradient.
struct ClipOutcome
{
    double norm{0.0};    ///< norm before clipping, in the rule's norm, over the kept coordinates
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

/**
 * @brief A vector with a proven sensitivity: one example moves it by at most that much, rounding
 * included.
 *
 * Only the clipping methods of StepContext make one, and noise is added to nothing else. The vector
 * belongs to the context and stays valid until its next sum.
 */
class BoundedSum
{
  public:
    /// Fields of a bounded sum, set by the StepContext that made the sum.
    struct Fields
    {
        double* values{nullptr};     ///< coordinates of the sum, [size]
        std::size_t size{0};         ///< number of coordinates
        double sensitivity{0.0};     ///< largest change of the sum by one example
        ClipNorm norm{ClipNorm::L2}; ///< norm of the sensitivity
        bool isBatch{false};         ///< true: the batch's gradient was clipped as a whole
        std::optional<Round> draw{}; ///< draw number of the batch; empty if unknown
    };

    /// [ParameterCount()]; the values from Size() on are 0.
    const double* Values() const
    {
        return m_fields.values;
    }

    /// Number of leading values that the bound covers.
    std::size_t Size() const
    {
        return m_fields.size;
    }

    /// Largest move by one example, in Norm(); infinity without a bound.
    double Sensitivity() const
    {
        return m_fields.sensitivity;
    }

    /// The norm of the bound.
    ClipNorm Norm() const
    {
        return m_fields.norm;
    }

  private:
    friend class StepContext;

    explicit BoundedSum(const Fields& fields)
        : m_fields(fields)
    {
    }

    Fields m_fields; ///< values set by the context
};

struct LocalUpdate;

/// Examples of a block, whose clipped gradients are summed before the sums of blocks are added.
constexpr std::size_t SUM_BLOCK = 128;

/**
 * @brief Relative excess over the clip bound C by which one example can move a sum of clipped
 * gradients in double precision: the sum of GradientEngine::ClippedGradientSum() moves by at most
 *        C (1 + SumRounding(n)), in the norm that the gradients are clipped in.
 *
 * Proof. Let an engine compute the same clipped gradient v_i of example i in every batch
 * (GradientEngine::IsBatchInvariant()), and u = 2^-53. The clip factor keeps |v_i| <= C (1 - 1e-6)
 * but for the rounding of norm and factor, which is below 1e-10 C where v_i is made of double
 * factors and below 1.2e-7 C where it is rounded to float32: |v_i| <= C (1 - 8e-7). A sum of m <= n
 * examples adds up blocks of at most b = SUM_BLOCK, then the m / b results, so that each v_i is
 * rounded at most b + m / b times, and coordinate by coordinate the sum in the computer differs
 * from the exact one by at most (b + m / b) u times the sum of all |v_ij|, to first order in u. Its
 * norm is at most n (b + n / b) u C. Two neighbouring batches differ by one v_i and by two such
 * errors: by at most C (1 - 8e-7 + 2 n (b + n / b) u).
 *
 * @param examples n, the node's examples; no batch has more
 * @return max(0, 2 n (b + n / b) 2^-53 - 8e-7): 0 up to about 670,000 examples
 */
double SumRounding(std::size_t examples);

/**
 * @brief SumRounding() for the float32 sums of a device, whose order is not known.
 *
 * Each v_i is rounded at most n times, by u = 2^-24: two neighbouring batches differ by at most
 * C (1 + 2 n^2 u).
 *
 * @param examples n, the largest batch
 * @return 2 n^2 2^-24 for up to SUM_BLOCK examples; infinity for more
 */
double DeviceSumRounding(std::size_t examples);

/**
 * @brief Records the inputs of LeastNoise() for a release whose noise must survive float32 rounding
 *        of sums over nodes: the noise in the state, and its largest value.
 *
 * It measures only the state before the step, which is public if such a sum is certified. Public
 * numbers bound the rest: a batch of at most B + 10 sqrt(B) + 50 examples, which a Poisson sampler
 * exceeds with probability below 1e-21, and a draw of at most 9 deviations.
 * @param state [size], before the step
 * @param size number of parameters
 * @param examples number of the node's examples
 * @param release record of the draw, which job.releases does not have yet
 * @param[in,out] job receives both numbers; unchanged if the next round has a step
 */
void MeasureNoise(const float* state,
                  std::size_t size,
                  std::size_t examples,
                  const Release& release,
                  NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_CLIP_RULE_H
