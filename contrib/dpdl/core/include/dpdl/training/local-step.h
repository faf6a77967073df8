// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LOCAL_STEP_H
#define DPDL_TRAINING_LOCAL_STEP_H

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
 * Each worker thread has a separate context. The results depend only on the arguments and the run's
 * seed, so they are equal on all workers.
 *
 * Only AddNoise() and AddNoisyStep() add noise, and only to a BoundedSum. Both functions append a
 * Release to the job. The privacy ledger consists of these records.
 */
class StepContext
{
  public:
    virtual ~StepContext() = default;

    /// Model that is trained. It determines ParameterCount() and the tensors.
    virtual const ModelSpec& Model() const = 0;

    /**
     * @brief Draws a batch of the training examples of the job's node.
     * @param job job with the node and the round
     * @param iteration iteration of the step in this round, below LocalStep::Iterations()
     * @return the batch; valid until the next call of Draw()
     */
    virtual Batch Draw(const NodeJob& job, std::uint32_t iteration) = 0;

    /// Scratch memory of [ParameterCount()] floats with unspecified contents.
    /// @param index number of the scratch vector, below SCRATCH
    virtual float* Scratch(std::size_t index) = 0;

    /**
     * @brief Computes the sum of the unclipped gradients of a batch, for updates of local
     *        parameters, or for means that ClipMean() clips.
     * @param at parameters at which to differentiate, [ParameterCount()]
     * @param batch examples of the batch
     * @param[out] sum [ParameterCount()]
     * @return statistics of the batch
     */
    virtual BatchResult GradientSum(const float* at, const Batch& batch, float* sum) = 0;

    /**
     * @brief Computes the sum of the clipped gradients of a batch. Adds the batch's objective,
     *        norms and counts to job.batch.
     * @param[in,out] job job of the node that owns the examples
     * @param batch unchanged result of Draw(). If it is another batch, a Release of the sum has the
     *        sampler `unknown`, for which accountants give no finite guarantee
     * @param at parameters at which to differentiate, [ParameterCount()]
     * @param rule rule that clips each example's gradient; rule.begin must be 0
     * @return the sum with its sensitivity, which includes the rounding error of the sum
     */
    virtual BoundedSum ClippedSum(NodeJob& job,
                                  const Batch& batch,
                                  const float* at,
                                  const ClipRule& rule) = 0;

    /**
     * @brief Clips a vector as a whole to the clip norm. Any change of the data then changes the
     *        vector by at most twice the clip norm. A Release of the returned sum gets the flag
     *        BATCH_CLIP.
     * @param rule clip norm, kind of norm, and range; rule.begin must be 0, and rule.perTensor
     *        false
     * @param[in,out] mean mean gradient, clipped in place, [ParameterCount()]
     * @param[out] outcome receives the norm before clipping, and true if the vector was clipped;
     *             may be nullptr
     * @return the clipped vector. BoundedSum::Sensitivity() is the largest norm that a clipped
     *         vector can have; accountants double this value because of the flag BATCH_CLIP
     */
    virtual BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) = 0;

    /// ClipMean() without an outcome.
    BoundedSum ClipMean(const ClipRule& rule, float* mean)
    {
        return ClipMean(rule, mean, nullptr);
    }

    /**
     * @brief Adds the noise of one iteration to a sum, in double precision, and appends its Release
     *        to the job.
     * @param sum result of ClippedSum() or ClipMean() to which noise is added
     * @param[in,out] job job with node, round, standard deviation and grid of the noise. The job
     *                receives the Release and, if recordNoise is true, a copy of the noise
     * @param iteration iteration of the step in this round, from 0; each iteration has independent
     *        noise
     * @param multiple factor on the job's standard deviation of the noise; 1, except for steps
     *        whose factor depends on data. Another value sets the flag DATA_DEPENDENT_SCALE in the
     *        Release, which has the standard deviation without this factor
     * @return the noisy sum, [ParameterCount()], rounded to float32 once; valid until the next
     *         call. The caller may change it
     */
    virtual float* AddNoise(const BoundedSum& sum,
                            NodeJob& job,
                            std::uint32_t iteration,
                            double multiple) = 0;

    /// AddNoise() with the job's noise standard deviation, unchanged.
    float* AddNoise(const BoundedSum& sum, NodeJob& job, std::uint32_t iteration)
    {
        return AddNoise(sum, job, iteration, 1.0);
    }

    /**
     * @brief Adds the noise of iteration 0 to a sum with AddNoise(), then takes the gradient step
     *        with dpdl::AddStep() and the job's step size. Implementations may add noise and take
     *        the step in one pass over memory if the result is bit-identical.
     * @param sum sum of clipped gradients
     * @param[in,out] job receives the Release; its state changes by the step
     */
    virtual void AddNoisyStep(const BoundedSum& sum, NodeJob& job);

    /// Number of different scratch vectors.
    static constexpr std::size_t SCRATCH = 4;

  protected:
    /// Makes a BoundedSum. A context may call it only if the sensitivity in @p fields is proven.
    static BoundedSum MakeSum(const BoundedSum::Fields& fields)
    {
        return BoundedSum(fields);
    }

    /// Fields of a sum that MakeSum() made.
    static const BoundedSum::Fields& FieldsOf(const BoundedSum& sum)
    {
        return sum.m_fields;
    }
};

