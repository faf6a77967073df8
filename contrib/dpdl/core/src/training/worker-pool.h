// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_WORKER_POOL_H
#define DPDL_TRAINING_WORKER_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dpdl
{

/**
 * @brief Threads that stay and share out the tasks of a run.
 *
 * The calling thread is worker 0 and works, too. Who is free takes the next task.
 */
class WorkerPool
{
  public:
    /// A task: which worker does it, and its number.
    using Task = std::function<void(unsigned worker, std::size_t task)>;

    /// @param workers number of threads, the caller's included; at least 1
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Number of threads, the caller's included.
    unsigned Workers() const;

    /// Does tasks 0..count-1 and returns when all are done; throws what the first failed one threw.
    void Run(std::size_t count, const Task& task);

  private:
    void Stay(unsigned worker);
    void Work(unsigned worker);

    std::vector<std::thread> m_threads; ///< workers 1, 2, ...
    std::mutex m_mutex;                 ///< guards all that follows but m_next
    std::condition_variable m_wake;     ///< a run has begun, or the pool ends
    std::condition_variable m_finished; ///< the last thread has left a run
    std::size_t m_runs{0};              ///< number of runs so far
    std::size_t m_busy{0};              ///< threads that are still in the run
    bool m_end{false};                  ///< whether the pool ends
    const Task* m_task{nullptr};        ///< of the current run
    std::size_t m_count{0};             ///< of the current run
    std::atomic<std::size_t> m_next{0}; ///< next task to be taken
    std::exception_ptr m_failure;       ///< what the first failed task threw
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_POOL_H
