// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "journal-runner.h"

#include <map>
#include <utility>

// JournalRunner: forwards jobs to another runner and records their results. In a replay it returns
// recorded results. At the end of the journal it restores all vectors and pending jobs.

namespace dpdl
{

namespace
{

/// Number of vector identifiers that are reserved for each job. A job has fewer vectors.
constexpr std::uint64_t VECTORS_OF_JOB = std::uint64_t{1} << 20;

/// First identifier for the vectors of jobs that were pending when the state was taken.
constexpr std::uint64_t UNDER_WAY = std::uint64_t{1} << 63;

/// Assigns consecutive identifiers to the vectors that a job computed.
/// @param first identifier of the first vector
void
NameVectors(const NodeJob& job, std::uint64_t first)
{
    const auto name = [&first](const ParameterHandle& vector) {
        if (vector)
        {
            vector->SetName(first);
        }
        ++first;
    };
    name(job.state);
    name(job.copy);
    name(job.increment);
    name(job.standardNoise);
    name(job.average);
    std::for_each(job.memory.begin(), job.memory.end(), name);
    for (const CompressedState& compressed : job.compressed)
    {
        name(compressed.sent);
    }
    name(job.told);
}

/// Marks a job as done without computing it. The contents of its vectors are unspecified.
void
FillFromJournal(NodeJob& job, ParameterPool& pool)
{
    if (!job.mix.empty())
    {
        job.state = job.state ? job.state : pool.Acquire();
        job.mix.clear();
    }
    if (job.averaged > 0)
    {
        job.average = pool.Acquire();
    }
    job.done = true;
}

} // namespace

JournalRunner::JournalRunner(std::unique_ptr<JobRunner> runner, ParameterPool& pool)
    : m_runner(std::move(runner)),
      m_pool(pool)
{
}

void
JournalRunner::Submit(std::shared_ptr<NodeJob> job)
{
    CheckMissing();
    m_open.push_back(job);
    if (!m_isRepeating)
    {
        m_runner->Submit(std::move(job));
    }
    CountCall();
}

void
JournalRunner::BeginBatch()
{
    if (!m_isRepeating)
    {
        m_runner->BeginBatch();
    }
}

void
JournalRunner::EndBatch()
{
    if (!m_isRepeating)
    {
        m_runner->EndBatch();
    }
}

bool
JournalRunner::Close(const std::shared_ptr<NodeJob>& job)
{
    const auto found = std::find(m_open.begin(), m_open.end(), job);
    if (found == m_open.end())
    {
        return false;
    }
    m_open.erase(found);
    return true;
}

void
JournalRunner::Withdraw(const std::shared_ptr<NodeJob>& job)
{
    if (!job)
    {
        return;
    }
    const bool isOpen = Close(job);
    // A job that was submitted in a replay did not reach the runner, and has taskId 0.
    if (!m_isRepeating && job->taskId != 0)
    {
        m_runner->Withdraw(job);
    }
    if (isOpen)
    {
        CountCall();
    }
}

void
JournalRunner::Finish(const std::shared_ptr<NodeJob>& job)
{
    if (std::find(m_open.begin(), m_open.end(), job) == m_open.end())
    {
        return;
    }
    CheckMissing();
    if (m_isRepeating)
    {
        FillFromJournal(*job, m_pool);
        VisitResults(JournalReader(m_journal, m_read), *job);
    }
    else
    {
        if (job->taskId != 0 || !job->done)
        {
            m_runner->Finish(job);
        }
        VisitResults(JournalWriter(m_journal), std::as_const(*job));
    }
    Close(job);
    NameVectors(*job, ++m_finished * VECTORS_OF_JOB);
    CountCall();
}

void
JournalRunner::FinishAll()
{
    if (!m_isRepeating)
    {
        m_runner->FinishAll();
    }
}

Evaluation
JournalRunner::EvaluateModel(const float* parameters, std::size_t examples)
{
    Evaluation found;
    if (m_isRepeating)
    {
        JournalReader reader(m_journal, m_read);
        VisitEvaluation(reader, found);
    }
    else
    {
        found = m_runner->EvaluateModel(parameters, examples);
        JournalWriter writer(m_journal);
        VisitEvaluation(writer, std::as_const(found));
    }
    CountCall();
    return found;
}

std::string
JournalRunner::TakeState()
{
    m_runner->FinishAll();
    std::string state;
    JournalWriter write(state);
    write(m_calls);
    std::uint64_t first = UNDER_WAY;
    for (const std::shared_ptr<NodeJob>& job : m_open)
    {
        VisitResults(write, std::as_const(*job));
        NameVectors(*job, first);
        first += VECTORS_OF_JOB;
    }
    m_pool.ForEachNamed([&](ParameterVector& vector) {
        write(vector.Name());
        state.append(reinterpret_cast<const char*>(std::as_const(vector).Data()),
                     vector.Size() * sizeof(float));
    });
    return state;
}

void
JournalRunner::Repeat(std::string journal, std::string state)
{
    m_journal = std::move(journal);
    m_state = std::move(state);
    std::size_t at = 0;
    JournalReader(m_state, at)(m_callsAtEnd);
    m_isRepeating = m_callsAtEnd > 0;
}

void
JournalRunner::CountCall()
{
    ++m_calls;
    if (m_isRepeating && m_calls == m_callsAtEnd)
    {
        Restore();
    }
}

void
JournalRunner::CheckMissing()
{
    if (m_missing.empty())
    {
        return;
    }
    m_pool.ForEachNamed([this](const ParameterVector& vector) {
        if (m_missing.count(vector.Name()) > 0)
        {
            throw Error("the checkpoint lacks a vector that the run has");
        }
    });
    m_missing.clear();
}

void
JournalRunner::Restore()
{
    std::size_t at = 0;
    JournalReader read(m_state, at);
    read(m_callsAtEnd);
    std::uint64_t first = UNDER_WAY;
    for (const std::shared_ptr<NodeJob>& job : m_open)
    {
        FillFromJournal(*job, m_pool);
        VisitResults(read, *job);
        NameVectors(*job, first);
        first += VECTORS_OF_JOB;
    }
    std::map<std::uint64_t, std::size_t> places;
    const std::size_t bytes = m_pool.Dimension() * sizeof(float);
    while (at < m_state.size())
    {
        std::uint64_t name = 0;
        read(name);
        places[name] = at;
        at += bytes;
    }
    m_pool.ForEachNamed([&](ParameterVector& vector) {
        const auto place = places.find(vector.Name());
        if (place == places.end() || place->second + bytes > m_state.size())
        {
            m_missing.insert(vector.Name());
            return;
        }
        std::memcpy(vector.Data(), m_state.data() + place->second, bytes);
    });
    if (m_read != m_journal.size())
    {
        throw Error("the journal of the run does not end with its checkpoint");
    }
    m_isRepeating = false;
    m_journal.clear();
    m_state.clear();
}

} // namespace dpdl
