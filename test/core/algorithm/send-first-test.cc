// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learner.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr double STEP = 0.05;

AlgorithmPreset
PresetOf(const std::string& name)
{
    AlgorithmPreset preset = MakeAlgorithm(name);
    preset.stepSize = STEP;
    return preset;
}

TEST(SendFirst, MassIsConservedUnderEveryPolicy)
{
    for (const LossPolicy policy : {LossPolicy::RUNNING_SUM, LossPolicy::REFUND})
    {
        GossipRun run(MakeGraph(UNBALANCED, 5), 60, policy);
        run.Train(PresetOf("overlap-sgp"), StepScale::PLAIN);
        for (Round round = 0; round < 60; ++round)
        {
            run.Step(round < 40 ? RandomLoss(0.3) : GossipRun::Network());
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5) << round;
        }
        EXPECT_EQ(run.Mass().Lost(), 0.0);
        EXPECT_EQ(run.Counts().used, run.Counts().sent);
    }
}

TEST(SendFirst, SharesLeaveOnceAndBeforeTheStepEnds)
{
    GossipRun run(MakeGraph("complete", 3), 2, LossPolicy::NONE);
    run.Train(PresetOf("overlap-sgp"), StepScale::PLAIN);
    for (NodeId node = 0; node < 3; ++node)
    {
        EXPECT_TRUE(run.At(node).SendAhead(0.0).empty()) << "no round has begun";
        run.At(node).BeginRound(0.0);
    }
    const std::vector<Share> sent = run.At(0).SendAhead(0.0);
    ASSERT_EQ(sent.size(), 2U);
    const ParameterVector& z = *sent.front().z;
    EXPECT_EQ(std::vector<float>(z.Data(), z.Data() + z.Size()), run.Initial().front());
    EXPECT_TRUE(run.At(0).SendAhead(0.0).empty());
    EXPECT_TRUE(run.At(0).FinishStep(1.0).empty());
    EXPECT_EQ(run.At(1).FinishStep(1.0).size(), 2U) << "who has not sent ahead sends now";
}

TEST(SendFirst, ACrashInTheStepSendsNothingTwice)
{
    for (const bool keepState : {true, false})
    {
        GossipRun run(MakeGraph("complete", 5), 30, LossPolicy::NONE);
        GossipRun undisturbed(MakeGraph("complete", 5), 30, LossPolicy::NONE);
        for (GossipRun* one : {&run, &undisturbed})
        {
            one->Train(PresetOf("overlap-sgp"), StepScale::BY_WEIGHT);
            one->SetInitial();
        }
        for (NodeId node = 0; node < 5; ++node)
        {
            run.At(node).BeginRound(0.0);
        }
        std::vector<Share> sent;
        for (NodeId node = 0; node < 5; ++node)
        {
            const std::vector<Share>& shares = run.At(node).SendAhead(0.0);
            sent.insert(sent.end(), shares.begin(), shares.end());
        }
        run.At(3).Crash(keepState, 0.5);
        run.At(3).Recover(0.7);
        for (const Share& share : sent)
        {
            run.At(share.target).Receive(share, 0.8);
        }
        EXPECT_EQ(run.At(3).MeasureStep() > 0.0, keepState);
        for (NodeId node = 0; node < 5; ++node)
        {
            EXPECT_TRUE(run.At(node).FinishStep(1.0).empty());
            run.At(node).Mix(1.0);
        }
        undisturbed.Step();
        for (Round round = 1; round < 30; ++round)
        {
            run.Step();
            undisturbed.Step();
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5);
        }
        EXPECT_EQ(run.Counts().sent, undisturbed.Counts().sent);
        EXPECT_NEAR(run.Mass().Lost(), keepState ? 0.0 : 0.2, 1e-15);
        EXPECT_EQ(run.Finish() == undisturbed.Finish(), keepState);
    }
}

} // namespace
} // namespace dpdl
