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

/// Norm of a gradient that a clip bound limits.
enum class ClipNorm
{
    L2, ///< root of the sum of squares, for Gaussian noise
    L1, ///< sum of absolute values, for Laplace noise
};

/**
 * @brief Rule by which a gradient is clipped: norm, bound C and range of coordinates.
 *
 * Clipping sets the coordinates outside of [begin, end) to zero, so no coordinate stays unbounded.
 * Gradients are clipped to C (1 - 1e-6), see ClipFactor(), so that rounding to float32 does not
 * lift the norm above C.
 */
struct ClipRule
{
    /// C > 0, the clip bound; infinity: no clipping.
    double bound{std::numeric_limits<double>::infinity()};
    ClipNorm norm{ClipNorm::L2}; ///< norm that C bounds
    /// true: C bounds the norm of each parameter tensor separately (Wei et al., Fed-CDP). A
    /// gradient of T tensors then has an L2 norm of up to C sqrt(T), or an L1 norm of up to C T
    bool perTensor{false};
    std::size_t begin{0}; ///< first coordinate that is kept; the coordinates before it become zero
    std::size_t end{std::numeric_limits<std::size_t>::max()}; ///< one past the last kept coordinate
    /// true: a gradient g becomes C g / (C + |g|), which is shorter than C and than g (Li and Chi,
    /// PORTER)
    bool isSmooth{false};
};

/// Largest norm of one clipped gradient of the model, in the rule's norm: C, or with perTensor the
/// norm of all tensors together. Adding or removing one example changes a sum of clipped gradients
/// by at most this norm. Infinity if the rule has no bound.
double Sensitivity(const ClipRule& rule, const ModelSpec& model);

/// Outcome of clipping one gradient.
struct ClipOutcome
{
    double norm{0.0}; ///< norm before clipping, in the rule's norm, over the kept coordinates
    /// true: the norm of the gradient, or with perTensor of one tensor, exceeded the bound C or was
    /// not finite
    bool clipped{false};
};

/**
 * @brief Clips one gradient in place: the gradient of one example, or the mean of a batch.
 *
 * The gradient g is multiplied by ClipFactor(|g|, C); a smooth rule uses ClipFactor(C + |g|, C).
 * With perTensor, each tensor has a separate factor. A gradient (with perTensor: a tensor) that is
 * not finite becomes zero.
 * @param model gives the offsets and sizes of the parameter tensors
 * @param rule bound, norm and range
 * @param[in,out] gradient [ParameterCount()]
 */
ClipOutcome ClipGradient(const ModelSpec& model, const ClipRule& rule, float* gradient);

/**
 * @brief Sum over the batch of the per-example gradients, each clipped by a rule.
 *
 * The engine computes two kinds of rules in one pass per batch: L2 clipping of the whole gradient,
 * and no clipping. All other rules take one pass of the engine per example.
 *
 * @param engine computes the gradients
 * @param model model of the engine
 * @param parameters [ParameterCount()]
 * @param batch the examples
 * @param rule bound, norm and range of the clipping
 * @param scratch [ParameterCount()], for one gradient in float32
 * @param[out] sum [ParameterCount()], overwritten; zero for an empty batch. Adding or removing one
 *         example changes it by at most Sensitivity(rule, model) (1 + SumRounding(n)), with n the
 *         number of the node's examples
 * @return result as of GradientEngine::ClippedGradientSum(). Norms are in the rule's norm; without
 *         a bound they are L2 norms
 */
BatchResult ClippedSum(GradientEngine& engine,
                       const ModelSpec& model,
                       const float* parameters,
                       const Batch& batch,
                       const ClipRule& rule,
                       float* scratch,
                       double* sum);

/**
 * @brief A vector with a proven sensitivity: the largest change of the vector, in a norm, by one
 *        example, rounding included.
 *
 * Only StepContext::ClippedSum() and ClipMean() make bounded sums, and noise is added only to
 * these. The vector belongs to the context and stays valid until the context makes the next sum.
 */
