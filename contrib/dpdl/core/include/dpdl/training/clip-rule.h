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

/// Kind of norm of a gradient that clipping limits.
enum class ClipNorm
{
    L2, ///< root of the sum of squares, for Gaussian noise
    L1, ///< sum of absolute values, for Laplace noise
};

/**
 * @brief Rule by which a gradient is clipped: clip norm C, kind of norm, and range of coordinates.
 *
 * Clipping sets the coordinates outside of [begin, end) to 0. Gradients are clipped to C (1 -
 * 1e-6), see ClipFactor(), so rounding to float32 does not raise the norm above C.
 */
struct ClipRule
{
    /// Clip norm C > 0; infinity: no clipping.
    double bound{std::numeric_limits<double>::infinity()};
    ClipNorm norm{ClipNorm::L2}; ///< kind of norm that C limits
    /// True: C limits the norm of each parameter tensor separately (Wei et al., Fed-CDP). A
    /// gradient of T tensors then has an L2 norm of at most C sqrt(T), or an L1 norm of at most C
    /// T.
    bool perTensor{false};
    /// First coordinate that is kept; clipping sets the coordinates before it to 0.
    std::size_t begin{0};
    std::size_t end{
        std::numeric_limits<std::size_t>::max()}; ///< index past the last coordinate that is kept
    /// True: a gradient g becomes C g / (C + |g|), with a norm below C and |g| (Li and Chi,
    /// PORTER). False: g is scaled only if |g| > C.
    bool isSmooth{false};
};

/// Upper bound on the norm of a clipped gradient of the model, in the rule's norm; with perTensor,
/// the norm of all tensors together. Adding or removing one example changes a sum of clipped
/// gradients by at most this norm. Infinity if C is infinite.
double Sensitivity(const ClipRule& rule, const ModelSpec& model);

/// Outcome of clipping one gradient.
struct ClipOutcome
{
    double norm{0.0}; ///< norm over the kept coordinates before clipping, in the rule's norm
    /// True: the norm of the gradient (with perTensor: of at least one tensor) exceeded C or was
    /// not finite.
    bool clipped{false};
};

/**
 * @brief Clips one gradient in place: the gradient of one example, or the mean of a batch.
 *
 * The gradient g is multiplied by ClipFactor(|g|, C); a smooth rule uses ClipFactor(C + |g|, C).
 * With perTensor, each tensor has a separate factor. A gradient (with perTensor: a tensor) that is
 * not finite becomes 0.
 * @param model model, with offsets and sizes of its parameter tensors
 * @param rule clip norm, kind of norm, and range of the clipping
 * @param[in,out] gradient gradient to clip, [ParameterCount()]
 */
ClipOutcome ClipGradient(const ModelSpec& model, const ClipRule& rule, float* gradient);

/**
 * @brief Computes the sum over a batch of the per-example gradients, each clipped by a rule.
 *
 * L2 clipping of the whole gradient, and no clipping, take one pass of the engine per batch. All
 * other rules take one pass per example.
 *
 * @param engine engine that computes the gradients
 * @param model model of the engine
 * @param parameters parameters at which to differentiate, [ParameterCount()]
 * @param batch examples of the batch
 * @param rule clip norm, kind of norm, and range of the clipping
 * @param scratch scratch memory for one gradient, [ParameterCount()]
 * @param[out] sum receives the sum, [ParameterCount()]; 0 for an empty batch. Adding or removing
 *             one example changes it by at most Sensitivity(rule, model) (1 + SumRounding(n)), with
 *             n the number of the node's examples
 * @return statistics of the batch, as from GradientEngine::ClippedGradientSum(). Gradient norms are
 *         of the rule's kind; if C is infinite, they are L2 norms
 */
BatchResult ClippedSum(GradientEngine& engine,
                       const ModelSpec& model,
                       const float* parameters,
                       const Batch& batch,
                       const ClipRule& rule,
                       float* scratch,
                       double* sum);

/**
 * @brief A vector with a proven sensitivity: an upper bound, in a given norm, on the change of the
 *        vector if one example is added or removed, including rounding errors. For ClipMean(), the
 *        sensitivity is instead an upper bound on the norm of the vector, so the vector changes by
 *        at most twice the sensitivity.
 *
 * Only StepContext::ClippedSum() and ClipMean() make bounded sums, and noise can be added only to
 * bounded sums. The context owns the vector, which is valid until the context makes the next sum.
 */
