// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/push-sum.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr std::size_t CHUNK = 3; // of 10 parameters: four chunks, the last one of one
constexpr std::size_t CHUNKS = 4;

std::vector<LossPolicy>
AllPolicies()
{
    std::vector<LossPolicy> policies;
    for (const std::string& name : LossPolicies().Names())
    {
        policies.push_back(LossPolicies().Get(name));
    }
    return policies;
}

/// Everything that can happen to a share, at random.
Fate
AnyFate(const Share& share)
{
    const RandomStream stream({1, 2}, RandomPurpose::LINK_LOSS, share.source, share.round);
    const double u = stream.Uniform(std::uint64_t{share.chunk} << 32 | share.target);
    return u < 0.3 ? Fate::LOSE : u < 0.4 ? Fate::HOLD : u < 0.45 ? Fate::DAMAGE : Fate::ARRIVE;
}

/// Every fifth share arrives twice, and all in an order that changes.
void
RepeatAndRotate(std::vector<Share>& shares)
{
    const std::vector<Share> once = shares;
    for (std::size_t i = 0; i < once.size(); i += 5)
    {
        shares.push_back(once[i]);
    }
    std::rotate(shares.begin(),
                shares.begin() + static_cast<long>(shares.size() / 3),
                shares.end());
}

TEST(PushSum, BooksAreExactUnderEveryPolicyWhateverHappens)
{
    constexpr Round ROUNDS = 60;
    for (const LossPolicy policy : AllPolicies())
    {
        const std::string name = LossPolicies().NameOf(policy);
        for (const auto& [graph, nodes] : {std::pair{"exponential", 8},
                                           {"star", 8},
                                           {"lollipop", 8},
                                           {UNBALANCED, 5},
                                           {WEIGHTED, 5}})
        {
            for (const std::size_t chunk : {std::size_t{0}, CHUNK})
            {
                GossipRun run(MakeGraph(graph, nodes), ROUNDS, policy, chunk);
                for (Round round = 0; round < ROUNDS; ++round)
                {
                    run.Step(AnyFate, RepeatAndRotate);
                    const std::size_t chunks = chunk == 0 ? 1 : CHUNKS;
                    for (std::size_t c = 0; c < chunks; ++c)
                    {
                        ASSERT_LE(std::fabs(run.Mass().ErrorOf(c)), 1e-12 * nodes) << name;
                    }
                    ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * nodes) << name;
                }
                EXPECT_GT(run.Counts().duplicates, 0u) << name;
                EXPECT_GT(run.Counts().damaged, 0u) << name;
            }
        }
    }
}

TEST(PushSum, PoliciesThatKeepMassEndAtTheAverageUnderLastingLoss)
{
    constexpr Round ROUNDS = 250;
    for (const LossPolicy policy : {LossPolicy::RUNNING_SUM, LossPolicy::REFUND})
    {
        for (const auto& [graph, nodes] : {std::pair{"exponential", 8}, {UNBALANCED, 5}})
        {
            for (const std::size_t chunk : {std::size_t{0}, CHUNK})
            {
                GossipRun run(MakeGraph(graph, nodes), ROUNDS, policy, chunk);
                for (Round round = 0; round < ROUNDS; ++round)
                {
                    run.Step(RandomLoss(0.3));
                }
                EXPECT_EQ(run.Mass().Lost(), 0.0);
                EXPECT_EQ(run.Counts().lostForGood, 0u);
                EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-6) << graph;
            }
        }
    }
}

TEST(PushSum, WithoutRepairTheLimitIsTheMeanByInfluence)
{
    constexpr Round ROUNDS = 120;
    constexpr NodeId NODES = 8;
    // Node j starts with unit vector j, so that any node's coordinate j ends as j's influence.
    GossipRun units(MakeGraph("exponential", NODES), ROUNDS, LossPolicy::NONE);
    std::vector<std::vector<float>> vectors(NODES, std::vector<float>(10, 0.0F));
    for (NodeId node = 0; node < NODES; ++node)
    {
        vectors[node][node] = 1.0F;
    }
    units.Start(vectors);
    GossipRun run(MakeGraph("exponential", NODES), ROUNDS, LossPolicy::NONE);
    ContractionTracker tracker(NODES);
    for (Round round = 0; round < ROUNDS; ++round)
    {
        units.Step(RandomLoss(0.3));
        run.Step(RandomLoss(0.3));
        tracker.AddRound(round, run.Counts().mixed);
    }
    const std::vector<float> influence = units.Finish().front();
    std::vector<double> limit(10, 0.0);
    double sumOfSquares = 0.0;
    for (NodeId node = 0; node < NODES; ++node)
    {
        sumOfSquares += static_cast<double>(influence[node]) * influence[node];
        for (std::size_t i = 0; i < limit.size(); ++i)
        {
            limit[i] += static_cast<double>(influence[node]) * run.Initial()[node][i];
        }
    }
    EXPECT_LT(GossipRun::Distance(run.Finish(), limit), 1e-6);
    EXPECT_NEAR(tracker.CloseWindow().effectiveNodes, 1.0 / sumOfSquares, 1e-4);
    const std::vector<float> asFloats(limit.begin(), limit.end());
    EXPECT_GT(GossipRun::Distance({asFloats}, run.InitialMean()), 1e-3) << "and that is a bias";
}

