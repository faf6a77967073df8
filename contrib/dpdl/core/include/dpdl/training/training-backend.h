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

/// Time of the workers by activity, in seconds. The result of TrainingBackend::Work() holds
/// fractions of the total instead, which sum to 1 (all 0 before the first job).
struct TimeBreakdown
{
    double mixing{0.0};     ///< mixing of received shares, lies and compression
    double evaluation{0.0}; ///< evaluation of models on the test split
    double step{0.0};       ///< gradients, noise and updates
};

/**
 * @brief Trains the models of all nodes: runs their jobs on all cores, or on a device.
 *
 * A simulator submits a job as soon as its inputs are known, and calls Finish() when it needs the
 * result. Worker threads run the jobs in the order of submission; the simulator's thread helps
 * while it waits. The result of a job is a function of the job, the dataset, the partition, the
 * sampler and the seed. It is bit-identical for any number of workers and any concurrent jobs,
 * unless the noise source is not reproducible.
 *
 * Only the simulator's thread calls the methods.
 */
class TrainingBackend
{
  public:
    /// Options of a backend.
    struct Options
    {
        std::string engine{"auto"}; ///< engine that computes gradients: a name of GradientEngines()
        /// Number of worker threads; 0: one per core; 1: only the calling thread.
        unsigned workers{0};
        RandomSeed seed; ///< seed of the run
        /// source of the noise on gradient sums; null: `philox` with the run's seed
        std::shared_ptr<const NoiseSource> noise{};
        std::string device{"cpu"}; ///< device that runs the jobs: cpu or cuda
        bool journal{false};       ///< true: record results of jobs in a journal; see TakeState()
        /// Number of vectors of [ParameterCount()] values in a node's state: the model, then for
        /// example a gradient tracker.
        std::size_t vectors{1};
    };

    /**
     * @param model model to train
     * @param dataset for training and evaluation
     * @param partition training examples of each node
     * @param sampler draws the batches
     * @param options engine, threads, device and random numbers
     * @throws UsageError if model and dataset do not fit, if a node owns too few examples for the
     *         sampler, or if the engine or the device is unknown
     */
    TrainingBackend(ModelSpec model,
                    std::shared_ptr<const Dataset> dataset,
                    Partition partition,
                    std::shared_ptr<const Sampler> sampler,
                    const Options& options);
    ~TrainingBackend();

    /**
     * @brief Submits a job, which may run from now on. Until it is finished, only the backend
     *        accesses the job, and its inputs must not change.
     * @param job has `state` or `mix` set. All its vectors were made by finished jobs, and its step
     *         outlives the backend
     * @throws UsageError if the job clips gradients and the model has batch statistics
     */
    void Submit(std::shared_ptr<NodeJob> job);

    /**
     * @brief Begins a batch of jobs of one round, which ends with EndBatch(). The backend can mix
     *        the vectors of all jobs of a batch at once (RoundMix).
     */
    void BeginBatch();

    /// Ends the batch of jobs that BeginBatch() began; they may run from now on.
    void EndBatch();

    /// Cancels a job that is no longer needed. A job that is running is completed, and its result
    /// is dropped.
    void Withdraw(const std::shared_ptr<NodeJob>& job);

    /**
     * @brief Waits until a job is done. The backend then releases its reference to the job.
     * @param job a submitted job; without effect if it was not submitted or was withdrawn
     * @throws the exception that the job threw
     */
    void Finish(const std::shared_ptr<NodeJob>& job);

    /// Waits until all jobs are done.
    /// @throws the exception of the first failed job, unless Finish() has thrown it already
    void FinishAll();

    /**
     * @brief Evaluates a model on the first test examples, with all workers.
     * @param parameters parameters of the model
     * @param examples number of test examples; the whole split if it is smaller
     */
    Evaluation EvaluateModel(const ParameterHandle& parameters, std::size_t examples);

    /**
     * @brief Evaluates the mean of models on the first test examples, where a device holds them.
     * @param models at least one
     * @param examples number of test examples; at most the whole split is used
     * @return empty without a device: then the caller computes the mean
     */
    std::optional<MeanEvaluation> EvaluateMean(const std::vector<ParameterHandle>& models,
                                               std::size_t examples);

    /// Pool of all parameter vectors.
    ParameterPool& Pool()
    {
        return m_pool;
    }

    /// The model that is trained.
    const ModelSpec& Model() const
    {
        return m_model;
    }

    /// Name of the device that computes; `cpu` for the cores of this computer.
    std::string Device() const;

    /// Wall-clock time spent in Finish(), FinishAll() and evaluations so far, in seconds.
    double ComputeSeconds() const
    {
        return m_seconds;
    }

    /// Activities of all workers as fractions of their total time in completed jobs.
    TimeBreakdown Work() const;

    /**
     * @brief Takes the state that a checkpoint needs, so that the run can be resumed without
     *        computing again. Requires Options::journal.
     * @param[out] journal results of jobs since the last call; the caller appends them to the
     *         earlier ones
     * @param[out] state results of the pending jobs, for which it waits, and all vectors in use
     *         that jobs computed
     */
    void TakeState(std::string& journal, std::string& state);

    /// Size of the journal since the last call of TakeState(), in bytes.
    std::size_t JournalBytes() const;

    /**
     * @brief Replays a run from its beginning. Until the end of the journal, jobs return the
     *        results in the journal without computing, and the contents of their vectors are
     *        unspecified.
     * @param journal all journals of TakeState(), appended from the beginning
     * @param state state of the last TakeState()
     * @throws Error if journal or state do not fit the run; a later call may also throw it
     */
    void Repeat(std::string journal, std::string state);

    /// True while jobs return results of the journal.
    bool IsRepeating() const;

  private:
    const ModelSpec m_model;                          ///< the model that is trained
    const std::shared_ptr<const Dataset> m_dataset;   ///< dataset for training and evaluation
    const Partition m_partition;                      ///< training examples of each node
    const std::shared_ptr<const Sampler> m_sampler;   ///< draws the batches
    const std::shared_ptr<const NoiseSource> m_noise; ///< source of the noise on gradient sums
    ParameterPool m_pool;                             ///< pool of all parameter vectors
    /// pointer to the runner if it keeps a journal; null: no journal is kept
    JournalRunner* m_journal{nullptr};
    /// runs the jobs; declared after the members above, which it uses
    std::unique_ptr<JobRunner> m_runner;
    double m_seconds{0.0}; ///< wall-clock time of ComputeSeconds(), s
};

} // namespace dpdl

#endif // DPDL_TRAINING_TRAINING_BACKEND_H
