// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_POOL_H
#define DPDL_TRAINING_WORKER_POOL_H

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
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

    /// Tasks that are not done yet.
    std::size_t Open() const;

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
    mutable std::mutex m_mutex;         ///< guards all members below
    std::condition_variable m_wake;     ///< signals new work, or the end of the pool
    std::condition_variable m_finished; ///< signals the end of a task or a loop
    std::deque<Entry> m_tasks;          ///< all tasks from the first unfinished one
    TaskId m_first{1};                  ///< number of the first entry
    TaskId m_oldest{1};                 ///< no task before this one waits
    std::size_t m_open{0};              ///< see Open()
    Tasks m_run;                        ///< the current loop, or the last one
    bool m_end{false};                  ///< the pool is being destroyed
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_POOL_H
