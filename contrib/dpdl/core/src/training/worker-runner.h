// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_RUNNER_H
#define DPDL_TRAINING_WORKER_RUNNER_H

#include "dpdl/training/gossip.h"
#include "dpdl/training/local-step.h"
#include "float-buffer.h"
#include "job-runner.h"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace dpdl
{

/**
 * @brief A pool of persistent threads that runs tasks in the order of submission, and parallel
 *        loops.
 *
 * The calling thread is worker 0, which runs tasks only while it waits for one. Each other worker
 * begins a task as soon as it is free. If there is only worker 0, tasks run when it waits for them.
 * A parallel loop has priority over waiting tasks, because the caller waits for its end.
 */
class WorkerPool
{
  public:
    /// A task, which must not throw.
    /// @param worker index of the worker that runs it, from 0
    using Task = std::function<void(unsigned worker)>;
    /// Body of a parallel loop.
    /// @param worker index of the worker that runs it, from 0
    /// @param index index of the loop
    using ParallelBody = std::function<void(unsigned worker, std::size_t index)>;
    /// Id of a task, from 1 on; 0: no task.
    using TaskId = std::uint64_t;

    /// @param workers number of threads including the caller's, at least 1
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();

    /// Number of threads including the caller's.
    unsigned Workers() const
    {
        return static_cast<unsigned>(m_threads.size()) + 1;
    }

    /// Submits a task, which begins when a worker is free.
    /// @return id of the task
    TaskId Add(Task task);

    /// Cancels a task that no worker has begun. A running task is completed.
    /// @param id result of Add()
    void Drop(TaskId id);

    /**
     * @brief Waits until a task is done and destroyed, or was cancelled.
     *
     * If no worker has begun the task, the caller runs it. If a worker is running it, the caller
     * runs the oldest waiting tasks meanwhile, because it usually waits for them next.
     */
    void Await(TaskId id);

    /// Waits until all submitted tasks are done.
    void AwaitAll();

    /// Calls the body for the indices [0, count) on all workers, and waits until all calls are
    /// done.
    /// @throws the exception of the first failed call
    void Run(std::size_t count, const ParallelBody& body);

  private:
    using Lock = std::unique_lock<std::mutex>;

    enum class Stage
    {
        WAITING,
        BEGUN,
        DONE
    };

    struct Entry
    {
        Task task;
        Stage stage{Stage::WAITING};
    };

    /// The parallel loop that the workers run together.
    struct Tasks
    {
        const ParallelBody* body{nullptr}; ///< function that is called for each index
        std::size_t count{0};              ///< number of indices, from 0
        std::size_t next{0};               ///< smallest index that no worker has taken
        std::size_t busy{0};               ///< number of workers that are in the loop
        std::exception_ptr failure;        ///< exception of the first call that failed
    };

    void Stay(unsigned worker);
    void Help(unsigned worker, Lock& lock);
    TaskId Oldest();

    Stage StageOf(TaskId id) const
    {
        return id < m_first ? Stage::DONE : m_tasks[id - m_first].stage;
    }

    void Perform(unsigned worker, TaskId id, Lock& lock);
    void Close(Entry& entry);

    std::vector<std::thread> m_threads; ///< [workers - 1] threads of the workers 1, 2, ...
    std::mutex m_mutex;                 ///< guards all following members
    /// notified of new tasks, of a new loop, and of the end of the pool
    std::condition_variable m_wake;
    std::condition_variable m_finished; ///< notified of the end of a task or a loop
    std::deque<Entry> m_tasks;          ///< tasks from the oldest unfinished one on
    TaskId m_first{1};                  ///< id of the first entry of m_tasks
    TaskId m_oldest{1};                 ///< lower bound on the id of the oldest waiting task
    Tasks m_run;                        ///< the current loop, or the last one if none is running
    bool m_end{false};                  ///< true: the pool is being destroyed
};

/// Context of one worker, in which it runs its jobs.
class WorkerContext : public StepContext
{
  public:
    /**
     * @param supplies model, data, noise source and pool, which all contexts share
     * @param engine engine that only this worker uses
     */
    WorkerContext(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine);

    /**
     * @brief Runs a job: mix, evaluate, step, attack, compress.
     * @param job a job that no other thread accesses
     * @param[in,out] seconds time of each activity in seconds, to which the job's times are added
     */
    void Do(NodeJob& job, TimeBreakdown& seconds);

    /// Number of blocks into which the first @p examples test examples are split.
    std::size_t EvaluationBlocks(std::size_t examples) const;

    /**
     * @brief Evaluates one block of the first @p examples test examples.
     * @param parameters [ParameterCount()]
     * @param examples number of test examples; a number above the size of the split means the whole
     *        split
     * @param block index of the block, below EvaluationBlocks(examples)
     */
    Evaluation EvaluateBlock(const float* parameters, std::size_t examples, std::size_t block);

    const ModelSpec& Model() const override
    {
        return *m_supplies.model;
    }

    Batch Draw(const NodeJob& job, std::uint32_t iteration) override;
    float* Scratch(std::size_t index) override;
    BatchResult GradientSum(const float* at, const Batch& batch, float* sum) override;
    BoundedSum ClippedSum(NodeJob& job,
                          const Batch& batch,
                          const float* at,
                          const ClipRule& rule) override;
    BoundedSum ClipMean(const ClipRule& rule, float* mean, ClipOutcome* outcome) override;
    float* AddNoise(const BoundedSum& sum,
                    NodeJob& job,
                    std::uint32_t iteration,
                    double multiple) override;
    void AddNoisyStep(const BoundedSum& sum, NodeJob& job) override;

  private:
    /// Evaluates a job's model. If model and number of examples equal those of the last evaluation,
    /// as in round 0, the last result is used.
    void Evaluate(NodeJob& job);
    void Mix(NodeJob& job) const;
    void Step(NodeJob& job);
    void DrawUnitNoise(NodeJob& job) const;
    static void WriteLie(NodeJob& job);
    static void Compress(NodeJob& job);
    void Record(const BoundedSum& sum,
                const NoiseScale& scale,
                std::uint32_t iteration,
                NodeJob& job) const;
    bool IsDrawn(const Batch& batch) const;
    BoundedSum::Fields Bounded(const ClipRule& rule);
    float* KeptNoise(NodeJob& job, std::uint32_t iteration) const;

    RunnerSupplies m_supplies;                ///< model, data, noise source and pool, which all
                                              ///< contexts share
    std::unique_ptr<GradientEngine> m_engine; ///< gradient engine that only this worker uses
    /// Scratch vectors, allocated on first use.
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches;
    /// batch of the last Draw(): indices into the training split
    std::vector<std::uint32_t> m_batch;
    /// Index of the last drawn batch among the batches of the job's node, from 0: the argument
    /// `round` of Sampler::Draw(). A step of several iterations draws a batch in each iteration.
    /// Empty before the first draw of a job.
    std::optional<Round> m_draw;
    AlignedBuffer<double> m_sum; ///< [ParameterCount()] values of the last BoundedSum
    /// [ParameterCount()] noisy sum before it is rounded to float32
    std::vector<double> m_noisySum;
    std::vector<float> m_evaluatedModel; ///< [ParameterCount()] model of the last evaluation
    std::size_t m_evaluatedOn{0};        ///< number of test examples of the last evaluation
    Evaluation m_evaluation;             ///< result of the last evaluation
    FloatBuffer m_noisy;                 ///< [ParameterCount()] noisy sum, rounded to float32
};

/**
 * @brief Runs jobs on the cores of this computer.
 *
 * A job runs completely on one worker, with one BLAS thread. Free workers begin jobs as soon as
 * they are submitted. The calling thread runs jobs while it waits for a job.
 */
class WorkerRunner : public JobRunner
{
  public:
    /**
     * @param supplies model, data, noise source and pool, which all workers share
     * @param engine name in GradientEngines() of each worker's engine
     * @param workers number of threads; 0: one per core; 1: only the calling thread
     * @throws UsageError if the engine is unknown
     */
    WorkerRunner(const RunnerSupplies& supplies, const std::string& engine, unsigned workers);

    void Submit(std::shared_ptr<NodeJob> job) override;

    void BeginBatch() override
    {
        m_isBatch = true;
    }

    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;

    std::string Device() const override
    {
        return "cpu";
    }

    TimeBreakdown Work() const override;

  private:
    void Begin(std::shared_ptr<NodeJob> job);
    void MixHeld();
    void Do(unsigned worker, const std::shared_ptr<NodeJob>& job);
    void Forget(const std::shared_ptr<NodeJob>& job);
    void Count(const TimeBreakdown& seconds);

    const RunnerSupplies m_supplies;              ///< model, data, noise source and pool, which all
                                                  ///< workers share
    std::vector<WorkerContext> m_contexts;        ///< [workers] context of each worker
    bool m_isBatch{false};                        ///< true between BeginBatch() and EndBatch()
    std::vector<std::shared_ptr<NodeJob>> m_held; ///< jobs of the current batch, which have not
                                                  ///< begun
    std::vector<MixRow> m_rows; ///< vectors that m_mix mixes: those of the jobs in m_held
    RoundMix m_mix;             ///< mixes the vectors in m_rows
    mutable std::mutex m_mutex; ///< guards m_seconds and m_failed
    TimeBreakdown m_seconds;    ///< seconds of each activity, summed over all workers
    /// failed jobs whose exception has not been thrown
    std::vector<std::shared_ptr<NodeJob>> m_failed;
    /// Runs the jobs. Must stay the last member: its threads use the other members until its
    /// destructor has joined them.
    WorkerPool m_workers;
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_RUNNER_H
