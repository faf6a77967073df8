// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LOCAL_STEP_H
#define DPDL_TRAINING_LOCAL_STEP_H

#include "dpdl/base/noise-source.h"
#include "dpdl/base/types.h"
#include "dpdl/training/clip-rule.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/node-job.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @brief Resources of a worker for a local step: batches, gradients, noise and scratch memory.
 *
 * A context belongs to one worker thread. Its results depend only on the arguments and the run's
 * seed, not on the worker.
 *
 * AddNoise() and AddNoisyStep() alone add noise, only to a BoundedSum, and append a Release to the
 * job. The privacy ledger consists of these records.
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
     * @param iteration iteration of the step in this round, below LocalStep::Iterations()
     * @return valid until the next draw
     */
    virtual Batch Draw(const NodeJob& job, std::uint32_t iteration) = 0;

    /// Memory of [ParameterCount()] floats whose content is unspecified. @param index below SCRATCH
    virtual float* Scratch(std::size_t index) = 0;

    /**
     * @brief Sum of the unclipped gradients of a batch: for local parameters, and for means that
     *        ClipMean() bounds.
     * @param at [ParameterCount()], the parameters at which to differentiate
     * @param batch the examples
     * @param[out] sum [ParameterCount()]
     */
    virtual BatchResult GradientSum(const float* at, const Batch& batch, float* sum) = 0;

    /**
     * @brief Sum of the clipped gradients of a batch. Adds loss, norms and counts to `batch` of the
     * job.
     * @param[in,out] job whose node owns the examples
     * @param batch result of Draw(), unchanged; the sampling of any other batch is unknown
     * @param at [ParameterCount()], the parameters at which to differentiate
     * @param rule how each example's gradient is clipped; it begins at the first parameter
     * @return the sum with its sensitivity, which includes the rounding of the additions
     */
    virtual BoundedSum ClippedSum(NodeJob& job,
                                  const Batch& batch,
                                  const float* at,
                                  const ClipRule& rule) = 0;

    /**
     * @brief Clips a vector as a whole: any change of the data moves it by at most twice the bound.
     *        The release is accounted as BATCH_CLIP.
     * @param rule begins at the first parameter and is not per tensor
     * @param[in,out] mean [ParameterCount()], clipped
     * @param[out] outcome norm and clipped; may be nullptr
     */
    virtual BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) = 0;

    /// ClipMean() without an outcome.
    BoundedSum ClipMean(const ClipRule& rule, float* mean)
    {
        return ClipMean(rule, mean, nullptr);
    }

    /**
     * @brief Adds the noise of an iteration of the job, in double precision, and records it.
     * @param sum to add the noise to
     * @param[in,out] job node, round, deviation and grid; receives the record, and a copy of the
     *        noise if recordNoise is set
     * @param iteration iteration of the step in this round: each has separate noise
     * @param multiple factor on the job's deviation if it is computed from data; else 1
     * @return [ParameterCount()] the noisy sum, rounded to float32 once; valid until the next call,
     *         and may be changed
     */
    virtual float* AddNoise(const BoundedSum& sum,
                            NodeJob& job,
                            std::uint32_t iteration,
                            double multiple) = 0;

    /// AddNoise() with the job's deviation.
    float* AddNoise(const BoundedSum& sum, NodeJob& job, std::uint32_t iteration)
    {
        return AddNoise(sum, job, iteration, 1.0);
    }

    /**
     * @brief Adds the noise of the only iteration to a sum and takes the step: AddNoise(), then
     * dpdl::AddStep() with the job's numbers. It takes one pass over memory if the result is the
     * same.
     * @param sum over examples
     * @param[in,out] job whose state moves
     */
    virtual void AddNoisyStep(const BoundedSum& sum, NodeJob& job);

    /// Number of scratch vectors.
    static constexpr std::size_t SCRATCH = 4;

  protected:
    /// Makes a sum whose bound the context has proven.
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
 * A step is stateless, and threads share it. A node's state from round to round is in the job's
 * memory vectors. The job also holds the numbers of the round: clip bound, noise, step size.
 */
class LocalStep
{
  public:
    virtual ~LocalStep() = default;

    /// Number of noisy gradients in one round; each has a separate batch and noise, and is a
    /// release.
    virtual std::uint32_t Iterations() const
    {
        return 1;
    }

    /// Vectors of [ParameterCount()] floats that every node keeps for the step; zero at first.
    virtual std::size_t MemoryVectors() const
    {
        return 0;
    }

    /// True if the local step takes exactly one noisy gradient step, as GradientStep does.
    virtual bool IsPlain() const
    {
        return false;
    }

    /**
     * @brief True if all parameters, also the local ones, depend on data only through the noisy
     *        gradients of this step.
     *
     * If false, a node's local parameters carry its data into every later gradient. Then sampling
     * amplifies nothing, and a bound has to hold for all values of these parameters.
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
 * @brief z <- z - stepSize * gradient / divisor, chunk by chunk if chunks have separate step sizes.
 * Parameters after the last chunk are local, and have the step size stepSize.
 *
 * Every step changes its job's state with this function. If nodes send before they step, the sum of
 * these changes is added to the mixed parameters.
 * @param update step sizes, divisor, and the vector that also receives the changes
 * @param gradient [ParameterCount()], a sum over examples
 * @param[in,out] state z
 */
void AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state);

/// Number of a job's shared parameters, counted from the first. A step has to protect these.
std::size_t SharedCount(const NodeJob& job);

/// Rule that clips each example's whole gradient to the job's bound, in L2.
ClipRule WholeGradientRule(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_LOCAL_STEP_H
