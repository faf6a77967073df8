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
 * seed, so all workers compute the same.
 *
 * Noise is added only by AddNoise() and AddNoisyStep(), and only to a BoundedSum. Both append a
 * Release to the job; the privacy ledger consists of these records.
 */
class StepContext
{
  public:
    virtual ~StepContext() = default;

    /// The model that is trained.
    virtual const ModelSpec& Model() const = 0;

    /**
     * @brief Draws a batch of the training examples of the job's node.
     * @param job gives the node and the round
     * @param iteration iteration of the step in this round, below LocalStep::Iterations()
     * @return the batch; valid until the next call of Draw()
     */
    virtual Batch Draw(const NodeJob& job, std::uint32_t iteration) = 0;

    /// Scratch memory of [ParameterCount()] floats with unspecified content.
    /// @param index number of the scratch vector, below SCRATCH
    virtual float* Scratch(std::size_t index) = 0;

    /**
     * @brief Sum of the unclipped gradients of a batch: for updates of local parameters, and for
     *        means that ClipMean() clips.
     * @param at [ParameterCount()], the parameters at which to differentiate
     * @param batch the examples
     * @param[out] sum [ParameterCount()]
     * @return statistics of the batch
     */
    virtual BatchResult GradientSum(const float* at, const Batch& batch, float* sum) = 0;

    /**
     * @brief Sum of the clipped gradients of a batch. Adds its objective, norms and counts to
     *        job.batch.
     * @param[in,out] job job of the node that owns the examples
     * @param batch result of Draw(), unchanged: for any other batch the sampling is unknown
     * @param at [ParameterCount()], the parameters at which to differentiate
     * @param rule how each example's gradient is clipped; rule.begin has to be 0
     * @return the sum with its sensitivity, which includes the rounding error of the sum
     */
    virtual BoundedSum ClippedSum(NodeJob& job,
                                  const Batch& batch,
                                  const float* at,
                                  const ClipRule& rule) = 0;

    /**
     * @brief Clips a vector as a whole, so any change of the data changes it by at most twice the
     *        clip bound. The release is accounted as BATCH_CLIP.
     * @param rule bound, norm and range; rule.begin has to be 0, and rule.perTensor false
     * @param[in,out] mean [ParameterCount()], a mean gradient, which is clipped in place
     * @param[out] outcome norm before clipping, and if the vector was clipped; may be nullptr
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
     * @param sum sum of clipped gradients to which noise is added
     * @param[in,out] job gives node, round, standard deviation and grid of the noise; receives the
     *         Release, and a copy of the noise if recordNoise is set
     * @param iteration iteration of the step in this round, from 0 on; each has independent noise
     * @param multiple factor on the job's noise deviation, if the step computes the deviation from
     *         data; else 1
     * @return the noisy sum, [ParameterCount()], rounded to float32 once; valid until the next
     *         call; the caller may change it
     */
    virtual float* AddNoise(const BoundedSum& sum,
                            NodeJob& job,
                            std::uint32_t iteration,
                            double multiple) = 0;

    /// AddNoise() with the job's noise deviation.
    float* AddNoise(const BoundedSum& sum, NodeJob& job, std::uint32_t iteration)
    {
        return AddNoise(sum, job, iteration, 1.0);
    }

    /**
     * @brief Adds the noise of iteration 0 to a sum, then takes the gradient step: AddNoise(), then
     *        dpdl::AddStep() with the job's step size. Implementations may fuse both into one pass
     *        over memory if the result is bit-identical.
     * @param sum sum of clipped gradients
     * @param[in,out] job receives the Release; its state changes by the step
     */
    virtual void AddNoisyStep(const BoundedSum& sum, NodeJob& job);

    /// Number of scratch vectors that Scratch() provides.
    static constexpr std::size_t SCRATCH = 4;

  protected:
    /// Makes a sum. Only contexts call it, after they have proven the sensitivity.
    static BoundedSum MakeSum(const BoundedSum::Fields& fields)
    {
        return BoundedSum(fields);
    }

    /// The fields of a sum that MakeSum() made.
    static const BoundedSum::Fields& FieldsOf(const BoundedSum& sum)
    {
        return sum.m_fields;
    }
};

/**
 * @brief Local update of a node in one round k: from the mixed model z^k to z^{k+1/2}.
 *
 * A step object is stateless, and all threads share it. State that a node keeps between rounds is
 * in the job's memory vectors. The job also holds the clip bound, noise and step size of the round.
 */
class LocalStep
{
  public:
    virtual ~LocalStep() = default;

    /// Number of noisy gradients in one round. Each has a separate batch and independent noise, and
    /// is one release.
    virtual std::uint32_t Iterations() const
    {
        return 1;
    }

    /// Number of vectors of [ParameterCount()] floats that every node keeps for the step; zero at
    /// first.
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
     * @brief True if data changes the parameters only through the noisy gradients of this step.
     *        This includes the local parameters, which the node does not send.
     *
     * If false, local parameters carry the node's data into every later gradient. Then there is no
     * amplification by sampling, and the sensitivity has to hold for all values of the local
     * parameters.
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
 * It also adds the changes to update.increment, unless that is null. If nodes send before they
 * step, the state keeps z^k, and only the changes in `increment` reach the next mix. So a LocalStep
 * that changes the state in another way works only with algorithms whose nodes step before they
 * send.
 * @param update step sizes, divisor, and the vector `increment`
 * @param gradient [ParameterCount()], noisy or unclipped gradient sum over examples
 * @param[in,out] state parameters z
 */
void AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state);

/// Number of a job's shared parameters, which are the first ones of the vector. A step has to
/// protect these with noise.
std::size_t SharedCount(const NodeJob& job);

/// Rule that clips each example's whole gradient to the job's clip bound, in L2.
ClipRule WholeGradientRule(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_LOCAL_STEP_H
