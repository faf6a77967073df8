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

/// Inputs that all runners and worker contexts share. The objects must outlive the runners and
/// contexts.
struct RunnerSupplies
{
    const ModelSpec* model{nullptr};     ///< model that is trained
    const Dataset* dataset{nullptr};     ///< dataset for training and evaluation
    const Partition* partition{nullptr}; ///< [nodes] indices of each node's training examples
    const Sampler* sampler{nullptr};     ///< sampler that draws the batches
    const NoiseSource* noise{nullptr};   ///< source of the noise on sums of clipped gradients
    ParameterPool* pool{nullptr};        ///< pool from which all parameter vectors are taken
};

/// Number of test images in a block of an evaluation. The results of blocks are added in a fixed
/// order, so the total does not depend on the number of threads.
constexpr std::size_t EVALUATION_BLOCK = 256;

/// Converts seconds of each activity to fractions of their sum; all 0 if the sum is 0.
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
 * A submitted job may run at any time, because the jobs that computed its sources are done. Until
 * Finish() or Withdraw(), only the runner accesses the job's fields. Only the simulator's thread
 * calls the methods.
 */
class JobRunner
{
  public:
    virtual ~JobRunner() = default;

    /// Submits a job.
    /// @param job job that TrainingBackend::Submit() has checked
    virtual void Submit(std::shared_ptr<NodeJob> job) = 0;

    /**
     * @brief Begins a batch of jobs of one round. The runner may delay these jobs until EndBatch()
     *        to mix their vectors together.
     *
     * Has no effect in a runner that always runs all pending jobs together.
     */
    virtual void BeginBatch()
    {
    }

    /// Ends the batch that BeginBatch() began. The runner may run the jobs of the batch from now
    /// on.
    virtual void EndBatch()
    {
    }

    /**
     * @brief Cancels a job. A job that is running is completed, and its result is dropped.
     * @param job a job in any state: never submitted, pending or done. The runner may keep its
     *        shared pointer
     */
    virtual void Withdraw(const std::shared_ptr<NodeJob>& job) = 0;

    /**
     * @brief Waits until a job is done. The runner then releases its shared pointer to the job.
     * @param job a submitted job. For other jobs the call has no effect
     * @throws the exception that the job threw
     */
    virtual void Finish(const std::shared_ptr<NodeJob>& job) = 0;

    /// Waits until all jobs are done.
    /// @throws the exception of the first failed job, unless Finish() has thrown it already
    virtual void FinishAll() = 0;

    /**
     * @brief Evaluates a model on the first test examples.
     * @param parameters [ParameterCount()]
     * @param examples number of test examples; a number above the size of the split means the whole
     *        split
     */
    virtual Evaluation EvaluateModel(const float* parameters, std::size_t examples) = 0;

    /// Evaluates the mean of models; TrainingBackend::EvaluateMean() documents it. Returns nothing
    /// if the runner does not support it.
    virtual std::optional<MeanEvaluation> EvaluateMean(
        const std::vector<ParameterHandle>& /* models */,
        std::size_t /* examples */)
    {
        return std::nullopt;
    }

    /// Name of the device that computes: `cpu` for the cores of this computer.
    virtual std::string Device() const = 0;

    /// Time of each activity of all workers, as a fraction of their total time in completed jobs.
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
