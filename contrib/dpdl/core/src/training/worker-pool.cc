// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-pool.h"

#include <utility>

namespace dpdl
{

WorkerPool::WorkerPool(unsigned workers)
{
    for (unsigned worker = 1; worker < workers; ++worker)
    {
        m_threads.emplace_back([this, worker] { Stay(worker); });
    }
}

WorkerPool::~WorkerPool()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_end = true;
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads)
    {
        thread.join();
    }
}

unsigned
WorkerPool::Workers() const
{
    return static_cast<unsigned>(m_threads.size()) + 1;
}

void
WorkerPool::Run(std::size_t count, const Task& task)
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_task = &task;
        m_count = count;
        m_next = 0;
        m_busy = count > 1 ? m_threads.size() : 0;
        m_runs += count > 1 ? 1 : 0;
    }
    if (count > 1)
    {
        m_wake.notify_all();
    }
    Work(0);
    std::unique_lock<std::mutex> lock(m_mutex);
    m_finished.wait(lock, [this] { return m_busy == 0; });
    if (m_failure)
    {
        std::rethrow_exception(std::exchange(m_failure, nullptr));
    }
}

void
WorkerPool::Stay(unsigned worker)
{
    std::size_t seen = 0;
    while (true)
    {
        {
            std::unique_lock<std::mutex> lock(m_mutex);
            m_wake.wait(lock, [this, seen] { return m_end || m_runs != seen; });
            if (m_end)
            {
                return;
            }
            seen = m_runs;
        }
        Work(worker);
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (--m_busy == 0)
        {
            m_finished.notify_one();
        }
    }
}

void
WorkerPool::Work(unsigned worker)
{
    for (std::size_t task = m_next++; task < m_count; task = m_next++)
    {
        try
        {
            (*m_task)(worker, task);
        }
        catch (...)
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_failure = m_failure ? m_failure : std::current_exception();
        }
    }
}

} // namespace dpdl
