// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"
#include "topology-oracles.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{
namespace
{

TopologyBound
BoundOf(const std::string& topology, std::size_t nodes)
{
    return ComputeTopologyBound(*MakeGraphSequence(topology, nodes, {}));
}

TopologyBound
BoundOf(std::size_t nodes, const std::vector<std::vector<Edge>>& phases)
{
    return ComputeTopologyBound(PeriodicGraphSequence(nodes, phases));
}

TEST(TopologyBound, AgreesWithTheOracles)
{
    const std::vector<TopologyOracle> oracles = TopologyOracles();
    ASSERT_GE(oracles.size(), 16U);
    for (const TopologyOracle& oracle : oracles)
    {
        SCOPED_TRACE(oracle.topology + " " + std::to_string(oracle.nodes));
        const TopologyBound bound = BoundOf(oracle.topology, oracle.nodes);
        EXPECT_TRUE(bound.stronglyConnected);
        EXPECT_EQ(bound.windowB, oracle.windowB);
        EXPECT_EQ(bound.diameter, oracle.diameter);
        EXPECT_DOUBLE_EQ(bound.minimumWeight, oracle.minimumWeight);
        EXPECT_NEAR(bound.oneMinusQ, oracle.oneMinusQ, 1e-11 * oracle.oneMinusQ);
        EXPECT_NEAR(bound.logOneMinusQ, std::log(oracle.oneMinusQ), 1e-10);
        EXPECT_EQ(bound.q, 1.0 - bound.oneMinusQ);
    }
}

TEST(TopologyBound, NodesTimesSmallestEntryIsAtMostOne)
{
    const std::vector<std::string> topologies{"exponential",
                                              "ring",
                                              "out-degree:2",
                                              "complete",
                                              "star",
                                              "lollipop"};
    for (const std::string& topology : topologies)
    {
        for (std::size_t nodes = 2; nodes < 70; nodes += 3)
        {
            const TopologyBound bound = BoundOf(topology, nodes);
            const double h = static_cast<double>(bound.diameter) * bound.windowB;
            EXPECT_LE(nodes * std::pow(bound.minimumWeight, h), 1.0 + 1e-14) << topology << nodes;
            EXPECT_GT(bound.oneMinusQ, 0.0) << topology << nodes;
            EXPECT_LE(bound.oneMinusQ, 1.0) << topology << nodes;
        }
    }
}

TEST(TopologyBound, CompleteGraphAveragesAtOnce)
{
    // 49 * (1.0 / 49) is not 1 in double precision.
    for (const std::size_t nodes : {2U, 20U, 49U, 98U, 300U})
    {
        EXPECT_EQ(BoundOf("complete", nodes).q, 0.0) << nodes;
    }
}

TEST(TopologyBound, KeepsItsLogarithmWhereOneMinusQUnderflows)
{
    const TopologyBound bound = BoundOf("lollipop", 600);
    const double h = 301.0;
    EXPECT_EQ(bound.diameter, 301U);
    EXPECT_EQ(bound.oneMinusQ, 0.0);
    EXPECT_NEAR(bound.logOneMinusQ,
                std::log(600.0) - h * std::log(301.0) - std::log(h + 1.0),
                1e-9);
}

TEST(TopologyBound, NamesTheSmallestWindowThatAlwaysConnects)
{
    // Forward in phase 0, backward in phase 3, silence between: only four rounds show both.
    const TopologyBound bound = BoundOf(2, {{{0, 1}}, {}, {}, {{1, 0}}});
    EXPECT_EQ(bound.windowB, 4U);
    EXPECT_EQ(bound.diameter, 1U);
    // A ring in phases 0 and 2 of 4: any two rounds have it, one round may not.
    const std::vector<Edge> ring{{0, 1}, {1, 2}, {2, 0}};
    EXPECT_EQ(BoundOf(3, {ring, {}, ring, {}}).windowB, 2U);
    EXPECT_EQ(BoundOf(3, {ring, {}, {}, ring, {}}).windowB, 3U);
}

/// Whether the edges of some rounds lead from every node to every other one.
bool
Connects(const std::vector<std::vector<Edge>>& phases, std::size_t first, std::size_t length)
{
    bool reached[4][4] = {};
    for (std::size_t k = first; k < first + length; ++k)
    {
        for (const Edge& edge : phases[k % phases.size()])
        {
            reached[edge.source][edge.target] = true;
        }
    }
    std::size_t pairs = 0;
    for (std::size_t middle = 0; middle < 4; ++middle)
    {
        for (std::size_t i = 0; i < 16; ++i)
        {
            reached[i / 4][i % 4] |= reached[i / 4][middle] && reached[middle][i % 4];
        }
    }
    for (std::size_t i = 0; i < 16; ++i)
    {
        pairs += i / 4 == i % 4 || reached[i / 4][i % 4] ? 1 : 0;
    }
    return pairs == 16;
}

TEST(TopologyBound, FindsTheWindowThatTryingAllWouldFind)
{
    std::size_t connected = 0;
    for (Round k = 0; k < 300; ++k)
    {
        const RandomStream random({2, 1}, RandomPurpose::TEST, 0, k);
        std::vector<std::vector<Edge>> phases(1 + random.Integer(0, 9));
        for (std::uint32_t p = 0; p < phases.size(); ++p)
        {
            for (NodeId i = 0; i < 16; ++i)
            {
                if (i / 4 != i % 4 && random.Integer(1 + 16 * p + i, 8) == 0)
                {
                    phases[p].push_back({i / 4, i % 4});
                }
            }
        }
        unsigned smallest = 0;
        for (unsigned length = static_cast<unsigned>(phases.size()); length > 0; --length)
        {
            bool always = true;
            for (std::size_t first = 0; first < phases.size(); ++first)
            {
                always = always && Connects(phases, first, length);
            }
            smallest = always ? length : smallest;
        }
        connected += smallest > 0 ? 1 : 0;
        EXPECT_EQ(BoundOf(4, phases).windowB, smallest) << "case " << k;
    }
    EXPECT_GT(connected, 30U);
    EXPECT_LT(connected, 270U);
}

TEST(TopologyBound, TakesTheLargestDiameterOfAllWindows)
{
    // Period 3 and B = 2: the windows are rounds 01, 20, 12.
    const std::vector<Edge> ring{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    const std::vector<Edge> both{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {0, 3}, {3, 0}};
    const TopologyBound bound = BoundOf(4, {both, ring, {}});
    EXPECT_EQ(bound.windowB, 2U);
    EXPECT_EQ(bound.diameter, 3U) << "rounds 1 and 2 have the ring only";
}

TEST(TopologyBound, SaysSoWhereNothingIsEverConnected)
{
    const TopologyBound bound = BoundOf(3, {{{0, 1}, {1, 0}}, {{1, 2}}});
    EXPECT_FALSE(bound.stronglyConnected);
    EXPECT_EQ(bound.windowB, 0U);
    EXPECT_EQ(bound.q, 1.0);
    EXPECT_EQ(bound.oneMinusQ, 0.0);
    EXPECT_EQ(bound.logOneMinusQ, -std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace dpdl
