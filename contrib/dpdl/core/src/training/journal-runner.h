// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_JOURNAL_RUNNER_H
#define DPDL_TRAINING_JOURNAL_RUNNER_H

#include "job-runner.h"

#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <string>

namespace dpdl
{

/**
 * @brief Keeps a journal of what jobs gave, so that a run that repeats itself need not compute them
 *        again.
 *
 * The journal has the numbers of each job that was finished, and of each model that was evaluated,
 * in the order in which the simulator asked for them. With the vectors that are in use at some
 * moment (TakeState()) it gives a run the state that it had then: until that moment the simulator
 * receives the numbers, and vectors hold anything; then they get what they held.
 *
 * A vector is known by the job that it came from, the n-th that was finished, and its place there.
 */
class JournalRunner : public JobRunner
{
  public:
    /// @param runner does the work @param pool has all vectors
    JournalRunner(std::unique_ptr<JobRunner> runner, ParameterPool& pool);

    void Submit(std::shared_ptr<NodeJob> job) override;
    void BeginBatch() override;
    void EndBatch() override;
    void Withdraw(const std::shared_ptr<NodeJob>& job) override;
    void Finish(const std::shared_ptr<NodeJob>& job) override;
    void FinishAll() override;
    std::size_t Pending() const override;
    Evaluation EvaluateModel(const float* parameters) override;
    unsigned Workers() const override;
    std::string Device() const override;
    TimeBreakdown Work() const override;

    /// Bytes of the journal since the last call of TakeJournal().
    std::size_t JournalBytes() const
    {
        return m_journal.size();
    }

    /// The journal since the last call.
    std::string TakeJournal();

    /// Waits for pending jobs; their results and all vectors.
    std::string TakeState();

    /// Repeats what is in a journal. @param state as it was at the journal's end
    void Repeat(std::string journal, std::string state);

    /// Whether the journal is not at its end.
    bool IsRepeating() const
    {
        return m_isRepeating;
    }

  private:
    /// The end of the journal may be here.
    void CountCall();

    void Restore();

    /// Vectors that the state lacks are no longer in use when the simulator calls again.
    void CheckMissing();

    /// Takes a job from those that are open. @return whether it was one
    bool Close(const std::shared_ptr<NodeJob>& job);

    std::unique_ptr<JobRunner> m_runner;
    ParameterPool& m_pool;
    std::list<std::shared_ptr<NodeJob>> m_open; ///< submitted, and not finished
    std::uint64_t m_calls{0};                   ///< submitted, finished, withdrawn, evaluated
    std::uint64_t m_finished{0};                ///< jobs that were finished
    std::string m_journal;                      ///< what is written, or read
    std::size_t m_read{0};                      ///< bytes of the journal that are repeated
    std::string m_state;                        ///< at the end of the journal that is repeated
    std::uint64_t m_callsAtEnd{0};              ///< m_calls then
    std::set<std::uint64_t> m_missing;          ///< names of vectors that the state lacks
    bool m_isRepeating{false};                  ///< see IsRepeating()
};

} // namespace dpdl

#endif // DPDL_TRAINING_JOURNAL_RUNNER_H
