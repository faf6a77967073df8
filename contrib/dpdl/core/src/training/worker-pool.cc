// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-pool.h"

#include <algorithm>
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
        const Lock lock(m_mutex);
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

WorkerPool::Ticket
WorkerPool::Add(Errand errand)
{
    Ticket ticket = 0;
    {
        const Lock lock(m_mutex);
        ticket = m_first + m_errands.size();
        m_errands.push_back({std::move(errand)});
        ++m_open;
    }
    m_wake.notify_one();
    return ticket;
}

WorkerPool::Stage
WorkerPool::StageOf(Ticket ticket) const
{
    return ticket < m_first ? Stage::DONE : m_errands[ticket - m_first].stage;
}

/// The errand that has waited longest; 0 if none waits.
WorkerPool::Ticket
WorkerPool::Oldest()
{
    const Ticket end = m_first + m_errands.size();
    m_oldest = std::max(m_oldest, m_first);
    while (m_oldest < end && StageOf(m_oldest) != Stage::WAITING)
    {
        ++m_oldest;
    }
    return m_oldest < end ? m_oldest : 0;
}

/// Does an errand that waits. The lock is held before and after, not meanwhile.
void
WorkerPool::Perform(unsigned worker, Ticket ticket, Lock& lock)
{
    Entry& entry = m_errands[ticket - m_first];
    entry.stage = Stage::BEGUN;
    Errand errand = std::move(entry.errand);
    lock.unlock();
    errand(worker);
    errand = nullptr;
    lock.lock();
    Close(entry);
    m_finished.notify_one();
}

void
WorkerPool::Close(Entry& entry)
{
    entry.errand = nullptr;
    entry.stage = Stage::DONE;
    --m_open;
    while (!m_errands.empty() && m_errands.front().stage == Stage::DONE)
    {
        m_errands.pop_front();
        ++m_first;
    }
}

void
WorkerPool::Drop(Ticket ticket)
{
    const Lock lock(m_mutex);
    if (StageOf(ticket) == Stage::WAITING)
    {
        Close(m_errands[ticket - m_first]);
    }
}

void
WorkerPool::Await(Ticket ticket)
{
    Lock lock(m_mutex);
    while (StageOf(ticket) != Stage::DONE)
    {
        const Ticket next = StageOf(ticket) == Stage::WAITING ? ticket : Oldest();
        if (next != 0)
        {
            Perform(0, next, lock);
        }
        else
        {
            m_finished.wait(lock);
        }
    }
}

void
WorkerPool::AwaitAll()
{
    Lock lock(m_mutex);
    while (m_open > 0)
    {
        if (const Ticket next = Oldest())
        {
            Perform(0, next, lock);
        }
        else
        {
            m_finished.wait(lock);
        }
    }
}

std::size_t
WorkerPool::Open() const
{
    const Lock lock(m_mutex);
    return m_open;
}

void
WorkerPool::Run(std::size_t count, const Task& task)
{
    Lock lock(m_mutex);
    m_run = Tasks();
    m_run.task = &task;
    m_run.count = count;
    if (count > 1)
    {
        m_wake.notify_all();
    }
    Help(0, lock);
    m_finished.wait(lock, [this] { return m_run.busy == 0; });
    if (m_run.failure)
    {
        std::rethrow_exception(std::exchange(m_run.failure, nullptr));
    }
}

void
WorkerPool::Stay(unsigned worker)
{
    Lock lock(m_mutex);
    while (!m_end)
    {
        if (m_run.next < m_run.count)
        {
            Help(worker, lock);
        }
        else if (const Ticket next = Oldest())
        {
            Perform(worker, next, lock);
        }
        else
        {
            m_wake.wait(lock);
        }
    }
}

/// Does tasks of the run until all are taken. The lock is held before and after, not meanwhile.
void
WorkerPool::Help(unsigned worker, Lock& lock)
{
    ++m_run.busy;
    while (m_run.next < m_run.count)
    {
        const std::size_t task = m_run.next++;
        lock.unlock();
        std::exception_ptr failure;
        try
        {
            (*m_run.task)(worker, task);
        }
        catch (...)
        {
            failure = std::current_exception();
        }
        lock.lock();
        m_run.failure = m_run.failure ? m_run.failure : failure;
    }
    if (--m_run.busy == 0)
    {
        m_finished.notify_one();
    }
}

} // namespace dpdl
