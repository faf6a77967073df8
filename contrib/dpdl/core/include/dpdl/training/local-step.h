// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LOCAL_STEP_H
#define DPDL_TRAINING_LOCAL_STEP_H

#include "dpdl/base/noise-source.h"
#include "dpdl/base/types.h"
#include "dpdl/training/bounded-sum.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/node-job.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @brief Resources of a worker for a local step: batches, gradients, noise and memory to
 * compute in.
 *
 * A context belongs to one worker thread. What it gives depends on its arguments and on the run's
 * seed, never on which worker it belongs to.
 *
 * Noise is added only by AddNoise() and AddNoisyStep(), only to a BoundedSum, and each call leaves
 * a ReleaseRecord in the job. The privacy ledger is made of these records.
 */
class StepContext
{
  public:
    virtual ~StepContext() = default;

    /// The model that is trained.
    virtual const ModelSpec& Model() const = 0;

    /**
     * @brief A batch of the job's node.
     * @param job node and round
     * @param iteration which of the step's iterations in this round, below LocalStep::Iterations()
     * @return valid until the next draw
     */
    virtual Batch Draw(const NodeJob& job, std::uint32_t iteration) = 0;

    /// Memory of [ParameterCount()] floats whose content is unspecified. @param index below SCRATCH
    virtual float* Scratch(std::size_t index) = 0;

    /**
     * @brief Sum of the gradients of a batch, not clipped: for parameters that stay at the node,
     *        and for means that ClipMean() bounds.
     * @param at [ParameterCount()], where the gradients are taken
     * @param batch the examples
     * @param[out] sum [ParameterCount()]
     */
    virtual BatchResult GradientSum(const float* at, const Batch& batch, float* sum) = 0;

    /**
     * @brief Sum of the clipped gradients of a batch; what was found is added to `batch` of the
     * job.
     * @param[in,out] job whose node owns the examples
     * @param batch of Draw(), unchanged: of any other batch it is unknown how it was sampled
     * @param at [ParameterCount()], where the gradients are taken
     * @param rule how each example's gradient is clipped; it begins at the first parameter
     * @return the sum with its sensitivity, which includes the rounding of the additions
     */
    virtual BoundedSum ClippedSum(NodeJob& job,
                                  const Batch& batch,
                                  const float* at,
                                  const ClipRule& rule) = 0;

    /**
     * @brief Clips a vector as a whole: any change of any data moves it by at most twice the bound,
     *        which the release accounts for as BATCH_CLIP.
     * @param rule how; it begins at the first parameter and is not per tensor
     * @param[in,out] mean [ParameterCount()], clipped
     * @param[out] outcome what clipping found; nullptr: not asked for
     */
    virtual BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) = 0;

    /// ClipMean() without asking what it found.
    BoundedSum ClipMean(const ClipRule& rule, float* mean)
    {
        return ClipMean(rule, mean, nullptr);
    }

    /**
     * @brief Adds the noise of an iteration of the job, in double precision, and records it.
     * @param sum what is protected
     * @param[in,out] job node, round, deviation and grid; receives the record, and a copy of the
     *        noise if it is asked to
     * @param iteration which of the step's iterations in this round: each has its own noise
     * @param multiple of the job's deviation, if that is computed from data; 1: it is not
     * @return [ParameterCount()] the noisy sum, rounded to float32 once; valid until the next call,
     *         and free to be changed
     */
    virtual float* AddNoise(const BoundedSum& sum,
                            NodeJob& job,
                            std::uint32_t iteration,
                            double multiple) = 0;

    /// AddNoise() with the job's own deviation.
    float* AddNoise(const BoundedSum& sum, NodeJob& job, std::uint32_t iteration)
    {
        return AddNoise(sum, job, iteration, 1.0);
    }

    /**
     * @brief Adds the noise of the only iteration to a sum and takes the step: AddNoise(), then
     * dpdl::AddStep() with the job's numbers; in one pass over memory where that is the same.
     * @param sum over examples
     * @param[in,out] job whose state moves
     */
    virtual void AddNoisyStep(const BoundedSum& sum, NodeJob& job);

    /// Number of scratch vectors.
    static constexpr std::size_t SCRATCH = 4;

  protected:
    /// A sum whose bound the context has proven.
    static BoundedSum MakeSum(const BoundedSum::Fields& fields)
    {
        return BoundedSum(fields);
    }

    /// The fields that MakeSum() received.
    static const BoundedSum::Fields& FieldsOf(const BoundedSum& sum)
    {
        return sum.m_fields;
    }
};

/**
 * @brief Local update of a node in one round: from z^k to z^{k+1/2}.
 *
 * A step has no state, threads share it. What a node has to remember from round to round
 * is in the job's memory vectors. The numbers of a round (clip bound, noise, step size) come with
 * the job; the step decides what to do with them.
 */
class LocalStep
{
  public:
    virtual ~LocalStep() = default;

    /// Noisy gradients in one round, each with its own batch and noise, each a release.
    virtual std::uint32_t Iterations() const
    {
        return 1;
    }

    /// Vectors of [ParameterCount()] floats that every node keeps for the step; zero at first.
    virtual std::size_t MemoryVectors() const
    {
        return 0;
    }

    /// True if it is one noisy gradient and nothing else: what GradientStep does.
    virtual bool IsPlain() const
    {
        return false;
    }

    /**
     * @brief True if releases depend on data only through the noisy gradients of this
     *        step, all parameters, also those that stay at the node.
     *
     * If false, a node's own parameters carry its data into every later gradient: nothing
     * is gained by sampling, and a bound has to hold whatever these parameters are.
     */
    virtual bool ProtectsOwnPart() const
    {
        return false;
    }

    /**
     * @brief Takes the step.
     * @param context of the worker that runs it
     * @param[in,out] job with `state` holding z^k, which becomes z^{k+1/2}; `update.enabled` is
     * true
     */
    virtual void Run(StepContext& context, NodeJob& job) const = 0;
};

/**
 * @brief z <- z - stepSize * gradient / divisor, chunk by chunk where chunks have steps of their
 * own. What lies behind the chunks stays at its node, and has the step stepSize.
 *
 * Every step adds to its job's state with this function: if nodes send before they
 * step, the sum of these additions is what comes on top of the mixed parameters.
 * @param update step sizes, divisor, and who else gets what is added
 * @param gradient [ParameterCount()], a sum over examples
 * @param[in,out] state z
 */
void AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state);

/// Number of a job's parameters that travel, counted from the first. A step has to protect these.
std::size_t SharedCount(const NodeJob& job);

/// The rule that clips each example's whole gradient to the job's bound, in L2.
ClipRule WholeGradientRule(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_LOCAL_STEP_H
