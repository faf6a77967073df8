// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
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
                const double share = graphs.OutWeight(node, round) * x[node];
                mixed[node] += share;
                for (const NodeId peer : graphs.OutNeighbours(node, round))
                {
                    mixed[peer] += share;
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

std::size_t
LargestPrimeFactor(std::size_t number)
{
    std::size_t largest = 1;
    for (std::size_t factor = 2; factor <= number; ++factor)
    {
        for (; number % factor == 0; number /= factor)
        {
            largest = factor;
        }
    }
    return largest;
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

TEST(FiniteTimeGraphs, OnePeriodIsTheAverageOfAll)
{
    std::size_t made = 0;
    for (std::size_t nodes = 2; nodes <= 64; ++nodes)
    {
        for (std::size_t peers = 1; peers <= std::min<std::size_t>(4, nodes - 1); ++peers)
        {
            const std::string topology = "base:" + std::to_string(peers);
            if (LargestPrimeFactor(nodes) > peers + 1)
            {
                EXPECT_NE(UsageMessage([&]() { MakeGraphs(topology, nodes); }), "") << nodes;
                continue;
            }
            ++made;
            ExpectExactAverage(topology, nodes, peers);
        }
    }
    EXPECT_EQ(made, 6u + 15u + 14u + 23u) << "products of 2, of 2 and 3 (twice), of 2, 3 and 5";
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

TEST(FiniteTimeGraphs, TakeAsFewRoundsAsTheirPeersAllow)
{
    EXPECT_EQ(MakeGraphs("base:3", 16)->Period(), 2u);
    EXPECT_EQ(MakeGraphs("base:4", 12)->Period(), 2u) << "4 * 3, not 3 * 2 * 2";
    EXPECT_EQ(MakeGraphs("base:5", 36)->Period(), 2u);
    EXPECT_EQ(MakeGraphs("base:19", 20)->Period(), 1u) << "complete";
}

TEST(FiniteTimeGraphs, RefuseNumbersOfNodesThatTheyDoNotAverage)
{
    EXPECT_EQ(
        UsageMessage([]() { MakeGraphs("hypercube", 12); }),
        "option 'topology': 'hypercube' is not accepted; expected 2, 4, 8, ... nodes, not 12");
    for (const char* argument : {"0", "20", "x", "1,2", "3"})
    {
        const std::string message =
            UsageMessage([&]() { MakeGraphs(std::string("base:") + argument, 20); });
        EXPECT_NE(message.find("no prime factor of the 20 nodes above K + 1"), std::string::npos)
            << argument << ": " << message;
    }
}

} // namespace
} // namespace dpdl
