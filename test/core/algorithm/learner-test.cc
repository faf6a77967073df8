// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

const char* const RING_FILE = "0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n6 7\n7 0\n";

/// Share (source, target) of round 3 comes a round late.
GossipRun::Network
HoldOne(NodeId source, NodeId target)
{
    return [source, target](const Share& share) {
        return share.round == 3 && share.source == source && share.target == target ? Fate::HOLD
                                                                                    : Fate::ARRIVE;
    };
}

TEST(Learner, GossipAveragesWhateverTheGraph)
{
    struct Row
    {
        const char* graph;
        std::size_t nodes;
        Round rounds;
    };

    for (const Row& row : {Row{"exponential", 8, 12},
                           Row{"exponential", 20, 80},
                           Row{"star", 8, 80},
                           Row{"complete", 5, 4},
                           Row{"lollipop", 8, 200},
                           Row{RING_FILE, 8, 250},
                           Row{UNBALANCED, 5, 80}})
    {
        GossipRun run(MakeGraph(row.graph, row.nodes), row.rounds, LossPolicy::NONE);
        for (Round round = 0; round < row.rounds; ++round)
        {
            run.Step();
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * row.nodes) << row.graph;
            ASSERT_EQ(run.Mass().Lost(), 0.0);
        }
        const double distance = GossipRun::Distance(run.Finish(), run.InitialMean());
        EXPECT_LT(distance, 1e-6) << row.graph;
        EXPECT_EQ(run.Counts().used, run.Counts().sent);
        EXPECT_EQ(run.Counts().onTime, run.Counts().sent);
    }
}

TEST(Learner, OrderOfArrivalDoesNotChangeABit)
{
    for (const LossPolicy policy : {LossPolicy::NONE, LossPolicy::RUNNING_SUM})
    {
        GossipRun straight(MakeGraph("complete", 7), 9, policy);
        GossipRun reversed(MakeGraph("complete", 7), 9, policy);
        GossipRun rotated(MakeGraph("complete", 7), 9, policy);
        const auto network = [](const Share& share) {
            return share.round % 3 == 0 && share.source == 2 ? Fate::LOSE : Fate::ARRIVE;
        };
        for (Round round = 0; round < 9; ++round)
        {
            straight.Step(network);
            reversed.Step(network, [](auto& s) { std::reverse(s.begin(), s.end()); });
            rotated.Step(network, [](auto& s) { std::rotate(s.begin(), s.begin() + 11, s.end()); });
        }
        for (NodeId node = 0; node < 7; ++node)
        {
            EXPECT_EQ(straight.At(node).Weight(), reversed.At(node).Weight());
            EXPECT_EQ(straight.At(node).Weight(), rotated.At(node).Weight());
        }
        const auto states = straight.Finish();
        EXPECT_EQ(states, reversed.Finish());
        EXPECT_EQ(states, rotated.Finish());
    }
}

TEST(Learner, LateSharesAreMixedAndCounted)
{
    for (const LossPolicy policy : {LossPolicy::NONE, LossPolicy::RUNNING_SUM})
    {
        GossipRun run(MakeGraph("complete", 5), 20, policy);
        for (Round round = 0; round < 20; ++round)
        {
            run.Step(HoldOne(1, 4));
            const double inFlight = run.Mass().InFlight();
            EXPECT_EQ(inFlight > 1e-6, round == 3) << round;
            EXPECT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5);
        }
        EXPECT_EQ(run.Counts().used, run.Counts().sent);
        EXPECT_EQ(run.Counts().late + run.Counts().overtaken, 1u);
        EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-6);
    }
}

TEST(Learner, AMessageOvertakenByALaterOneOfItsLinkBringsNothing)
{
    GossipRun run(MakeGraph("complete", 5), 5, LossPolicy::RUNNING_SUM);
    for (Round round = 0; round < 5; ++round)
    {
        run.Step(HoldOne(1, 4)); // held shares arrive behind those of their round
    }
    EXPECT_EQ(run.Counts().overtaken, 1u);
    EXPECT_EQ(run.Counts().used, run.Counts().sent);
}

TEST(Learner, ASecondCopyOfAShareIsThrownAway)
{
    for (const LossPolicy policy : {LossPolicy::NONE, LossPolicy::RUNNING_SUM})
    {
        GossipRun run(MakeGraph("complete", 5), 20, policy);
        for (Round round = 0; round < 20; ++round)
        {
            run.Step({}, [round](std::vector<Share>& shares) {
                // The copy comes at once, or behind the others of its round.
                const Share copy = shares[round % shares.size()];
                shares.insert(round % 2 == 0 ? shares.begin() : shares.end(), copy);
            });
            EXPECT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5) << round;
        }
        EXPECT_EQ(run.Counts().duplicates, 20u);
        EXPECT_EQ(run.Counts().used, run.Counts().sent);
        EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-6);
    }
}

TEST(Learner, SharesOfARoundToComeWaitForIt)
{
    GossipRun run(MakeGraph("complete", 3), 2, LossPolicy::NONE);
    for (NodeId node = 0; node < 3; ++node)
    {
        run.At(node).BeginRound(0.0);
        run.At(node).FinishStep(0.0);
    }
    EXPECT_FALSE(run.At(0).HeardAll());
    Share early{1, 0, 1, 1.0 / 3.0, ScaledDouble(1.0 / 3.0), run.At(1).State(), 0};
    run.At(0).Receive(early, 0.0);
    EXPECT_FALSE(run.At(0).HeardAll());
    for (const NodeId source : {1u, 2u})
    {
        Share share{source, 0, 0, 1.0 / 3.0, ScaledDouble(1.0 / 3.0), run.At(source).State(), 0};
        run.At(0).Receive(share, 0.0);
    }
    EXPECT_TRUE(run.At(0).HeardAll());
    run.At(0).Mix(0.0);
    EXPECT_EQ(run.At(0).CurrentRound(), 1u);
    EXPECT_EQ(run.Counts().used, 2u);
    EXPECT_EQ(run.Counts().late, 0u);
    EXPECT_FALSE(run.At(0).HeardAll());
    EXPECT_FALSE(run.At(0).Finished());
}

} // namespace
} // namespace dpdl
