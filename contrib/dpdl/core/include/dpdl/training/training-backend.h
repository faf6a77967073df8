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
#include <string>
#include <vector>

namespace dpdl
{

class JobRunner;
class JournalRunner;

/// Time of the workers by activity: in seconds or, as the result of TrainingBackend::Work(), as
/// fractions that sum to 1 (all 0 before the first job).
struct TimeBreakdown
{
    double mixing{0.0};     ///< time of mixing the received shares to z
    double evaluation{0.0}; ///< time of evaluating models on the test split
    double step{0.0};       ///< time of gradients, noise and updates
};

/**
 * @brief Trains the models of all nodes: runs their jobs on all cores, or on a device.
 *
 * A simulator submits the jobs whose inputs are known, and calls Finish() when it needs a result.
 * Meanwhile all other threads run jobs in the order of submission; the simulator's thread joins
 * them while it waits. The result of a job is a function of the job, the dataset, the partition,
 * the sampler and the seed. It is bit-identical for any number of workers and any concurrent jobs,
 * unless the noise source is not reproducible.
 *
 * All methods are for one thread, the simulator's.
 */
class TrainingBackend
{
  public:
    /// Engine, threads, device and random numbers.
    struct Options
    {
        std::string engine{"auto"}; ///< a name of GradientEngines()
        /// Number of worker threads; 0: one per core; 1: only the calling thread.
        unsigned workers{0};
        RandomSeed seed; ///< seed of the run
        /// adds noise to gradient sums; empty: `philox` with the seed
        std::shared_ptr<const NoiseSource> noise{};
        std::string device{"cpu"}; ///< device that computes: cpu or cuda
        bool journal{false};       ///< true: keep a journal of the jobs' results; see TakeState()
        /// Number of vectors in a state, [ParameterCount()] each; the model first.
        std::size_t vectors{1};
    };

    /**
     * @param model to be trained
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
    TrainingBackend(const TrainingBackend&) = delete;
    TrainingBackend& operator=(const TrainingBackend&) = delete;

    /**
     * @brief Adds a job, which may run from now on. Until it is finished, only the backend accesses
     * it, and its inputs must not change.
     * @param job with its state or its mix set; all its vectors come from finished jobs, and its
     *        step outlives the backend
     * @throws UsageError if it clips and the model has batch statistics
     */
    void Submit(std::shared_ptr<NodeJob> job);

    /**
     * @brief Begins a batch of jobs of one round, which ends with EndBatch(). The backend mixes the
     *        vectors of all these jobs together.
     */
    void BeginBatch();

    /// Ends a batch; see BeginBatch(). Its jobs may run from now on.
    void EndBatch();

    /// Cancels a job that is no longer needed; a running one is completed and its result dropped.
    void Withdraw(const std::shared_ptr<NodeJob>& job);

    /**
     * @brief Waits until a job is done; the backend then drops its reference.
     * @param job that was submitted; nothing happens if it was not, or was withdrawn
     * @throws the exception of the job
     */
    void Finish(const std::shared_ptr<NodeJob>& job);

    /// Waits until all jobs are done. @throws the exception of the first failed job, if not thrown
    /// before
    void FinishAll();

    /**
     * @brief Evaluates a model on the first test examples, on all workers.
     * @param parameters vector of the model's parameters
     * @param examples number of test examples; at most the whole split is used
     */
    Evaluation EvaluateModel(const ParameterHandle& parameters, std::size_t examples);

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

    /// Name of the device that computes; `cpu` for the cores of this machine.
    std::string Device() const;

    /// Wall-clock time spent in Finish(), FinishAll() and EvaluateModel() so far, in seconds.
    double ComputeSeconds() const
    {
        return m_seconds;
    }

    /// Time of the completed jobs, as fractions over all workers.
    TimeBreakdown Work() const;

    /**
     * @brief State needed to resume the run from here without computing anew; needs a journal.
     * @param[out] journal results of jobs since the last call, to append to the earlier ones
     * @param[out] state results of the pending jobs, which it waits for, and all vectors that jobs
     *         made
     */
    void TakeState(std::string& journal, std::string& state);

    /// Bytes of the journal since the last call of TakeState().
    std::size_t JournalBytes() const;

    /**
     * @brief Replays a run from its beginning. Until the end of the journal, jobs return the
     *        journal's numbers, and the contents of vectors are unspecified.
     * @param journal of TakeState(), from the beginning
     * @param state of the last TakeState()
     * @throws Error here or in a later call if they do not fit the run
     */
    void Repeat(std::string journal, std::string state);

    /// True while the backend replays results of a journal.
    bool IsRepeating() const;

  private:
    const ModelSpec m_model;                          ///< the model that is trained
    const std::shared_ptr<const Dataset> m_dataset;   ///< dataset for training and evaluation
    const Partition m_partition;                      ///< training examples of each node
    const std::shared_ptr<const Sampler> m_sampler;   ///< draws the batches
    const std::shared_ptr<const NoiseSource> m_noise; ///< source of the noise on gradient sums
    ParameterPool m_pool;                             ///< pool of all parameter vectors
    JournalRunner* m_journal{nullptr};   ///< view of the runner; null: no journal is kept
    std::unique_ptr<JobRunner> m_runner; ///< last of the parts: it uses all of the above
    double m_seconds{0.0};               ///< wall-clock time spent computing, s
};

} // namespace dpdl

#endif // DPDL_TRAINING_TRAINING_BACKEND_H
