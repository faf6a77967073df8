// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TRAINING_BACKEND_H
#define DPDL_TRAINING_TRAINING_BACKEND_H

#include "dpdl/base/noise-source.h"
#include "dpdl/base/random.h"
#include "dpdl/data/dataset.h"
#include "dpdl/data/partition.h"
#include "dpdl/data/sampler.h"
#include "dpdl/training/model.h"
#include "dpdl/training/node-job.h"
#include "dpdl/training/parameters.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace dpdl
{

class JobRunner;
class JournalRunner;

/// Time by activity, summed over all workers, in seconds. In the result of TrainingBackend::Work():
/// fractions of the total time.
struct TimeBreakdown
{
    double mixing{0.0};     ///< mixing of received shares, Byzantine attacks, and compression
    double evaluation{0.0}; ///< evaluation of models on the test split
    double step{0.0};       ///< gradients, noise and updates of local steps
};

/**
 * @brief Trains the models of all nodes: runs their jobs on the CPU cores or on a GPU.
 *
 * A simulator submits a job as soon as its inputs are known, and calls Finish() when it needs the
 * result. Worker threads run the jobs in the order of submission. The simulator's thread also runs
 * jobs while it waits. The result of a job is a function of the job, the dataset, the partition,
 * the sampler and the seed. The result is bit-identical for any number of workers and any
 * concurrent jobs, unless the noise source is not reproducible.
 *
 * Only the simulator's thread may call the methods.
 */
class TrainingBackend
{
  public:
    /// Settings that a backend uses for the whole run.
    struct Options
    {
        std::string engine{"auto"}; ///< gradient engine, a name in GradientEngines()
        /// Number of worker threads; 0: one per core; 1: the calling thread only.
        unsigned workers{0};
        RandomSeed seed; ///< seed of the run
        /// Source of the noise on gradient sums; null: `philox` with the run's seed.
        std::shared_ptr<const NoiseSource> noise{};
        std::string device{"cpu"}; ///< device that runs the jobs: cpu or cuda
        /// True: record results of jobs in a journal for checkpoints; see TakeState().
        bool journal{false};
        /// Number of vectors of [ParameterCount()] values in a node's state: 1, or 2 with a
        /// gradient tracker.
        std::size_t vectors{1};
    };

    /**
     * @param model model to train
     * @param dataset examples for training and evaluation
     * @param partition training examples of each node
     * @param sampler sampler that draws the batches
     * @param options engine, threads, device, random numbers and journal
     * @throws UsageError if model and dataset do not fit, if a node owns too few examples for the
     *         sampler, or if the engine or the device is unknown or not available
     */
    TrainingBackend(ModelSpec model,
                    std::shared_ptr<const Dataset> dataset,
                    Partition partition,
                    std::shared_ptr<const Sampler> sampler,
                    const Options& options);
    ~TrainingBackend();

    /**
     * @brief Submits a job, which may run from now on. Until the job is completed, only the backend
     *        may access it, and its inputs must not change.
     * @param job job with `state` or `mix`. The jobs that compute its input vectors must be
     *        completed, and its step must outlive the backend
     * @throws UsageError if the job clips gradients and the model has batch statistics
     */
    void Submit(std::shared_ptr<NodeJob> job);

    /**
     * @brief Begins a batch of jobs of one round, which ends with EndBatch(). The backend can mix
     *        the vectors of all jobs of a batch together (RoundMix).
     */
    void BeginBatch();

    /// Ends the batch of jobs since BeginBatch(). The jobs may run from now on.
    void EndBatch();

    /// Cancels a job. If the job is already running, it is completed and its result is dropped.
    void Withdraw(const std::shared_ptr<NodeJob>& job);

    /**
     * @brief Waits until a job is completed. The backend then releases its reference to the job.
     * @param job a submitted job. For a job that was not submitted or was withdrawn, the call has
     *        no effect
     * @throws the exception that the job threw
     */
    void Finish(const std::shared_ptr<NodeJob>& job);

    /// Waits until all submitted jobs are completed.
    /// @throws the exception of the first failed job, unless Finish() has already thrown it
    void FinishAll();

    /**
     * @brief Evaluates a model on the first test examples, with all workers.
     * @param parameters parameters of the model
     * @param examples number of test examples; larger values than the split's size mean the whole
     *        split
     * @return sums over the examples
     */
    Evaluation EvaluateModel(const ParameterHandle& parameters, std::size_t examples);

    /**
     * @brief Evaluates the mean of models on the first test examples, on the device that holds the
     *        models.
     * @param models at least one model
     * @param examples number of test examples; larger values than the split's size mean the whole
     *        split
     * @return the evaluation; empty without a device, in which case the caller must compute the
     *         mean
     */
    std::optional<MeanEvaluation> EvaluateMean(const std::vector<ParameterHandle>& models,
                                               std::size_t examples);

    /// Pool of all parameter vectors of the run.
    ParameterPool& Pool()
    {
        return m_pool;
    }

    /// The model that is trained.
    const ModelSpec& Model() const
    {
        return m_model;
    }

    /// Name of the device that runs the jobs; `cpu` for the cores of this machine.
    std::string Device() const;

    /// Wall-clock time spent in Finish(), FinishAll() and evaluations so far, in seconds.
    double ComputeSeconds() const
    {
        return m_seconds;
    }

    /// Time of all workers in completed jobs by activity, as fractions that sum to 1; all 0 before
    /// the first job.
    TimeBreakdown Work() const;

    /**
     * @brief Returns the state for a checkpoint, from which the run can be resumed without
     *        repeating computations. Requires Options::journal.
     * @param[out] journal receives the results of jobs since the last call; the caller appends them
     *             to the earlier journal
     * @param[out] state receives the results of all pending jobs, after waiting for them, and all
     *             vectors in use that jobs computed
     */
    void TakeState(std::string& journal, std::string& state);

    /// Size of the journal since the last call of TakeState(), in bytes; 0 without
    /// Options::journal.
    std::size_t JournalBytes() const;

    /**
     * @brief Replays a run from its start. Requires Options::journal; call it before the first job
     *        is submitted. Until the end of the journal, jobs return the results in the journal
     *        without computing, and their vectors have unspecified values.
     * @param journal all journals of TakeState(), in the order of the calls
     * @param state state of the last TakeState()
     * @throws Error if journal or state do not fit the run; a later call may also throw it
     */
    void Repeat(std::string journal, std::string state);

    /// True while jobs return results from the journal of Repeat().
    bool IsRepeating() const;

  private:
    const ModelSpec m_model;                          ///< the model that is trained
    const std::shared_ptr<const Dataset> m_dataset;   ///< dataset for training and evaluation
    const Partition m_partition;                      ///< training examples of each node
    const std::shared_ptr<const Sampler> m_sampler;   ///< draws the batches
    const std::shared_ptr<const NoiseSource> m_noise; ///< source of the noise on gradient sums
    ParameterPool m_pool;                             ///< pool of all parameter vectors
    /// Set if the runner keeps a journal; nullptr: no journal.
    JournalRunner* m_journal{nullptr};
    /// Runs the jobs. The runner uses the members declared before it, so it must be destroyed
    /// first.
    std::unique_ptr<JobRunner> m_runner;
    double m_seconds{0.0}; ///< wall-clock time of ComputeSeconds(), s
};

} // namespace dpdl

#endif // DPDL_TRAINING_TRAINING_BACKEND_H