TEST(PushSum, RefundGivesBackExactlyWhatWasLost)
{
    GossipRun run(MakeGraph("complete", 4), 30, LossPolicy::REFUND);
    const std::vector<float> before(run.At(2).State()->Data(), run.At(2).State()->Data() + 10);
    for (Round round = 0; round < 30; ++round)
    {
        run.Step([](const Share&) { return Fate::LOSE; });
        EXPECT_EQ(run.Mass().Lost(), 0.0);
    }
    // Nothing ever crosses a link: w is what is not on its way back, and z cannot move.
    EXPECT_EQ(run.Counts().refunded, run.Counts().sent);
    EXPECT_NEAR(run.Mass().AtNodes() + run.Mass().InFlight(), 4.0, 1e-12);
    const std::vector<double> expected(before.begin(), before.end());
    EXPECT_LT(GossipRun::Distance({run.Finish()[2]}, expected), 1e-6);
}

TEST(PushSum, RenormalisedWeightsAreOneAndTheBooksSayWhatThatMade)
{
    GossipRun star(MakeGraph("star", 8), 20, LossPolicy::RENORMALISE);
    for (Round round = 0; round < 20; ++round)
    {
        star.Step(RandomLoss(0.3));
        for (NodeId node = 0; node < 8; ++node)
        {
            ASSERT_EQ(star.At(node).Weight(), ScaledDouble(1.0));
        }
        ASSERT_EQ(star.Mass().AtNodes(), 8.0);
        ASSERT_NEAR(star.Mass().Lost(), 0.0, 1e-12) << "what the network lost was made anew";
    }
    // Balanced and lossless: nothing to renormalise, and nothing changes.
    GossipRun plain(MakeGraph("exponential", 8), 10, LossPolicy::NONE);
    GossipRun same(MakeGraph("exponential", 8), 10, LossPolicy::RENORMALISE);
    for (Round round = 0; round < 10; ++round)
    {
        plain.Step();
        same.Step();
    }
    EXPECT_EQ(plain.Finish(), same.Finish());
}

TEST(PushSum, AnIntactCopyOfADamagedShareMakesNoMass)
{
    for (const LossPolicy policy : AllPolicies())
    {
        GossipRun run(MakeGraph("complete", 4), 3, policy);
        std::vector<Share> damaged;
        const auto network = [&damaged](const Share& share) {
            if (share.round == 1 && share.source == 0)
            {
                damaged.push_back(share);
                return Fate::DAMAGE;
            }
            return Fate::ARRIVE;
        };
        for (Round round = 0; round < 3; ++round)
        {
            run.Step(network, [&damaged](std::vector<Share>& shares) {
                shares.insert(shares.end(), damaged.begin(), damaged.end());
            });
            EXPECT_LE(std::fabs(run.Mass().Error()), 1e-12 * 4);
        }
        EXPECT_EQ(run.Counts().damaged, 3u);
        EXPECT_EQ(run.Counts().duplicates, 6u);
    }
}

TEST(PushSum, ItWaitsForEveryChunkOfEveryInNeighbour)
{
    GossipRun run(MakeGraph("complete", 3), 2, LossPolicy::NONE, CHUNK);
    std::vector<Share> forNode0;
    for (NodeId node = 0; node < 3; ++node)
    {
        run.At(node).BeginRound(0.0);
        for (const Share& share : run.At(node).FinishStep(0.0))
        {
            if (share.target == 0)
            {
                forNode0.push_back(share);
            }
        }
    }
    ASSERT_EQ(forNode0.size(), 2 * CHUNKS);
    for (const Share& share : forNode0)
    {
        EXPECT_FALSE(run.At(0).HeardAll());
        run.At(0).Receive(share, 0.0);
        run.At(0).Receive(share, 0.0); // a second copy does not count
    }
    EXPECT_TRUE(run.At(0).HeardAll());
}

} // namespace
} // namespace dpdl
