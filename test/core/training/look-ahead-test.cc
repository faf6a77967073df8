// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/local-step.h"
#include "dpdl/training/training-backend.h"
#include "test-images.h"

#include <algorithm>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

namespace dpdl
{
namespace
{

constexpr NodeId GATED_NODES = 6;
constexpr RandomSeed GATED_SEED{9, 1};

/// A step that reports when it has begun and ends when it is let go.
class GatedStep : public LocalStep
{
  public:
    void Run(StepContext&, NodeJob& job) const override
    {
        begun.set_value();
        opened.wait();
        job.batch.size = 77;
    }

    mutable std::promise<void> begun;
    std::promise<void> gate;
    std::shared_future<void> opened{gate.get_future()};
};

/// A step that fails at odd nodes.
class OddStep : public LocalStep
{
  public:
    void Run(StepContext&, NodeJob& job) const override
    {
        if (job.node % 2 == 1)
        {
            throw std::runtime_error("node " + std::to_string(job.node));
        }
    }
};

class LookAhead : public testing::Test
{
  protected:
    static std::unique_ptr<TrainingBackend> Backend(unsigned workers)
    {
        return std::make_unique<TrainingBackend>(
            MakeModel("mlp", IMAGE, 10),
            MakeTestImages(IMAGE, 120, 40),
            MakePartition("even", std::vector<double>(120), GATED_NODES, GATED_SEED),
            MakeSampler("poisson", 8, GATED_SEED),
            TrainingBackend::Options{"native", workers, GATED_SEED});
    }

