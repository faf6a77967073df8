// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_JOB_RUNNER_H
#define DPDL_TRAINING_JOB_RUNNER_H

#include "dpdl/base/noise-source.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "dpdl/data/sampler.h"
#include "dpdl/training/model.h"
#include "dpdl/training/node-job.h"
#include "dpdl/training/parameters.h"
#include "dpdl/training/training-backend.h"

#include <cstddef>
#include <memory>
#include <string>

namespace dpdl
{

/// Inputs that all runners and worker contexts share; the objects outlive them.
struct RunnerSupplies
{
    const ModelSpec* model{nullptr};     ///< model that is trained
    const Dataset* dataset{nullptr};     ///< dataset for training and evaluation
    const Partition* partition{nullptr}; ///< training examples of each node
    const Sampler* sampler{nullptr};     ///< draws the batches
    const NoiseSource* noise{nullptr};   ///< source of the noise on gradient sums
    ParameterPool* pool{nullptr};        ///< pool of parameter vectors
};

/// Converts times in seconds to fractions of their sum; all 0 if the sum is 0.
inline TimeBreakdown
SharesOf(const TimeBreakdown& seconds)
{
    const double total = seconds.mixing + seconds.evaluation + seconds.step;
    return total > 0.0 ? TimeBreakdown{seconds.mixing / total,
                                       seconds.evaluation / total,
                                       seconds.step / total}
                       : TimeBreakdown{};
}

/**
 * @brief Runs jobs: on the cores of this computer, or on a device.
 *
 * A submitted job may run at any time, as the jobs that computed its sources are done. Only the
 * runner accesses its fields until Finish() or Withdraw(). Only the simulator's thread calls the
 * methods.
 */
class JobRunner
{
  public:
    virtual ~JobRunner() = default;

    /// Submits a job. @param job a job that TrainingBackend::Submit() has checked
    virtual void Submit(std::shared_ptr<NodeJob> job) = 0;

    /**
     * @brief Begins a batch of jobs of one round. They may wait for EndBatch(), so that the runner
     *        can mix their vectors at once.
     *
     * Without effect in a runner that always runs all pending jobs together.
     */
    virtual void BeginBatch()
    {
    }

    /// Ends the batch that BeginBatch() began; its jobs may run from now on.
    virtual void EndBatch()
    {
    }

    /**
     * @brief Cancels a job. A job that is running is completed, and its result is dropped.
     * @param job a job in any state: never submitted, pending or done; the runner may keep its
     *         reference
     */
    virtual void Withdraw(const std::shared_ptr<NodeJob>& job) = 0;

    /**
     * @brief Waits until a job is done. The runner then releases its reference to the job.
     * @param job a submitted job; without effect if it was not submitted or was withdrawn
     * @throws the exception that the job threw
     */
    virtual void Finish(const std::shared_ptr<NodeJob>& job) = 0;

    /// Waits until all jobs are done.
    /// @throws the exception of the first failed job, unless Finish() has thrown it already
    virtual void FinishAll() = 0;

    /**
     * @brief Evaluates a model on the first test examples.
     * @param parameters [ParameterCount()]
     * @param examples number of test examples; the whole split if it is smaller
     */
    virtual Evaluation EvaluateModel(const float* parameters, std::size_t examples) = 0;

    /// See TrainingBackend::EvaluateMean().
    virtual std::optional<MeanEvaluation> EvaluateMean(
        const std::vector<ParameterHandle>& /* models */,
        std::size_t /* examples */)
    {
        return std::nullopt;
    }

    /// Name of the device that computes; `cpu` for the cores of this computer.
    virtual std::string Device() const = 0;

    /// Activities of all workers as fractions of their total time in completed jobs.
    virtual TimeBreakdown Work() const = 0;
};

/**
 * @brief Makes the runner of the first CUDA device.
 * @param supplies model, data, noise source and pool
 * @param options engine and seed of the backend
 * @throws UsageError if this build has no CUDA, this computer no device, or the device does not
 *         support the run
 */
std::unique_ptr<JobRunner> MakeCudaRunner(const RunnerSupplies& supplies,
                                          const TrainingBackend::Options& options);

} // namespace dpdl

#endif // DPDL_TRAINING_JOB_RUNNER_H