class BoundedSum
{
  public:
    /// Values of a BoundedSum. Only the StepContext that makes the sum sets them.
    struct Fields
    {
        double* values{nullptr}; ///< coordinates of the sum, [size]
        std::size_t size{0};     ///< number of coordinates
        /// Upper bound, in `norm`, on the change of the sum by one added or removed example. If
        /// isBatch: upper bound on the norm of the sum.
        double sensitivity{0.0};
        ClipNorm norm{ClipNorm::L2}; ///< norm of the sensitivity
        /// True: the mean gradient of the batch was clipped, not the gradient of each example.
        bool isBatch{false};
        /// Argument `round` of the Sampler::Draw() call that drew the batch; empty: unknown batch.
        std::optional<Round> draw{};
    };

    /// Coordinates of the sum, [ParameterCount()]. Coordinates from Size() on are 0.
    const double* Values() const
    {
        return m_fields.values;
    }

    /// Number of leading coordinates for which the sensitivity is proven.
    std::size_t Size() const
    {
        return m_fields.size;
    }

    /// Upper bound, in the norm Norm(), on the change of a result of ClippedSum() by one added or
    /// removed example, or on the norm of a result of ClipMean(); infinity: the sum is not clipped.
    double Sensitivity() const
    {
        return m_fields.sensitivity;
    }

    /// Kind of norm of Sensitivity().
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

/// Number of examples in a block. Clipped gradients are summed within blocks, and then the sums of
/// the blocks are added, which bounds the rounding error; see SumRounding().
constexpr std::size_t SUM_BLOCK = 128;

/**
 * @brief Relative excess of the sensitivity over the clip norm C, caused by rounding in double
 *        precision. One example changes the sum of GradientEngine::ClippedGradientSum() over n
 *        examples by at most C (1 + SumRounding(n)), in the norm in which the gradients are
 *        clipped.
 *
 * Proof. Let an engine compute the same clipped gradient v_i of example i in every batch
 * (GradientEngine::IsBatchInvariant()), and let u = 2^-53. Before rounding, |v_i| is at most
 * C (1 - 1e-6) by the clip factor. Rounding of the norm and the factor adds less than 1e-10 C if
 * the engine keeps factors in double precision, and less than 1.2e-7 C if it rounds v_i to float32.
 * So |v_i| <= C (1 - 8e-7).
 *
 * The sum of m <= n examples first adds blocks of at most b = SUM_BLOCK examples, then the sums of
 * the m / b blocks. Each v_i is therefore rounded at most b + m / b times. In each coordinate j the
 * computed sum differs from the exact sum by at most (b + m / b) u times the sum of |v_ij| over i,
 * to first order in u. The norm of this error is at most n (b + n / b) u C. The computed sums of
 * two neighbouring batches differ by one v_i and by two such errors: by at most C (1 - 8e-7 + 2 n
 * (b + n / b) u).
 *
 * @param examples number n of the node's examples, the size of the largest batch
 * @return max(0, 2 n (b + n / b) 2^-53 - 8e-7); it is 0 up to about 670,000 examples
 */
double SumRounding(std::size_t examples);

/**
 * @brief SumRounding() for the float32 sums of a GPU, which adds examples in an unknown order.
 *
 * With u = 2^-24, each clipped gradient v_i is rounded at most n times by u, so the computed sums
 * of two neighbouring batches differ by at most C (1 + 2 n^2 u), where C is the clip norm.
 *
 * @param examples number n of examples in the largest batch
 * @return 2 n^2 2^-24 for up to SUM_BLOCK examples; infinity for more examples, for which there is
 *         no proof
 */
double DeviceSumRounding(std::size_t examples);

/**
 * @brief Records the noise in a node's state and the largest value of the state. If nodes' states
 *        are summed, an observer certificate compares the noise with LeastNoise(), because smaller
 *        noise would not hide the spacing of float32 numbers.
 *
 * The function records the standard deviation of the noise in the state after the step, and an
 * upper bound on the largest absolute value of that state. The bound uses public numbers and the
 * state before the step, which is public if a sum of states is certified. The bound assumes at most
 * B + 10 sqrt(B) + 50 examples in a batch, with the divisor B (expected batch size); a Poisson
 * sampler exceeds this with probability below 1e-21. The bound also assumes noise of at most 9
 * standard deviations, or 64 scales for Laplace noise, per draw.
 * @param state state of the node before the step, [size]
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
