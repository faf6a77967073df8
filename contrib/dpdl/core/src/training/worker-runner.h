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
 * @brief A pool of persistent threads that runs tasks in order of submission, and parallel loops.
 *
 * The calling thread is worker 0, which runs tasks only while it waits. The other workers begin a
 * task as soon as they are free. With one worker, tasks run when the caller waits for them. A loop
 * has priority over tasks, since the caller waits for it.
 */
class WorkerPool
{
  public:
    /// A task, which must not throw. It receives the number of its worker.
    using Task = std::function<void(unsigned worker)>;
    /// Body of a parallel loop; receives the worker and the index.
    using ParallelBody = std::function<void(unsigned worker, std::size_t index)>;
    /// Number of a task, from 1; 0 means no task.
    using TaskId = std::uint64_t;

    /// @param workers number of threads, the caller's included; at least 1
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Number of threads, the caller's included.
    unsigned Workers() const;

    /// Adds a task, which begins when a thread is free.
    TaskId Add(Task task);

    /// Removes a task that no worker has begun; a running one is completed.
    void Drop(TaskId id);

    /**
     * @brief Waits until a task is done and destroyed, or was dropped.
     *
     * If no worker has begun the task, the caller runs it. While a worker is running it, the caller
     * runs the oldest waiting task, since it usually waits for that one next.
     */
    void Await(TaskId id);

    /// Waits until all tasks are done.
    void AwaitAll();

    /// Calls the body for 0..count-1 and waits until all are done; throws the exception of the
    /// first failed call.
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

    /// A parallel loop that all workers share.
    struct Tasks
    {
        const ParallelBody* body{nullptr}; ///< called for each index
        std::size_t count{0};              ///< number of indices
        std::size_t next{0};               ///< first index that no worker has taken
        std::size_t busy{0};               ///< workers in the loop
        std::exception_ptr failure;        ///< exception of the first failed call
    };

    void Stay(unsigned worker);
    void Help(unsigned worker, Lock& lock);
    TaskId Oldest();
    Stage StageOf(TaskId id) const;
    void Perform(unsigned worker, TaskId id, Lock& lock);
    void Close(Entry& entry);

    std::vector<std::thread> m_threads; ///< workers 1, 2, ...
    std::mutex m_mutex;                 ///< guards all members below
    std::condition_variable m_wake;     ///< signals new work, or the end of the pool
    std::condition_variable m_finished; ///< signals the end of a task or a loop
    std::deque<Entry> m_tasks;          ///< all tasks from the first unfinished one
    TaskId m_first{1};                  ///< number of the first entry
    TaskId m_oldest{1};                 ///< no task before this one waits
    Tasks m_run;                        ///< the current loop, or the last one
    bool m_end{false};                  ///< the pool is being destroyed
};

/// The context of one worker.
class WorkerContext : public StepContext
{
  public:
    /**
     * @param supplies shared by all contexts
     * @param engine for this worker alone
     */
    WorkerContext(const RunnerSupplies& supplies, std::unique_ptr<GradientEngine> engine);

    /**
     * @brief Runs all parts of a job: mix, evaluate, step, compress.
     * @param job that no other thread accesses
     * @param[in,out] seconds the run time is added to them
     */
    void Do(NodeJob& job, TimeBreakdown& seconds);

    /// Number of blocks of the first @p examples test examples.
    std::size_t EvaluationBlocks(std::size_t examples) const;

    /**
     * @brief Evaluates one block of the first @p examples test examples.
     * @param parameters [ParameterCount()]
     * @param examples number of test examples; at most the whole split is used
     * @param block below EvaluationBlocks(examples)
     */
    Evaluation EvaluateBlock(const float* parameters, std::size_t examples, std::size_t block);

    const ModelSpec& Model() const override;
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
    /// Evaluates a job's model, unless it equals the one before: in round 0 all nodes are equal.
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

    RunnerSupplies m_supplies;                ///< shared by all contexts
    std::unique_ptr<GradientEngine> m_engine; ///< computes the gradients
    /// Scratch vectors, allocated on first use.
    std::array<std::unique_ptr<FloatBuffer>, SCRATCH> m_scratches;
    std::vector<std::uint32_t> m_batch;  ///< last drawn batch
    std::optional<Round> m_draw;         ///< draw number of m_batch, for the running job
    AlignedBuffer<double> m_sum;         ///< [d] values of the last BoundedSum
    std::vector<double> m_noisySum;      ///< [d] noisy sum before it is rounded
    std::vector<float> m_evaluatedModel; ///< [d] of m_evaluation
    std::size_t m_evaluatedOn{0};        ///< number of test examples of m_evaluation
    Evaluation m_evaluation;             ///< last evaluation
    FloatBuffer m_noisy;                 ///< [d] the last noisy sum
};

/**
 * @brief Runs jobs on the cores of this machine.
 *
 * Each job runs completely on one worker, with one BLAS thread. Other workers start a job as soon
 * as it is submitted; the calling thread runs jobs while it waits.
 */
class WorkerRunner : public JobRunner
{
  public:
    /**
     * @param supplies shared by all workers
     * @param engine a name of GradientEngines()
     * @param workers number of threads; 0: one per core; 1: only the caller's
     * @throws UsageError if the engine is unknown
     */
    WorkerRunner(const RunnerSupplies& supplies, const std::string& engine, unsigned workers);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void BeginBatch() override;
    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;
    std::string Device() const override;
    TimeBreakdown Work() const override;

  private:
    void Begin(std::shared_ptr<NodeJob> job);
    void MixHeld();
    void Do(unsigned worker, const std::shared_ptr<NodeJob>& job);
    void Forget(const std::shared_ptr<NodeJob>& job);
    void Count(const TimeBreakdown& seconds);

    const RunnerSupplies m_supplies;                ///< shared by all workers
    const std::string m_device;                     ///< name of the device in the trace
    std::vector<WorkerContext> m_contexts;          ///< contexts, by worker
    bool m_isBatch{false};                          ///< true between BeginBatch() and EndBatch()
    std::vector<std::shared_ptr<NodeJob>> m_held;   ///< jobs of the batch so far
    std::vector<MixRow> m_rows;                     ///< mixed vectors of the held jobs
    RoundMix m_mix;                                 ///< mixes the rows
    mutable std::mutex m_mutex;                     ///< guards m_seconds and m_failed
    TimeBreakdown m_seconds;                        ///< time of all workers by activity, s
    std::vector<std::shared_ptr<NodeJob>> m_failed; ///< failed jobs that are not reported yet
    WorkerPool m_workers; ///< the last member: its threads use all of the above
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_RUNNER_H
