// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "worker-runner.h"

#include <algorithm>
#include <utility>

// WorkerPool: one mutex guards the tasks. A free thread joins the current parallel loop. If there
// is none, it begins the oldest waiting task.

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

WorkerPool::TaskId
WorkerPool::Add(Task task)
{
    TaskId id = 0;
    {
        const Lock lock(m_mutex);
        id = m_first + m_tasks.size();
        m_tasks.push_back({std::move(task)});
    }
    m_wake.notify_one();
    return id;
}

/// Id of the oldest waiting task; 0 if no task waits.
WorkerPool::TaskId
WorkerPool::Oldest()
{
    const TaskId end = m_first + m_tasks.size();
    m_oldest = std::max(m_oldest, m_first);
    while (m_oldest < end && StageOf(m_oldest) != Stage::WAITING)
    {
        ++m_oldest;
    }
    return m_oldest < end ? m_oldest : 0;
}

/// Runs a waiting task. The caller holds the lock, which is released while the task runs.
void
WorkerPool::Perform(unsigned worker, TaskId id, Lock& lock)
{
    Entry& entry = m_tasks[id - m_first];
    entry.stage = Stage::BEGUN;
    Task task = std::move(entry.task);
    lock.unlock();
    task(worker);
    task = nullptr;
    lock.lock();
    Close(entry);
    m_finished.notify_one();
}

void
WorkerPool::Close(Entry& entry)
{
    entry.task = nullptr;
    entry.stage = Stage::DONE;
    while (!m_tasks.empty() && m_tasks.front().stage == Stage::DONE)
    {
        m_tasks.pop_front();
        ++m_first;
    }
}

void
WorkerPool::Drop(TaskId id)
{
    const Lock lock(m_mutex);
    if (StageOf(id) == Stage::WAITING)
    {
        Close(m_tasks[id - m_first]);
    }
}

void
WorkerPool::Await(TaskId id)
{
    Lock lock(m_mutex);
    while (StageOf(id) != Stage::DONE)
    {
        const TaskId next = StageOf(id) == Stage::WAITING ? id : Oldest();
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
    while (!m_tasks.empty())
    {
        if (const TaskId next = Oldest())
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
WorkerPool::Run(std::size_t count, const ParallelBody& body)
{
    Lock lock(m_mutex);
    m_run = Tasks();
    m_run.body = &body;
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
        else if (const TaskId next = Oldest())
        {
            Perform(worker, next, lock);
        }
        else
        {
            m_wake.wait(lock);
        }
    }
}

/// Calls the body of the loop for the next indices until all are taken. The caller holds the lock,
/// which is released while the body runs.
void
WorkerPool::Help(unsigned worker, Lock& lock)
{
    ++m_run.busy;
    while (m_run.next < m_run.count)
    {
        const std::size_t index = m_run.next++;
        lock.unlock();
        std::exception_ptr failure;
        try
        {
            (*m_run.body)(worker, index);
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