    static std::shared_ptr<NodeJob> Job(TrainingBackend& backend,
                                        NodeId node,
                                        const LocalStep* step)
    {
        auto job = std::make_shared<NodeJob>();
        job->node = node;
        job->state = backend.Pool().Acquire();
        std::fill_n(job->state->Data(), job->state->Size(), 0.0F);
        job->update = {true, 0.5, 1.0, 0.3, 8.0};
        job->update.step = step;
        return job;
    }
};

// The law: what could run before it is waited for, does.
TEST_F(LookAhead, StepsBeginBeforeTheyAreWaitedFor)
{
    GatedStep first;
    GatedStep second;
    GatedStep third;
    const auto backend = Backend(3);
    std::vector<std::shared_ptr<NodeJob>> jobs{Job(*backend, 0, &first),
                                               Job(*backend, 1, &second),
                                               Job(*backend, 2, &third)};
    for (const auto& job : jobs)
    {
        backend->Submit(job);
    }
    // Two workers are not the simulator's: two steps run beside it, and the third waits for them.
    first.begun.get_future().wait();
    second.begun.get_future().wait();
    second.gate.set_value();
    third.begun.get_future().wait();
    third.gate.set_value();
    first.gate.set_value();
    backend->Finish(jobs[0]);
    EXPECT_EQ(jobs[0]->batch.size, 77U);
    EXPECT_TRUE(jobs[0]->done);
    const std::weak_ptr<NodeJob> done = jobs[0];
    jobs[0].reset();
    EXPECT_TRUE(done.expired()) << "the backend holds a job that is done";
    backend->FinishAll();
    EXPECT_TRUE(jobs[1]->done && jobs[2]->done);
}

TEST_F(LookAhead, AWaitingCallerRunsAJobThatHasNotBegun)
{
    GatedStep busy;
    const auto backend = Backend(2);
    const auto blocked = Job(*backend, 0, &busy);
    backend->Submit(blocked);
    busy.begun.get_future().wait();
    GatedStep own;
    own.gate.set_value();
    const auto job = Job(*backend, 1, &own);
    const auto other = Job(*backend, 2, nullptr);
    backend->Submit(other);
    backend->Submit(job);
    backend->Finish(job);
    EXPECT_TRUE(job->done) << "though the only worker is busy";
    EXPECT_FALSE(other->done) << "and no other one";
    busy.gate.set_value();
    backend->FinishAll();
}

TEST_F(LookAhead, WithdrawnStepsAreLeftToThemselves)
{
    GatedStep running;
    OddStep odd;
    const auto backend = Backend(2);
    auto begun = Job(*backend, 0, &running);
    const auto waiting = Job(*backend, 1, &odd);
    backend->Submit(begun);
    backend->Submit(waiting);
    running.begun.get_future().wait();
    backend->Withdraw(begun);
    backend->Withdraw(waiting);
    begun.reset();
    EXPECT_NO_THROW(backend->Finish(waiting)) << "it has never run";
    EXPECT_FALSE(waiting->done);
    running.gate.set_value();
    EXPECT_NO_THROW(backend->FinishAll());
}

TEST_F(LookAhead, FailuresReachTheOneWhoAsks)
{
    const OddStep odd;
    for (const unsigned workers : {1U, 2U})
    {
        const auto backend = Backend(workers);
        std::vector<std::shared_ptr<NodeJob>> jobs;
        for (NodeId node = 0; node < GATED_NODES; ++node)
        {
            jobs.push_back(Job(*backend, node, &odd));
            backend->Submit(jobs.back());
        }
        EXPECT_NO_THROW(backend->Finish(jobs[4]));
        EXPECT_THROW(backend->Finish(jobs[1]), std::runtime_error);
        EXPECT_FALSE(jobs[1]->done);
        // The first of those not asked for.
        try
        {
            backend->FinishAll();
            ADD_FAILURE() << "node 3 failed";
        }
        catch (const std::runtime_error& error)
        {
            EXPECT_EQ(error.what(), std::string("node 3"));
        }
        EXPECT_NO_THROW(backend->FinishAll());
    }
}

/// Rounds in which every node's job is finished in a random order; gives all final states.
std::vector<float>
LearnInDisorder(TrainingBackend& backend, unsigned order, bool isHeld)
{
    std::mt19937 random(order);
    std::vector<ParameterHandle> states(GATED_NODES);
    const std::vector<float> z = InitialParameters(backend.Model(), "default", GATED_SEED);
    for (ParameterHandle& state : states)
    {
        state = backend.Pool().AcquireCopy(z.data());
    }
    for (Round round = 0; round < 5; ++round)
    {
        std::vector<std::shared_ptr<NodeJob>> jobs(GATED_NODES);
        if (isHeld)
        {
            backend.BeginBatch();
        }
        for (NodeId node = 0; node < GATED_NODES; ++node)
        {
            jobs[node] = std::make_shared<NodeJob>();
            jobs[node]->node = node;
            jobs[node]->round = round;
            jobs[node]->mix = {{states[node], 0.6}, {states[(node + 1) % GATED_NODES], 0.4}};
            jobs[node]->update = {true, 0.5, 1.0, 0.3, 8.0};
            backend.Submit(jobs[node]);
        }
        std::vector<std::shared_ptr<NodeJob>> shuffled = jobs;
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        for (const auto& job : shuffled)
        {
            backend.Finish(job);
            EXPECT_TRUE(job->done);
            EXPECT_LT(job->mixError, 1e-6);
        }
        for (NodeId node = 0; node < GATED_NODES; ++node)
        {
            states[node] = jobs[node]->state;
        }
    }
    std::vector<float> values;
    for (const ParameterHandle& state : states)
    {
        values.insert(values.end(), state->Data(), state->Data() + state->Size());
    }
    return values;
}

TEST_F(LookAhead, NeitherWorkersNorOrderNorHoldingChangeABit)
{
    const std::vector<float> expected = LearnInDisorder(*Backend(1), 0, false);
    for (const unsigned workers : {1U, 2U, 4U})
    {
        EXPECT_EQ(expected, LearnInDisorder(*Backend(workers), workers, false)) << workers;
        EXPECT_EQ(expected, LearnInDisorder(*Backend(workers), workers, true)) << workers;
    }
}

} // namespace
} // namespace dpdl
