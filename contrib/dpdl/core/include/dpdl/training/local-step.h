// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_LOCAL_STEP_H
#define DPDL_TRAINING_LOCAL_STEP_H

#include "dpdl/base/noise-source.h"
#include "dpdl/base/types.h"
#include "dpdl/training/gradient-engine.h"
#include "dpdl/training/node-job.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @brief What a worker has at hand for a local step: batches, gradients, noise and memory to
 * compute in.
 *
 * A desk belongs to one worker thread. What it gives depends on its arguments and on the run's
 * seed, never on which worker it belongs to.
 */
class StepDesk
{
  public:
    virtual ~StepDesk() = default;

    /// What is learnt.
    virtual const ModelSpec& Model() const = 0;

    /// Computes gradients of the model.
    virtual GradientEngine& Engine() = 0;

    /**
     * @brief A batch of the job's node.
     * @param job node and round
     * @param iteration which of the step's iterations in this round, below LocalStep::Iterations()
     * @return valid until the next draw
     */
    virtual Batch Draw(const NodeJob& job, std::uint32_t iteration) = 0;

    /// Memory of [ParameterCount()] doubles whose content is unspecified, for a sum of gradients.
    double* Sum();

    /// GradientEngine::ClippedGradientSum(), rounded to float32. Uses Sum().
    BatchResult FloatSum(const float* parameters,
                         const Batch& batch,
                         double clip,
                         float* gradientSum);

    /// Memory of [ParameterCount()] floats whose content is unspecified. @param index below SCRATCH
    virtual float* Scratch(std::size_t index) = 0;

    /**
     * @brief Adds the noise that belongs to an iteration of the job, with the run's noise source.
     * @param[in,out] values [count]
     * @param count how many, from the first parameter on
     * @param scale of the noise; nothing is added if its deviation is 0
     * @param job node and round; keeps a copy of the noise if it is asked to
     * @param iteration which of the step's iterations in this round
     */
    virtual void AddNoise(float* values,
                          std::size_t count,
                          const NoiseScale& scale,
                          NodeJob& job,
                          std::uint32_t iteration) = 0;

    /**
     * @brief Adds the noise of the only iteration to a gradient and takes the step: AddNoise(),
     * then dpdl::AddStep() with the job's numbers; in one pass over memory where that is the same.
     * @param gradient [ParameterCount()], a sum over examples; unspecified afterwards
     * @param job whose state moves
     */
    virtual void AddNoisyStep(double* gradient, NodeJob& job);

    /// How many scratch vectors there are.
    static constexpr std::size_t SCRATCH = 4;

  private:
    std::vector<double> m_sum; ///< see Sum()
};

/**
 * @brief What a node does with its data in one round: from z^k to z^{k+1/2}.
 *
 * A step has no state of its own, threads share it. What a node has to remember from round to round
 * lies in the job's memory vectors. The numbers of a round (clip bound, noise, step size) come with
 * the job; the step decides what to do with them.
 */
class LocalStep
{
  public:
    virtual ~LocalStep() = default;

    /// Noisy gradients in one round, each with a batch and noise of its own, each a release.
    virtual std::uint32_t Iterations() const
    {
        return 1;
    }

    /// Vectors of [ParameterCount()] floats that every node keeps for the step; zero at first.
    virtual std::size_t MemoryVectors() const
    {
        return 0;
    }

    /**
     * @brief Whether what is released depends on data only through the noisy gradients of this
     *        step, all parameters included, those that stay at the node as well.
     *
     * Where it does not, a node's own parameters carry its data into every later gradient: nothing
     * is gained by sampling, and a bound has to hold whatever these parameters are.
     */
    virtual bool ProtectsOwnPart() const
    {
        return false;
    }

    /**
     * @brief Takes the step.
     * @param desk of the worker that runs it
     * @param[in,out] job with `state` holding z^k, which becomes z^{k+1/2}; `update.enabled` is
     * true
     */
    virtual void Run(StepDesk& desk, NodeJob& job) const = 0;
};

/**
 * @brief z <- z - stepSize * gradient / divisor, chunk by chunk where chunks have steps of their
 * own. What lies behind the chunks stays at its node, and has the step stepSize.
 *
 * What a step adds to its job's state it adds with this function: where nodes send before they
 * step, the sum of these additions is what comes on top of the mixed parameters.
 * @param update step sizes, divisor, and who else gets what is added
 * @param gradient [ParameterCount()], a sum over examples
 * @param[in,out] state z
 */
void AddStep(const LocalUpdate& update, const float* gradient, ParameterVector& state);

/// How many parameters of a job's model travel, its first ones: what a step has to protect.
std::size_t SharedCount(const NodeJob& job);

} // namespace dpdl

#endif // DPDL_TRAINING_LOCAL_STEP_H
