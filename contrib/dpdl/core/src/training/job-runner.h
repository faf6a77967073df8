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

/// What all who compute have in common. The pointers outlive them.
struct RunnerSupplies
{
    const ModelSpec* model{nullptr};     ///< what is learnt
    const Dataset* dataset{nullptr};     ///< what it is learnt from and evaluated on
    const Partition* partition{nullptr}; ///< who owns which training example
    const Sampler* sampler{nullptr};     ///< draws the batches
    const NoiseSource* noise{nullptr};   ///< adds noise
    ParameterPool* pool{nullptr};        ///< where vectors come from
};

/// What seconds are of their sum; all 0 if that is 0.
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
 * @brief Computes jobs: on the cores of this machine, or on a device.
 *
 * A job that was submitted may run at any time from then on; the jobs that its sources come from
 * are done. Its fields belong to the runner until Finish(), or until it was withdrawn. All methods
 * are for one thread, the simulator's.
 */
class JobRunner
{
  public:
    virtual ~JobRunner() = default;

    /// Takes a job. @param job that was checked
    virtual void Submit(std::shared_ptr<NodeJob> job) = 0;

    /**
     * @brief Jobs that are submitted from now on may wait for EndBatch(): they are of one round.
     *
     * A runner that takes all that waits in one go anyway has nothing to do here.
     */
    virtual void BeginBatch()
    {
    }

    /// The jobs of the round are all there.
    virtual void EndBatch()
    {
    }

    /**
     * @brief Forgets a job. One that has begun runs to its end, and its result is dropped.
     * @param job submitted or not, done or not; the runner may still hold it
     */
    virtual void Withdraw(const std::shared_ptr<NodeJob>& job) = 0;

    /**
     * @brief Returns when a job is done and the runner holds it no more.
     * @param job submitted; without effect if it was not, or was withdrawn
     * @throws what the job threw
     */
    virtual void Finish(const std::shared_ptr<NodeJob>& job) = 0;

    /// Returns when all jobs are done. @throws what the first one threw that was not asked for
    virtual void FinishAll() = 0;

    /// Jobs that were submitted and are not done.
    virtual std::size_t Pending() const = 0;

    /// Evaluates a model on the whole test split. @param parameters [ParameterCount()]
    virtual Evaluation EvaluateModel(const float* parameters) = 0;

    /// Number of threads that compute, the simulator's included.
    virtual unsigned Workers() const = 0;

    /// Name of the device that computes; `cpu` for the cores of this machine.
    virtual std::string Device() const = 0;

    /// Time of the completed jobs, as fractions over all workers.
    virtual TimeBreakdown Work() const = 0;
};

/**
 * @brief Makes the runner of the first CUDA device.
 * @param supplies what is learnt, from what
 * @param options of the backend
 * @throws UsageError if this build, this machine or this run has no use for such a device
 */
std::unique_ptr<JobRunner> MakeCudaRunner(const RunnerSupplies& supplies,
                                          const TrainingBackend::Options& options);

} // namespace dpdl

#endif // DPDL_TRAINING_JOB_RUNNER_H
