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
 * @brief Threads that stay: they run tasks in order of submission, and share out parallel loops.
 *
 * The calling thread is worker 0. It works while it waits, and never otherwise: the other workers
 * begin a task as soon as they are free; with one worker tasks run when they are waited
 * for. A loop goes before tasks, since the caller waits for it.
 */
class WorkerPool
{
  public:
    /// Something to do; it throws nothing. It receives the number of its worker.
    using Task = std::function<void(unsigned worker)>;
    /// One pass of a parallel loop: its worker, and its index.
    using ParallelBody = std::function<void(unsigned worker, std::size_t index)>;
    /// Number of a task, from 1 on. 0 is that of none.
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

    /// Forgets a task that no worker has begun; one that has begun goes on.
    void Drop(TaskId id);

    /**
     * @brief Returns when a task is done and destroyed, or was dropped.
     *
     * A task that no worker has begun is run here and now. While a worker is running it, the
     * caller runs the oldest one that waits: it also has to be done, and most often the caller
     * waits for it next.
     */
    void Await(TaskId id);

    /// Returns when all tasks are done.
    void AwaitAll();

    /// Tasks that are not done yet.
    std::size_t Open() const;

    /// Calls the body for 0..count-1 and returns when all are done; throws what the first failed
    /// one threw.
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

    /// A parallel loop that is shared out.
    struct Tasks
    {
        const ParallelBody* body{nullptr}; ///< does them
        std::size_t count{0};              ///< how many
        std::size_t next{0};               ///< that no worker has taken
        std::size_t busy{0};               ///< workers that run one
        std::exception_ptr failure;        ///< what the first failed one threw
    };

    void Stay(unsigned worker);
    void Help(unsigned worker, Lock& lock);
    TaskId Oldest();
    Stage StageOf(TaskId id) const;
    void Perform(unsigned worker, TaskId id, Lock& lock);
    void Close(Entry& entry);

    std::vector<std::thread> m_threads; ///< workers 1, 2, ...
    mutable std::mutex m_mutex;         ///< guards all that follows
    std::condition_variable m_wake;     ///< there is something to do, or the pool ends
    std::condition_variable m_finished; ///< a task is done, or a loop
    std::deque<Entry> m_tasks;          ///< from the first that is not done on
    TaskId m_first{1};                  ///< of the first entry
    TaskId m_oldest{1};                 ///< no task before this one waits
    std::size_t m_open{0};              ///< see Open()
    Tasks m_run;                        ///< the current loop, or the last one
    bool m_end{false};                  ///< whether the pool ends
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_POOL_H
