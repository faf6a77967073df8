// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "journal-runner.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dpdl
{
namespace
{

constexpr std::size_t JOURNAL_DIMENSION = 4;

/// A runner whose jobs give numbers of their node and round, and that counts them.
class CountingRunner : public JobRunner
{
  public:
    explicit CountingRunner(int& computed)
        : m_computed(computed)
    {
    }

    void Submit(std::shared_ptr<NodeJob> job) override
    {
        job->taskId = ++m_tasks;
    }

    void Withdraw(const std::shared_ptr<NodeJob>&) override
    {
    }

    void Finish(const std::shared_ptr<NodeJob>& job) override
    {
        ++m_computed;
        for (std::size_t i = 0; i < JOURNAL_DIMENSION; ++i)
        {
            job->state->Data()[i] += static_cast<float>(10 * job->round + job->node);
        }
        job->mixError = 0.25 * job->round;
        job->batch.lossSum = job->node + 0.5;
        job->stepSeconds = 1.5;
        Release record{0, 0, "gaussian"};
        record.noise = 2.0 + job->round;
        job->releases.assign(job->node, record);
        job->done = true;
        job->taskId = 0;
    }

    void FinishAll() override
    {
    }

    Evaluation EvaluateModel(const float* parameters, std::size_t /* examples */) override
    {
        ++m_computed;
        Evaluation found;
        found.lossSum = parameters[0];
        found.size = 3;
        return found;
    }

    std::string Device() const override
    {
        return "none";
    }

    TimeBreakdown Work() const override
    {
        return {};
    }

  private:
    int& m_computed;          ///< jobs and evaluations
    std::uint64_t m_tasks{0}; ///< given
};

/// A run of two nodes that keep one vector each.
class JournaledRun
{
  public:
    JournaledRun()
        : pool(JOURNAL_DIMENSION),
          runner(std::make_unique<CountingRunner>(computed), pool),
          states{pool.Acquire(), pool.Acquire()}
    {
        for (ParameterHandle& state : states)
        {
            std::fill_n(state->Data(), JOURNAL_DIMENSION, 1.0F);
        }
    }

    /// Does a round, and evaluates the first node's model. @return all numbers that it gave
    std::string Round(dpdl::Round round)
    {
        std::string numbers;
        for (NodeId node = 0; node < states.size(); ++node)
        {
            auto job = std::make_shared<NodeJob>();
            job->node = node;
            job->round = round;
            job->state = states[node];
            runner.Submit(job);
            runner.Finish(job);
            numbers += std::to_string(job->mixError) + " " + std::to_string(job->batch.lossSum) +
                       " " + std::to_string(job->releases.size());
            for (const Release& release : job->releases)
            {
                numbers += " " + release.mechanism + std::to_string(release.noise);
            }
        }
        return numbers + " " + std::to_string(runner.EvaluateModel(states[0]->Data(), 3).lossSum);
    }

    /// Values of both vectors.
    std::vector<float> Values() const
    {
        std::vector<float> values;
        for (const ParameterHandle& state : states)
        {
            values.insert(values.end(), state->Data(), state->Data() + JOURNAL_DIMENSION);
        }
        return values;
    }

    int computed{0};                     ///< jobs and evaluations that were computed
    ParameterPool pool;                  ///< of all vectors
    JournalRunner runner;                ///< under test
    std::vector<ParameterHandle> states; ///< by node
};

/// What a run gave in some rounds, with checkpoints behind some of them.
struct Recorded
{
    std::vector<std::string> numbers; ///< by round
    std::string journal;              ///< of all checkpoints
    std::string state;                ///< of the last one
};

Recorded
Record(JournaledRun& run, Round rounds, Round every)
{
    Recorded recorded;
    for (Round round = 0; round < rounds; ++round)
    {
        recorded.numbers.push_back(run.Round(round));
        if ((round + 1) % every == 0)
        {
            recorded.state = run.runner.TakeState();
            recorded.journal += run.runner.TakeJournal();
        }
    }
    return recorded;
}

TEST(JournalRunner, RepeatsWithoutComputingAndGoesOnAsIfNothingHadHappened)
{
    for (const Round every : {1U, 2U, 5U})
    {
        JournaledRun first;
        Recorded recorded = Record(first, 10, every);
        JournaledRun second;
        second.runner.Repeat(recorded.journal, recorded.state);
        for (Round round = 0; round < 10; ++round)
        {
            EXPECT_TRUE(second.runner.IsRepeating());
            EXPECT_EQ(second.Round(round), recorded.numbers[round]);
        }
        EXPECT_FALSE(second.runner.IsRepeating());
        EXPECT_EQ(second.computed, 0);
        EXPECT_EQ(second.Values(), first.Values());
        EXPECT_EQ(second.Round(10), first.Round(10));
        EXPECT_EQ(second.Values(), first.Values());
        EXPECT_EQ(second.computed, 3);
    }
}

TEST(JournalRunner, GivesEachPartOfTheJournalOnce)
{
    JournaledRun run;
    run.Round(0);
    const std::size_t bytes = run.runner.JournalBytes();
    EXPECT_GT(bytes, 0U);
    EXPECT_EQ(run.runner.TakeJournal().size(), bytes);
    EXPECT_EQ(run.runner.JournalBytes(), 0U);
    EXPECT_EQ(run.runner.TakeJournal(), "");
    run.Round(0);
    EXPECT_EQ(run.runner.JournalBytes(), bytes) << "the same round takes the same bytes";
}

TEST(JournalRunner, WithdrawnJobsLeaveNoNumbers)
{
    JournaledRun run;
    auto job = std::make_shared<NodeJob>();
    job->state = run.states[0];
    run.runner.Submit(job);
    run.runner.Withdraw(job);
    EXPECT_EQ(run.runner.JournalBytes(), 0U);
    run.runner.Finish(job);
    EXPECT_EQ(run.computed, 0) << "it is the runner's no more";
}

TEST(JournalRunner, RefusesAJournalThatDoesNotFit)
{
    JournaledRun first;
    const Recorded recorded = Record(first, 4, 4);
    const auto repeat = [&recorded](const std::string& journal) {
        JournaledRun run;
        run.runner.Repeat(journal, recorded.state);
        for (Round round = 0; round < 4; ++round)
        {
            run.Round(round);
        }
    };
    EXPECT_NO_THROW(repeat(recorded.journal));
    EXPECT_THROW(repeat(recorded.journal.substr(0, recorded.journal.size() - 1)), Error);
    EXPECT_THROW(repeat(recorded.journal + "x"), Error);
}

TEST(JournalRunner, RefusesAStateThatLacksAVector)
{
    JournaledRun first;
    Recorded recorded = Record(first, 2, 2);
    recorded.state.resize(recorded.state.size() - JOURNAL_DIMENSION * sizeof(float) -
                          sizeof(std::uint64_t));
    JournaledRun second;
    second.runner.Repeat(recorded.journal, recorded.state);
    second.Round(0);
    second.Round(1);
    EXPECT_THROW(second.Round(2), Error);
}

} // namespace
} // namespace dpdl
