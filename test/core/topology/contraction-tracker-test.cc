// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/topology/topologies.h"
#include "reference-network.h"

#include <gtest/gtest.h>
#include <string>

namespace dpdl
{
namespace
{

TEST(ContractionTracker, NothingContractsWhereEverythingIsLost)
{
    for (const char* topology : {"ring", "star", "lollipop", "complete"})
    {
        ReferenceNetwork network(MakeGraphSequence(topology, 20, {}), {1.0, 0.0, 1}, 1);
        ContractionTracker tracker(20);
        for (Round k = 0; k < 3; ++k)
        {
            tracker.AddRound(k, network.PlayRound());
        }
        const WindowResult result = tracker.CloseWindow();
        EXPECT_NEAR(result.q, 1.0, 1e-14) << topology;
        EXPECT_EQ(result.worstPair, 1.0) << topology;
        EXPECT_FALSE(result.stronglyConnected) << topology;
    }
}

TEST(ContractionTracker, LateSharesAreVirtualNodes)
{
    const std::vector<Fates> fates{{0.0, 0.0, 1}, {0.2, 0.0, 1}, {0.0, 0.4, 2}, {0.15, 0.5, 9}};
    for (const char* topology :
         {"exponential", "star", "lollipop", "out-degree:4", "equi-static:3"})
    {
        for (std::uint32_t seed = 0; seed < 4; ++seed)
        {
            const auto graph = MakeGraphSequence(topology, 12, {});
            ReferenceNetwork network(graph, fates[seed], seed + 1);
            ReferenceNetwork whole(graph, fates[seed], seed + 1);
            ContractionTracker tracker(12);
            for (Round k = 0; k < 20; ++k)
            {
                tracker.AddRound(k, network.PlayRound());
                whole.PlayRound();
                if (k % 5 != 4)
                {
                    continue;
                }
                SCOPED_TRACE(std::string(topology) + ", seed " + std::to_string(seed) + ", round " +
                             std::to_string(k));
                const WindowResult result = tracker.CloseWindow();
                EXPECT_NEAR(result.contraction, network.Sigma(), 1e-11);
                EXPECT_NEAR(result.worstPair, network.Dobrushin(), 1e-12);
                EXPECT_NEAR(result.q, std::pow(network.Sigma(), 0.2), 1e-10);
                double squares = 0.0;
                double largest = 0.0;
                for (const double influence : whole.Influence())
                {
                    squares += influence * influence;
                    largest = std::max(largest, influence);
                }
                EXPECT_NEAR(result.effectiveNodes, 1.0 / squares, 1e-9);
                EXPECT_NEAR(result.largestInfluence, 12.0 * largest, 1e-9);
                network.StartWindow();
            }
        }
    }
}

TEST(ContractionTracker, OutlivesWeightsThatNoDoubleHolds)
{
    const auto graph = MakeGraphSequence("exponential", 8, {});
    ContractionTracker tracker(8);
    const RandomSeed seed{3, 1};
    double q = 0.0;
    for (Round k = 0; k < 6000; ++k)
    {
        auto mixed = DesignedShares(*graph, k, tracker.Weights());
        for (NodeId j = 0; j < 8; ++j)
        {
            const bool lost = RandomStream(seed, RandomPurpose::TEST, j, k).Uniform(0) < 0.5;
            const auto isFromOthers = [j](const MixedShare& share) { return share.source != j; };
            if (lost)
            {
                mixed[j].erase(std::remove_if(mixed[j].begin(), mixed[j].end(), isFromOthers),
                               mixed[j].end());
            }
        }
        tracker.AddRound(k, mixed);
        if (k % 600 == 599)
        {
            q = tracker.CloseWindow().q;
        }
    }
    EXPECT_EQ(tracker.Weights()[0].ToDouble(), 0.0) << "the run is long enough to underflow";
    EXPECT_GT(q, 0.2);
    EXPECT_LT(q, 1.0);
}

TEST(ContractionTracker, WhoMixesNothingKeepsEverything)
{
    ContractionTracker tracker(3);
    const ScaledDouble half(0.5);
    tracker.AddRound(0, {{{0, 0, half}}, {{1, 0, half}, {0, 0, half}}, {}});
    EXPECT_EQ(tracker.Weights()[2], ScaledDouble(1.0));
    EXPECT_EQ(tracker.Weights()[0], half);
    const WindowResult result = tracker.CloseWindow();
    EXPECT_NEAR(result.q, 1.0, 1e-14);
    // The mass that is left, 5/2, comes from the three nodes as 1, 1/2, 1.
    EXPECT_NEAR(result.effectiveNodes, 1.0 / (0.4 * 0.4 + 0.2 * 0.2 + 0.4 * 0.4), 1e-12);
    EXPECT_NEAR(result.largestInfluence, 3.0 * 0.4, 1e-12);
}

TEST(ContractionTracker, WhoLostItsMassDoesNotCount)
{
    ContractionTracker tracker(3);
    const ScaledDouble half(0.5);
    const ScaledDouble none;
    tracker.AddRound(0,
                     {{{0, 0, half}, {1, 0, half}}, {{0, 0, half}, {1, 0, half}}, {{2, 0, none}}});
    EXPECT_TRUE(tracker.Weights()[2].IsZero());
    const WindowResult result = tracker.CloseWindow();
    EXPECT_NEAR(result.q, 0.0, 1e-14) << "the two that are left agree";
    EXPECT_NEAR(result.effectiveNodes, 2.0, 1e-12);
    EXPECT_EQ(result.smallestWeight, 0.0);
    EXPECT_FALSE(result.stronglyConnected);
    tracker.AddRound(1, {{{0, 1, none}}, {{1, 1, none}}, {{2, 1, none}}});
    EXPECT_EQ(tracker.CloseWindow().q, 1.0) << "no node has any mass";
    EXPECT_EQ(tracker.LongRunQ(), 0.0);
}

TEST(ContractionTracker, RefusesWhatCannotBe)
{
    ContractionTracker tracker(2);
    EXPECT_THROW(tracker.CloseWindow(), Error);
    EXPECT_THROW(tracker.AddRound(1, {{}, {}}), Error) << "a gap";
    EXPECT_THROW(tracker.AddRound(0, {{}}), Error) << "a node too few";
    EXPECT_THROW(tracker.AddRound(0, {{{2, 0, 1.0}}, {}}), Error) << "no such source";
    EXPECT_THROW(tracker.AddRound(0, {{{1, 1, 1.0}}, {}}), Error) << "from the future";
    EXPECT_THROW(tracker.CloseWindow(), Error) << "none of these counts";
}

} // namespace
} // namespace dpdl
