// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

constexpr std::size_t RECEIVERS = 8;

TEST(RandomTargets, AllFragmentsFromAllAreThePlainAverage)
{
    GossipRun run(MakeGraph("complete", RECEIVERS), 1, LossPolicy::RENORMALISE, 3);
    run.Scatter();
    run.Step();
    EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-7);
}

TEST(RandomTargets, FragmentsOfAModelGoToDifferentNodes)
{
    GossipRun run(MakeGraph("random-out:2", RECEIVERS), 1, LossPolicy::RENORMALISE, 2);
    run.Scatter();
    std::map<NodeId, std::set<NodeId>> targets;
    run.Step([&](const Share& share) {
        targets[share.source].insert(share.target);
        return Fate::ARRIVE;
    });
    std::size_t reached = 0;
    for (const auto& [source, found] : targets)
    {
        reached += found.size();
        EXPECT_EQ(found.count(source), 0u);
    }
    EXPECT_GT(reached, 4 * RECEIVERS) << "5 fragments to 2 of 7 nodes each; in one piece: 2";
}

TEST(RandomTargets, OfASendersFragmentsTheNewestCounts)
{
    constexpr NodeId LATE = 2;
    GossipRun run(MakeGraph("complete", 3), 2, LossPolicy::RENORMALISE, 5);
    GossipRun without(MakeGraph("complete", 3), 2, LossPolicy::RENORMALISE, 5);
    for (GossipRun* each : {&run, &without})
    {
        each->Scatter();
        // What one node sends in the first round arrives with what it sends in the second one.
        each->Step([&](const Share& share) {
            return share.source != LATE ? Fate::ARRIVE : each == &run ? Fate::HOLD : Fate::LOSE;
        });
        each->Step();
    }
    EXPECT_EQ(run.Counts().late, 4U);
    EXPECT_EQ(run.Counts().lostForGood, 4U);
    EXPECT_EQ(run.Counts().used, without.Counts().used);
    EXPECT_LT(std::abs(run.Mass().Error()), 1e-15);
    EXPECT_EQ(run.Finish(), without.Finish());
}

TEST(RandomTargets, TopologiesFollowTheNumberOfNodes)
{
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(20), "random-out:5");
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(2), "random-out:1");
    EXPECT_EQ(MakeAlgorithm("divshare").topology(20), "random-out:5");
    EXPECT_EQ(MakeAlgorithm("divshare", "out=7").topology(20), "random-out:7");
    EXPECT_EQ(MakeAlgorithm("ad-psgd").topology(20), "pairwise");
}

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
