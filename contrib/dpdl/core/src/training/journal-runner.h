// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_JOURNAL_RUNNER_H
#define DPDL_TRAINING_JOURNAL_RUNNER_H

#include "dpdl/base/errors.h"
#include "dpdl/training/node-job.h"
#include "job-runner.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace dpdl
{

/**
 * @brief Records results of jobs in a journal, so that a resumed run does not compute them again.
 *
 * The journal contains the numeric results of each finished job and each evaluation, in the order
 * of the simulator's calls. TakeState() returns the contents of all vectors in use at the time of
 * the call. A resumed run replays the journal from its start: the simulator receives the recorded
 * numbers, and the contents of vectors are unspecified. At the end of the journal, the contents are
 * restored from the result of TakeState().
 *
 * A vector that the n-th finished job computed has the identifier 2^20 n + i, where i is the index
 * of the vector among those of the job. Identifiers are equal in the recorded run and in its
 * replay.
 */
class JournalRunner : public JobRunner
{
  public:
    /// @param runner runner that computes the jobs
    /// @param pool pool of all parameter vectors; must outlive this object
    JournalRunner(std::unique_ptr<JobRunner> runner, ParameterPool& pool);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void BeginBatch() override;
    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;

    std::string Device() const override
    {
        return m_runner->Device();
    }

    TimeBreakdown Work() const override
    {
        return m_runner->Work();
    }

    /// Size of the journal since the last call of TakeJournal(), in bytes.
    std::size_t JournalBytes() const
    {
        return m_journal.size();
    }

    /// Returns the part of the journal since the last call, as bytes, and removes it from memory.
    std::string TakeJournal()
    {
        return std::exchange(m_journal, {});
    }

    /// Waits for the pending jobs. Returns binary state for Repeat(): the results of the jobs that
    /// the simulator has not finished, and the contents of all vectors in use that a job computed.
    std::string TakeState();

    /// Begins the replay of a journal. Call it before the first job is submitted.
    /// @param journal all parts, from the beginning of the run
    /// @param state result of TakeState() at the end of the journal
    /// @throws Error if the state is cut off
    void Repeat(std::string journal, std::string state);

    /// True from Repeat() until the replay reaches the end of the journal.
    bool IsRepeating() const
    {
        return m_isRepeating;
    }

  private:
    /// Counts a call that submits, finishes, withdraws or evaluates. In a replay, the last call of
    /// the journal calls Restore().
    void CountCall();

    void Restore();

    /// Throws Error if a vector in use is missing from the restored state.
    void CheckMissing();

    /// Removes a job from m_open.
    /// @return true if m_open contained the job
    bool Close(const std::shared_ptr<NodeJob>& job);

    std::unique_ptr<JobRunner> m_runner;
    ParameterPool& m_pool;
    std::list<std::shared_ptr<NodeJob>> m_open; ///< jobs submitted but not finished
    std::uint64_t m_calls{0};    ///< number of calls that submit, finish, withdraw or evaluate
    std::uint64_t m_finished{0}; ///< number of finished jobs
    /// Recording: the journal since the last TakeJournal(). Replaying: the journal to replay.
    std::string m_journal;
    std::size_t m_read{0};         ///< number of bytes of the journal replayed so far
    std::string m_state;           ///< result of TakeState() at the end of the replayed journal
    std::uint64_t m_callsAtEnd{0}; ///< value of m_calls at the end of the journal
    /// identifiers of vectors in use that are missing from the restored state
    std::set<std::uint64_t> m_missing;
    bool m_isRepeating{false}; ///< true until the replay reaches the journal's end
};

/**
 * @file
 * @brief Serialization of the numeric results of a job.
 */

/// Reads values from a byte string, in the order in which a JournalWriter appended them. Reading
/// begins at byte @p at of the string and advances @p at. String and index must outlive the reader.
/// Throws Error if the string ends too early.
class JournalReader
{
  public:
    JournalReader(const std::string& bytes, std::size_t& at)
        : m_bytes(bytes),
          m_at(at)
    {
    }

    template <class Value>
    void operator()(Value& value)
    {
        static_assert(std::is_arithmetic_v<Value> || std::is_enum_v<Value>);
        Copy(&value, sizeof(value));
    }

    template <class Value>
    void operator()(std::optional<Value>& value)
    {
        bool isGiven = false;
        (*this)(isGiven);
        if (isGiven)
        {
            (*this)(value.emplace());
        }
    }

    void operator()(std::string& text)
    {
        std::uint32_t size = 0;
        (*this)(size);
        text.resize(std::min<std::size_t>(size, m_bytes.size()));
        Copy(text.data(), text.size());
    }

    void operator()(std::vector<Release>& records)
    {
        std::uint32_t size = 0;
        (*this)(size);
        records.resize(std::min<std::size_t>(size, m_bytes.size()));
    }

    void Copy(void* to, std::size_t size)
    {
        if (size > m_bytes.size() - m_at)
        {
            throw Error("the journal of the run ends too early");
        }
        std::memcpy(to, m_bytes.data() + m_at, size);
        m_at += size;
    }

  private:
    const std::string& m_bytes;
    std::size_t& m_at;
};

/// Appends values to a byte string, in the memory format of this computer. Only a computer with the
/// same format can read them. The string must outlive the writer.
class JournalWriter
{
  public:
    explicit JournalWriter(std::string& bytes)
        : m_bytes(bytes)
    {
    }

    template <class Value>
    void operator()(const Value& value)
    {
        static_assert(std::is_arithmetic_v<Value> || std::is_enum_v<Value>);
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }

    template <class Value>
    void operator()(const std::optional<Value>& value)
    {
        (*this)(value.has_value());
        if (value)
        {
            (*this)(*value);
        }
    }

    void operator()(const std::string& text)
    {
        (*this)(static_cast<std::uint32_t>(text.size()));
        m_bytes += text;
    }

    void operator()(const std::vector<Release>& records)
    {
        (*this)(static_cast<std::uint32_t>(records.size()));
    }

  private:
    std::string& m_bytes;
};

/// Applies a JournalReader or JournalWriter to the fields of an evaluation.
template <class Visitor, class Result>
void
VisitEvaluation(Visitor& visit, Result& evaluation)
{
    visit(evaluation.correct);
    visit(evaluation.lossSum);
    visit(evaluation.size);
}

/// Applies a JournalReader or JournalWriter to the numeric results of a job.
template <class Visitor, class Job>
void
VisitResults(Visitor visit, Job& job)
{
    visit(job.mixError);
    VisitEvaluation(visit, job.evaluation);
    visit(job.batch.lossSum);
    visit(job.batch.normSum);
    visit(job.batch.clipped);
    visit(job.batch.size);
    visit(job.sharedNorm);
    visit(job.standardNoiseNorm);
    visit(job.stepSeconds);
    visit(job.noiseInState);
    visit(job.largestState);
    visit(job.releases);
    for (auto& release : job.releases)
    {
        visit(release.node);
        visit(release.round);
        visit(release.mechanism);
        visit(release.sampler);
        visit(release.rate);
        visit(release.sensitivity);
        visit(release.noise);
        visit(release.flags);
        visit(release.stream);
        visit(release.epoch);
        visit(release.values);
    }
}

} // namespace dpdl

#endif // DPDL_TRAINING_JOURNAL_RUNNER_H