class BoundedSum
{
  public:
    /// Fields of a bounded sum, set by the StepContext that made the sum.
    struct Fields
    {
        double* values{nullptr}; ///< coordinates of the sum, [size]
        std::size_t size{0};     ///< number of coordinates
        double sensitivity{0.0}; ///< largest change of the sum by adding or removing one example
        ClipNorm norm{ClipNorm::L2}; ///< norm in which the sensitivity is measured
        bool isBatch{false};         ///< true: the mean gradient of the batch was clipped
        /// number of the node's draw that gave the batch; empty if unknown
        std::optional<Round> draw{};
    };

    /// Coordinates of the sum, [ParameterCount()]; those from Size() on are 0.
    const double* Values() const
    {
        return m_fields.values;
    }

    /// Number of leading coordinates that the bound covers.
    std::size_t Size() const
    {
        return m_fields.size;
    }

    /// Largest change of the sum by one example, in the norm Norm(); infinity without a bound.
    double Sensitivity() const
    {
        return m_fields.sensitivity;
    }

    /// The norm in which Sensitivity() is measured.
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

    Fields m_fields; ///< fields that the StepContext has set
};

/// Number of examples in a block. Clipped gradients are summed within each block, and the sums of
/// the blocks are then added, which bounds the rounding error; see SumRounding().
constexpr std::size_t SUM_BLOCK = 128;

/**
 * @brief Relative excess over the clip bound C, caused by rounding in double precision: one example
 *        changes the sum of GradientEngine::ClippedGradientSum() over n examples by at most
 *        C (1 + SumRounding(n)), in the norm in which the gradients are clipped.
 *
 * Proof. Let an engine compute the same clipped gradient v_i of example i in every batch
 * (GradientEngine::IsBatchInvariant()), and let u = 2^-53. Before rounding, |v_i| is at most
 * C (1 - 1e-6) by the clip factor. Rounding of the norm and the factor adds less than 1e-10 C if
 * the engine keeps factors in double precision, and less than 1.2e-7 C if it rounds v_i to float32.
 * So |v_i| <= C (1 - 8e-7).
 *
 * The sum of m <= n examples first adds blocks of at most b = SUM_BLOCK examples, then the sums of
 * the m / b blocks. Each v_i is therefore rounded at most b + m / b times. In each coordinate j the
 * computed sum differs from the exact one by at most (b + m / b) u times the sum of |v_ij| over i,
 * to first order in u. The norm of this error is at most n (b + n / b) u C. Two neighbouring
 * batches differ by one v_i and by two such errors: by at most C (1 - 8e-7 + 2 n (b + n / b) u).
 *
 * @param examples n, the number of the node's examples; no batch is larger
 * @return max(0, 2 n (b + n / b) 2^-53 - 8e-7): 0 up to about 670,000 examples
 */
double SumRounding(std::size_t examples);

/**
 * @brief SumRounding() for the float32 sums of a device, which adds examples in an unknown order.
 *
 * With u = 2^-24, each clipped gradient v_i is rounded at most n times by u, so two neighbouring
 * batches differ by at most C (1 + 2 n^2 u), where C is the clip bound.
 *
 * @param examples n, number of examples in the largest batch
 * @return 2 n^2 2^-24 for up to SUM_BLOCK examples; infinity for more, as nothing is proven for
 *         them
 */
double DeviceSumRounding(std::size_t examples);

/**
 * @brief Measures if the noise of a release survives float32 rounding when the states of nodes are
 *        summed: records the inputs of LeastNoise().
 *
 * The inputs are the standard deviation of the noise in the state after the step, and a bound on
 * the largest absolute value of that state. The bound uses the state before the step, which is
 * public if such a sum is certified, and public numbers. With B the divisor (expected batch size),
 * a batch has at most B + 10 sqrt(B) + 50 examples, which a Poisson sampler exceeds with
 * probability below 1e-21. One draw of noise is at most 9 standard deviations.
 * @param state [size], state of the node before the step
 * @param size number of parameters
 * @param examples number of the node's examples
 * @param release record of the noise draw; not yet in job.releases
 * @param[in,out] job receives noiseInState and largestState; unchanged unless job.update.isSummed
 */
void MeasureNoise(const float* state,
                  std::size_t size,
                  std::size_t examples,
                  const Release& release,
                  NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_CLIP_RULE_H
