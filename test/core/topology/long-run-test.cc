// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/q-bound.h"
#include "dpdl/topology/topologies.h"
#include "reference-network.h"

#include <gtest/gtest.h>
#include <string>

namespace dpdl
{
namespace
{

double
LongRunQ(const std::string& topology, std::size_t nodes, Round rounds)
{
    DesignedContraction designed(MakeGraphSequence(topology, nodes, {}));
    for (Round k = 0; k < rounds; ++k)
    {
        designed.AddRound();
    }
    return designed.LongRunQ();
}

TEST(LongRun, RateIsTheSecondEigenvalue)
{
    EXPECT_NEAR(LongRunQ("ring", 20, 2000), std::cos(PI / 20.0), 1e-6);
    EXPECT_NEAR(LongRunQ("undirected-ring", 9, 600),
                (1.0 + 2.0 * std::cos(2.0 * PI / 9.0)) / 3.0,
                1e-6);
    EXPECT_EQ(LongRunQ("complete", 20, 30), 0.0);
    EXPECT_EQ(LongRunQ("exponential", 64, 30), 0.0);
    // A star's products: the eigenvalues of its weights are 1, 1/2 and, once, 1/n - 1/2.
    EXPECT_NEAR(LongRunQ("star", 20, 400), 0.5, 1e-6);
    EXPECT_TRUE(std::isnan(LongRunQ("ring", 4, 1)));
}

TEST(LongRun, RateIsAtMostTheMeanOfTheWindows)
{
    for (const char* topology : {"random-peer", "random:0.1", "lollipop", "exponential"})
    {
        for (const Fates fates : {Fates{0.2, 0.0, 1}, Fates{0.1, 0.3, 3}})
        {
            ReferenceNetwork network(MakeGraphSequence(topology, 20, {}), fates, 9);
            ContractionTracker tracker(20);
            double logs = 0.0;
            for (Round k = 0; k < 400; ++k)
            {
                tracker.AddRound(k, network.PlayRound());
                if (k % 10 == 9)
                {
                    const WindowResult result = tracker.CloseWindow();
                    logs += k >= 200 ? std::log(result.contraction) : 0.0;
                    EXPECT_LE(result.smallestWeight, 1.0);
                    EXPECT_GE(result.largestWeight, 1.0);
                }
            }
            EXPECT_LT(tracker.LongRunQ(), std::exp(logs / 200.0) + 1e-3) << topology;
            EXPECT_GT(tracker.LongRunQ(), 0.1) << topology;
        }
    }
}

TEST(LongRun, ANodeThatNoOtherHearsKeepsTheRateAtOne)
{
    const ScaledDouble one(1.0);
    ContractionTracker tracker(3);
    for (Round k = 0; k < 40; ++k)
    {
        tracker.AddRound(k, {{{0, k, one}, {1, k, one}}, {{0, k, one}, {1, k, one}}, {}});
    }
    EXPECT_NEAR(tracker.LongRunQ(), 1.0, 1e-12);
}

TEST(LongRun, SharesTakenBackAreCarriersOfTheirSender)
{
    // Node 0 sends half to node 1; it is lost, and node 0 takes it back two rounds later.
    const ScaledDouble half(0.5);
    const ScaledDouble one(1.0);
    ContractionTracker tracker(2);
    tracker.AddRound(0, {{{0, 0, half}}, {{1, 0, one}}});
    tracker.AddRound(1, {{{0, 1, half}}, {{1, 1, one}}});
    EXPECT_NEAR(tracker.CloseWindow().smallestWeight, 2.0 / 3.0, 1e-15);
    tracker.AddRound(2, {{{0, 2, half}, {0, 0, half}}, {{1, 2, one}}});
    const WindowResult result = tracker.CloseWindow();
    EXPECT_NEAR(result.effectiveNodes, 2.0, 1e-12) << "nothing is lost in the end";
    EXPECT_NEAR(result.contraction, 1.0, 1e-12) << "and no node heard another";
    EXPECT_EQ(result.worstPair, 1.0);
    EXPECT_FALSE(result.stronglyConnected);
    EXPECT_EQ(result.smallestWeight, 1.0);
    EXPECT_EQ(result.largestWeight, 1.0);
}

TEST(LongRun, ThePapersBoundRanksRingAndExponentialTheWrongWayRound)
{
    const TopologyBound ring = ComputeTopologyBound(*MakeGraphSequence("ring", 20, {}));
    const TopologyBound exponential =
        ComputeTopologyBound(*MakeGraphSequence("exponential", 20, {}));
    EXPECT_GT(exponential.q, ring.q) << "says that the ring is better";
    EXPECT_NEAR(ring.oneMinusQ, 1.907e-6, 1e-9);
    EXPECT_NEAR(exponential.oneMinusQ, 9.08e-7, 1e-9);
    EXPECT_LT(LongRunQ("exponential", 20, 200), 0.75);
    EXPECT_GT(LongRunQ("ring", 20, 2000), 0.98) << "is far worse";
}

TEST(LongRun, DiametersOfNamedGraphs)
{
    for (const std::size_t nodes : {3U, 20U, 64U, 65U, 200U})
    {
        const auto diameter = [nodes](const char* topology) {
            return ComputeTopologyBound(*MakeGraphSequence(topology, nodes, {})).diameter;
        };
        EXPECT_EQ(diameter("ring"), nodes - 1);
        EXPECT_EQ(diameter("undirected-ring"), nodes / 2);
        EXPECT_EQ(diameter("complete"), 1U);
        EXPECT_EQ(diameter("star"), 2U);
    }
    // In the union of an exponential's hops a distance takes as many links as it has binary ones,
    // and at most one less than the number of hops where n is no power of two.
    EXPECT_EQ(ComputeTopologyBound(*MakeGraphSequence("exponential", 64, {})).diameter, 6U);
    EXPECT_EQ(ComputeTopologyBound(*MakeGraphSequence("exponential", 20, {})).diameter, 4U);
}

} // namespace
} // namespace dpdl
