// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(LearnerUnderLoss, FourThousandRoundsAtHalfLossStayFinite)
{
    constexpr Round ROUNDS = 4000;
    for (const char* graph : {"exponential", "complete"})
    {
        GossipRun run(MakeGraph(graph, 8), ROUNDS, LossPolicy::NONE);
        for (Round round = 0; round < ROUNDS; ++round)
        {
            run.Step(RandomLoss(0.5));
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 8) << graph << " " << round;
        }
        for (NodeId node = 0; node < 8; ++node)
        {
            const ScaledDouble w = run.At(node).Weight();
            EXPECT_FALSE(w.IsZero()) << graph;
            EXPECT_LT(w, ScaledDouble(1e-300)) << graph;
            EXPECT_LT(w.Exponent(), -1000) << graph;
        }
        for (const std::vector<float>& z : run.Finish())
        {
            for (const float value : z)
            {
                // A convex combination of numbers in [1, 2), and float32's rounding.
                EXPECT_GE(value, 0.99f);
                EXPECT_LE(value, 2.01f);
            }
        }
    }
}

TEST(LearnerUnderLoss, ANodeThatHearsNothingKeepsItsState)
{
    GossipRun run(MakeGraph("complete", 4), 40, LossPolicy::NONE);
    const std::vector<float> before(run.At(2).State()->Data(), run.At(2).State()->Data() + 10);
    for (Round round = 0; round < 40; ++round)
    {
        run.Step([](const Share& share) { return share.target == 2 ? Fate::LOSE : Fate::ARRIVE; });
    }
    EXPECT_NEAR(run.At(2).Weight().ToDouble(), std::pow(0.25, 40), 1e-36);
    EXPECT_EQ(run.Finish()[2], before);
}

/// Crashes a node with a full inbox, between its own step and its mixing.
void
CrashFull(GossipRun& run, NodeId node, bool keepState)
{
    std::vector<Share> sent;
    for (NodeId other = 0; other < 8; ++other)
    {
        run.At(other).BeginRound(0.0);
    }
    for (NodeId other = 0; other < 8; ++other)
    {
        for (const Share& share : run.At(other).FinishStep(0.0))
        {
            sent.push_back(share);
        }
    }
    for (const Share& share : sent)
    {
        run.At(share.target).Receive(share, 0.0);
    }
    run.At(node).Crash(keepState, 0.0);
    EXPECT_TRUE(run.At(node).IsDown());
    ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 8);
    run.At(node).Recover(0.0);
    EXPECT_FALSE(run.At(node).IsDown());
    for (NodeId other = 0; other < 8; ++other)
    {
        run.At(other).Mix(0.0);
    }
    ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 8);
}

TEST(LearnerCrash, TheInboxIsLostAndNothingElse)
{
    GossipRun run(MakeGraph("complete", 8), 40, LossPolicy::NONE);
    CrashFull(run, 3, true);
    EXPECT_NEAR(run.Mass().Lost(), 7.0 / 8.0, 1e-15);
    EXPECT_NEAR(run.At(3).Weight().ToDouble(), 1.0 / 8.0, 1e-15);
    EXPECT_EQ(run.Counts().lostForGood, 7u);
}

TEST(LearnerCrash, RunningSumsOweTheInboxAgain)
{
    GossipRun run(MakeGraph("complete", 8), 60, LossPolicy::RUNNING_SUM);
    CrashFull(run, 3, true);
    EXPECT_EQ(run.Mass().Lost(), 0.0);
    EXPECT_EQ(run.Counts().owed, 7u);
    for (Round round = 1; round < 60; ++round)
    {
        run.Step();
    }
    EXPECT_EQ(run.Counts().used, run.Counts().sent) << "the next messages bring it";
    EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-6);
}

} // namespace
} // namespace dpdl
