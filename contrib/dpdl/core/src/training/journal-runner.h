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
 * @brief Keeps a journal of job results, so a resumed run need not compute them again.
 *
 * The journal holds the numbers of each finished job and each evaluation, in the order of the
 * simulator's calls. Together with the vectors in use at some moment (TakeState()) it restores the
 * run at that moment. Until then the simulator receives the journal's numbers, and the contents of
 * vectors are unspecified; then the vectors are restored.
 *
 * A vector is identified by the job that made it, the n-th that was finished, and its place there.
 */
class JournalRunner : public JobRunner
{
  public:
    /// @param runner computes the jobs @param pool of all vectors
    JournalRunner(std::unique_ptr<JobRunner> runner, ParameterPool& pool);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void BeginBatch() override;
    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    Evaluation EvaluateModel(const float* parameters, std::size_t examples) override;
    std::string Device() const override;
    TimeBreakdown Work() const override;

    /// Bytes of the journal since the last call of TakeJournal().
    std::size_t JournalBytes() const
    {
        return m_journal.size();
    }

    /// The journal since the last call.
    std::string TakeJournal();

    /// Waits for pending jobs; returns their results and all vectors.
    std::string TakeState();

    /// Replays a journal. @param state taken at the journal's end
    void Repeat(std::string journal, std::string state);

    /// True until the replay reaches the journal's end.
    bool IsRepeating() const
    {
        return m_isRepeating;
    }

  private:
    /// Counts a call, and restores the state at the journal's end.
    void CountCall();

    void Restore();

    /// Throws if a vector in use is missing from the restored state.
    void CheckMissing();

    /// Removes a job from the open ones. @return true if it was open
    bool Close(const std::shared_ptr<NodeJob>& job);

    std::unique_ptr<JobRunner> m_runner;
    ParameterPool& m_pool;
    std::list<std::shared_ptr<NodeJob>> m_open; ///< jobs submitted but not finished
    std::uint64_t m_calls{0};                   ///< calls that submit, finish, withdraw or evaluate
    std::uint64_t m_finished{0};                ///< jobs that were finished
    /// Recording: bytes since the last TakeJournal(); replaying: the journal to replay.
    std::string m_journal;
    std::size_t m_read{0};             ///< number of bytes of the journal replayed so far
    std::string m_state;               ///< state at the end of the replayed journal
    std::uint64_t m_callsAtEnd{0};     ///< value of m_calls at the end of the journal
    std::set<std::uint64_t> m_missing; ///< names of vectors that the state lacks
    bool m_isRepeating{false};         ///< true until the replay reaches the journal's end
};

/**
 * @file
 * @brief Numeric results of a job, as bytes of a journal.
 */

/// Reads the bytes of a JournalWriter.
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

/// Appends values in the memory format of this machine, which also reads the journal.
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

/// Reads or writes an evaluation.
template <class Visitor, class Result>
void
VisitEvaluation(Visitor& visit, Result& evaluation)
{
    visit(evaluation.correct);
    visit(evaluation.lossSum);
    visit(evaluation.size);
}

/// Reads or writes the numeric results of a job.
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
