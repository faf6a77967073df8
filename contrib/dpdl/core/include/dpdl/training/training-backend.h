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

/// Fractions of the workers' time; they sum to 1, or are all 0 before the first job.
struct TimeBreakdown
{
    double mixing{0.0};     ///< making z of the shares that arrived
    double evaluation{0.0}; ///< scoring models on the test split
    double step{0.0};       ///< gradients, noise and updates
};

/**
 * @brief Does the learning of all nodes: takes their jobs and computes them on all cores.
 *
 * A simulator submits the jobs whose inputs are known, and calls Finish() when it needs what one of
 * them gives. Meanwhile all workers but the simulator's thread compute, in the order of
 * submission; that thread joins them while it waits. So it never waits for a job that another
 * worker could have done before. What a job computes is a function of the job, the dataset,
 * the partition, the sampler and the seed: neither the number of workers nor the jobs that happen
 * to run beside it can change a bit of it, unless the noise source is one that nothing repeats.
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
        unsigned workers{0};        ///< threads; 0: one for each core; 1: only the caller's
        RandomSeed seed;            ///< of the run
        /// adds noise to gradient sums; empty: `philox` with the seed
        std::shared_ptr<const NoiseSource> noise{};
        std::string device{"cpu"}; ///< what computes: cpu or cuda
        bool journal{false};       ///< keep a journal of what jobs give; see TakeState()
        std::size_t vectors{1};    ///< of [ParameterCount()] in a state; the model is the first
    };

    /**
     * @param model what is learnt
     * @param dataset what it is learnt from and evaluated on
     * @param partition which training examples each node owns
     * @param sampler draws the batches
     * @param options how to compute
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
     * @brief Adds a job, which runs at some time from now on: only the backend touches it,
     * and what it reads stays as it is, until it is finished.
     * @param job with its state or its mix set, all of whose vectors come from jobs that are done;
     *        its step outlives the backend
     * @throws UsageError if it clips, and the model has batch statistics
     */
    void Submit(std::shared_ptr<NodeJob> job);

    /**
     * @brief A caller that knows all jobs of a round beforehand calls this before the first, and
     *        EndBatch() after the last one: what they mix is then mixed in one go.
     */
    void BeginBatch();

    /// See BeginBatch(). Jobs that were held run from now on.
    void EndBatch();

    /// Takes a job back that is no longer needed; one that runs goes on to its end.
    void Withdraw(const std::shared_ptr<NodeJob>& job);

    /**
     * @brief Returns when a job is done; the backend lets go of it.
     * @param job that was submitted; nothing happens if it was not, or was withdrawn
     * @throws what the job threw
     */
    void Finish(const std::shared_ptr<NodeJob>& job);

    /// Returns when all jobs are done. @throws what the first failed one threw, if not thrown
    /// before
    void FinishAll();

    /// Jobs that were submitted and are not done.
    std::size_t PendingJobs() const;

    /// Evaluates a model on the whole test split, on all workers. @param parameters the model's
    Evaluation EvaluateModel(const ParameterHandle& parameters);

    /// Where parameter vectors come from.
    ParameterPool& Pool();

    /// The model that is trained.
    const ModelSpec& Model() const;

    /// Number of threads that compute.
    unsigned Workers() const;

    /// Name of the device that computes; `cpu` for the cores of this machine.
    std::string Device() const;

    /// Wall-clock time spent in Finish(), FinishAll() and EvaluateModel() so far, in seconds.
    double ComputeSeconds() const;

    /// Time of the completed jobs, as fractions over all workers.
    TimeBreakdown Work() const;

    /**
     * @brief State needed to resume the run from here without computing anew; needs a journal.
     * @param[out] journal results of jobs since the last call, to be appended to the earlier ones
     * @param[out] state the jobs under way, which it waits for, and all vectors that a job gave
     */
    void TakeState(std::string& journal, std::string& state);

    /// Bytes of the journal since the last call of TakeState().
    std::size_t JournalBytes() const;

    /**
     * @brief The run begins anew and does what it did before. Until it has come to the end of a
     *        journal, jobs give the numbers that it has, and vectors that hold anything.
     * @param journal of TakeState(), from the beginning
     * @param state of the last TakeState()
     * @throws Error now or later if they do not fit the run
     */
    void Repeat(std::string journal, std::string state);

    /// True while it repeats results of a journal.
    bool IsRepeating() const;

  private:
    class Implementation;

    std::unique_ptr<Implementation> m_implementation; ///< workers, engines and pending jobs
};

} // namespace dpdl

#endif // DPDL_TRAINING_TRAINING_BACKEND_H
