// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace dpdl
{
namespace
{

std::shared_ptr<const GraphSequence>
MakeGraphs(const std::string& specification, std::size_t nodes)
{
    return MakeGraphSequence(specification, nodes, {});
}

/// How far one period is from the average: the largest error over all who start with a unit.
double
AverageError(const GraphSequence& graphs)
{
    const std::size_t n = graphs.Nodes();
    double worst = 0.0;
    for (std::size_t start = 0; start < n; ++start)
    {
        std::vector<double> x(n, 0.0);
        x[start] = 1.0;
        for (Round round = 0; round < graphs.Period(); ++round)
        {
            std::vector<double> mixed(n, 0.0);
            for (NodeId node = 0; node < n; ++node)
            {
                mixed[node] += graphs.Weight(node, node, round) * x[node];
                for (const NodeId peer : graphs.OutNeighbours(node, round))
                {
                    mixed[peer] += graphs.Weight(node, peer, round) * x[node];
                }
            }
            x = mixed;
        }
        for (const double value : x)
        {
            worst = std::max(worst, std::abs(value - 1.0 / static_cast<double>(n)));
        }
    }
    return worst;
}

/// Doubly stochastic in every round, exact after one period, never more than some peers.
void
ExpectExactAverage(const std::string& topology, std::size_t nodes, std::size_t peers)
{
    const auto graphs = MakeGraphs(topology, nodes);
    EXPECT_LE(AverageError(*graphs), 1e-12) << topology << " " << nodes;
    for (Round round = 0; round < graphs->Period(); ++round)
    {
        EXPECT_LE(ColumnError(*graphs, round), 1e-12);
        EXPECT_LE(RowError(*graphs, round), 1e-12);
        for (NodeId node = 0; node < nodes; ++node)
        {
            EXPECT_LE(graphs->OutNeighbours(node, round).size(), peers);
            EXPECT_EQ(graphs->OutNeighbours(node, round), graphs->InNeighbours(node, round));
        }
    }
}

TEST(FiniteTimeGraphs, OnePeriodIsTheAverageOfAnyNumberOfNodes)
{
    for (std::size_t nodes = 2; nodes <= 64; ++nodes)
    {
        for (std::size_t peers = 1; peers <= std::min<std::size_t>(4, nodes - 1); ++peers)
        {
            const std::string topology = "base:" + std::to_string(peers);
            ExpectExactAverage(topology, nodes, peers);
            const double digits = std::log(nodes) / std::log(peers + 1.0);
            EXPECT_LE(MakeGraphs(topology, nodes)->Period(), 2.0 * digits + 2.0 + 1e-9) << nodes;
        }
    }
}

TEST(FiniteTimeGraphs, AHypercubeFlipsOneBitAfterAnother)
{
    for (const std::size_t nodes : {2U, 4U, 16U, 64U})
    {
        ExpectExactAverage("hypercube", nodes, 1);
        const auto graphs = MakeGraphs("hypercube", nodes);
        const auto base = MakeGraphs("base:1", nodes);
        EXPECT_EQ(std::size_t{1} << graphs->Period(), nodes);
        for (Round round = 0; round < 2 * graphs->Period(); ++round)
        {
            const NodeId bit = NodeId{1} << (round % graphs->Period());
            for (NodeId node = 0; node < nodes; ++node)
            {
                EXPECT_EQ(graphs->OutNeighbours(node, round), (std::vector<NodeId>{node ^ bit}));
                EXPECT_EQ(graphs->OutNeighbours(node, round), base->OutNeighbours(node, round));
            }
        }
    }
}

TEST(FiniteTimeGraphs, APermutedHypercubeIsAHypercubeWithOtherNumbersInEveryPhase)
{
    constexpr std::size_t NODES = 16;
    constexpr Round PHASES = 2000;
    const auto graphs = MakeGraphs("permuted-hypercube", NODES);
    std::size_t firstPartner[NODES] = {};
    for (Round phase = 0; phase < PHASES; ++phase)
    {
        // Whose input node 0 hears in which round: 1, 2, 4 and 8 nodes, all of them once.
        std::set<NodeId> known{0};
        for (Round round = 4 * phase; round < 4 * phase + 4; ++round)
        {
            for (const NodeId node : std::set<NodeId>(known))
            {
                ASSERT_EQ(graphs->OutNeighbours(node, round).size(), 1u);
                ASSERT_EQ(graphs->OutNeighbours(node, round), graphs->InNeighbours(node, round));
                known.insert(graphs->OutNeighbours(node, round)[0]);
            }
            ASSERT_EQ(known.size(), std::size_t{2} << (round % 4));
        }
        ++firstPartner[graphs->OutNeighbours(0, 4 * phase)[0]];
    }
    const double p = 1.0 / (NODES - 1);
    for (NodeId node = 1; node < NODES; ++node)
    {
        EXPECT_NEAR(firstPartner[node], PHASES * p, 5.0 * std::sqrt(PHASES * p * (1.0 - p)));
    }
}

TEST(FiniteTimeGraphs, TakeAsFewRoundsAsTheirPeersAllow)
{
    EXPECT_EQ(MakeGraphs("base:3", 16)->Period(), 2u);
    EXPECT_EQ(MakeGraphs("base:4", 12)->Period(), 2u) << "4 * 3, not 3 * 2 * 2";
    EXPECT_EQ(MakeGraphs("base:5", 36)->Period(), 2u);
    EXPECT_EQ(MakeGraphs("base:19", 20)->Period(), 1u) << "complete";
    EXPECT_EQ(MakeGraphs("base:1", 5)->Period(), 5u) << "2 to average 4 nodes, 1 with the 5th, 2";
    EXPECT_EQ(MakeGraphs("base:1", 6)->Period(), 4u) << "3 pairs of base:1 are longer";
}

TEST(FiniteTimeGraphs, RefuseNumbersOfNodesThatTheyDoNotAverage)
{
    EXPECT_EQ(
        UsageMessage([]() { MakeGraphs("hypercube", 12); }),
        "option 'topology': 'hypercube' is not accepted; expected 2, 4, 8, ... nodes, not 12");
    for (const char* argument : {"0", "20", "x", "1,2"})
    {
        const std::string message =
            UsageMessage([&]() { MakeGraphs(std::string("base:") + argument, 20); });
        EXPECT_NE(message.find("expected base:K with K in 1..19"), std::string::npos)
            << argument << ": " << message;
    }
}

} // namespace
} // namespace dpdl