/**
 * @brief Local update of a node in one round k: from the mixed model z^k to z^{k+1/2}.
 *
 * A step object has no mutable state, and all threads share it. State that a node keeps between
 * rounds is in NodeJob::memory. The job also has the clip norm, noise standard deviation and step
 * size of the round.
 */
class LocalStep
{
  public:
    virtual ~LocalStep() = default;

    /// Number of noisy gradients per round. Each has a separate batch and independent noise, and is
    /// one release.
    virtual std::uint32_t Iterations() const
    {
        return 1;
    }

    /// Number of vectors of [ParameterCount()] floats that every node keeps between rounds for the
    /// step, initially 0.
    virtual std::size_t MemoryVectors() const
    {
        return 0;
    }

    /// True if the local step is exactly one noisy gradient step, as in GradientStep.
    virtual bool IsPlain() const
    {
        return false;
    }

    /**
     * @brief True if data changes the parameters, even the local parameters, only through the noisy
     *        gradients of this step.
     *
     * Local parameters are those that the node does not share. If false, they carry the node's data
     * into every later gradient. Sampling then does not amplify privacy, and the sensitivity must
     * hold for all values of the local parameters.
     */
    virtual bool ProtectsOwnPart() const
    {
        return false;
    }

    /**
     * @brief Takes the step.
     * @param context context of the worker thread that runs the step
     * @param[in,out] job `state` holds z^k and becomes z^{k+1/2}; `update.enabled` is true
     */
    virtual void Run(StepContext& context, NodeJob& job) const = 0;
};

/**
 * @brief Gradient step z <- z - stepSize * gradient / divisor. Each chunk may have a separate step
 *        size (LocalUpdate::chunkSteps); local parameters, which follow the last chunk, always use
 *        stepSize.
 *
 * AddStep() also adds the changes of z to update.increment, unless the pointer is nullptr. If nodes
 * send before they step, only the changes in `increment` reach the next mixing. A LocalStep that
 * changes the state without AddStep() therefore works only with algorithms whose nodes step before
 * they send.
 * @param update step sizes, divisor, and the vector `increment`
 * @param gradient noisy or unclipped gradient sum over examples, [ParameterCount()]
 * @param[in,out] state parameters z
 */
void AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state);

/// Number of a job's shared parameters, which come first in the vector. A step must protect them
/// with noise.
std::size_t SharedCount(const NodeJob& job);

/// Rule that clips each example's whole gradient to the job's clip norm, in the L2 norm.
ClipRule WholeGradientRule(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_LOCAL_STEP_H
