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
 * @brief Threads that stay: they do errands, first come, first served, and share out runs of tasks.
 *
 * The calling thread is worker 0. It works while it waits, and never otherwise: the other workers
 * begin an errand as soon as they are free, and of one worker errands are done when somebody waits
 * for them. A run goes before errands, since somebody waits for it.
 */
class WorkerPool
{
  public:
    /// Something to do; it throws nothing. It is told which worker does it.
    using Errand = std::function<void(unsigned worker)>;
    /// One of the tasks of a run: which worker does it, and its number.
    using Task = std::function<void(unsigned worker, std::size_t task)>;
    /// Number of an errand, from 1 on. 0 is that of none.
    using Ticket = std::uint64_t;

    /// @param workers number of threads, the caller's included; at least 1
    explicit WorkerPool(unsigned workers);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Number of threads, the caller's included.
    unsigned Workers() const;

    /// Adds an errand, which begins when a thread is free.
    Ticket Add(Errand errand);

    /// Forgets an errand that nobody has begun; one that has begun goes on.
    void Drop(Ticket ticket);

    /**
     * @brief Returns when an errand is done and destroyed, or was dropped.
     *
     * An errand that nobody has begun is done here and now. While somebody else is at it, the
     * caller does the oldest one that waits: it has to be done as well, and most often the caller
     * waits for it next.
     */
    void Await(Ticket ticket);

    /// Returns when all errands are done.
    void AwaitAll();

    /// Errands that are not done yet.
    std::size_t Open() const;

    /// Does tasks 0..count-1 and returns when all are done; throws what the first failed one threw.
    void Run(std::size_t count, const Task& task);

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
        Errand errand;
        Stage stage{Stage::WAITING};
    };

    /// Tasks that are shared out.
    struct Tasks
    {
        const Task* task{nullptr};  ///< does them
        std::size_t count{0};       ///< how many
        std::size_t next{0};        ///< that nobody has taken
        std::size_t busy{0};        ///< workers that are at one
        std::exception_ptr failure; ///< what the first failed one threw
    };

    void Stay(unsigned worker);
    void Help(unsigned worker, Lock& lock);
    Ticket Oldest();
    Stage StageOf(Ticket ticket) const;
    void Perform(unsigned worker, Ticket ticket, Lock& lock);
    void Close(Entry& entry);

    std::vector<std::thread> m_threads; ///< workers 1, 2, ...
    mutable std::mutex m_mutex;         ///< guards all that follows
    std::condition_variable m_wake;     ///< there is something to do, or the pool ends
    std::condition_variable m_finished; ///< an errand is done, or a run
    std::deque<Entry> m_errands;        ///< from the first that is not done on
    Ticket m_first{1};                  ///< of the first entry
    Ticket m_oldest{1};                 ///< no errand before this one waits
    std::size_t m_open{0};              ///< see Open()
    Tasks m_run;                        ///< the current run, or the last one
    bool m_end{false};                  ///< whether the pool ends
};

} // namespace dpdl

#endif // DPDL_TRAINING_WORKER_POOL_H
