// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/topologies.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace dpdl
{
namespace
{

constexpr RandomSeed SEED{7, 1};

TEST(EquiGraphs, AllDistancesTogetherAreTheAverage)
{
    for (const std::size_t nodes : {2U, 3U, 7U, 20U})
    {
        const auto graph =
            MakeGraphSequence("equi-static:" + std::to_string(nodes - 1), nodes, SEED);
        for (NodeId source = 0; source < nodes; ++source)
        {
            for (NodeId target = 0; target < nodes; ++target)
            {
                EXPECT_NEAR(graph->Weight(source, target, 0), 1.0 / nodes, 1e-15);
            }
        }
    }
}

TEST(EquiGraphs, AreDoublyStochasticAndUseTheSameDistancesForAll)
{
    for (const std::size_t nodes : {2U, 7U, 20U, 65U})
    {
        for (const std::size_t hops : {std::size_t{1}, nodes / 2, nodes - 1})
        {
            const std::string argument = ":" + std::to_string(hops);
            const auto all = MakeGraphSequence("equi-static" + argument, nodes, SEED);
            const auto one = MakeGraphSequence("equi-dynamic" + argument, nodes, SEED);
            EXPECT_EQ(all->OutNeighbours(0, 0).size(), hops);
            std::set<NodeId> used;
            for (Round round = 0; round < 200; ++round)
            {
                EXPECT_LE(ColumnError(*all, round), 1e-12);
                EXPECT_LE(RowError(*all, round), 1e-12);
                EXPECT_LE(ColumnError(*one, round), 1e-12);
                EXPECT_LE(RowError(*one, round), 1e-12);
                const NodeId hop = one->OutNeighbours(0, round).at(0);
                used.insert(hop);
                for (NodeId node = 0; node < nodes; ++node)
                {
                    const NodeId peer = static_cast<NodeId>((node + hop) % nodes);
                    EXPECT_EQ(one->OutNeighbours(node, round), (std::vector<NodeId>{peer}));
                    EXPECT_DOUBLE_EQ(one->Weight(node, peer, round), 0.5 * (nodes - 1.0) / nodes);
                }
            }
            const std::vector<NodeId>& possible = all->OutNeighbours(0, 0);
            EXPECT_TRUE(std::includes(possible.begin(), possible.end(), used.begin(), used.end()));
            EXPECT_TRUE(hops > 10 || used.size() == hops) << "each of few is drawn in 200 rounds";
        }
    }
}

/// The paper's purpose: a contraction that does not depend on the number of nodes.
TEST(EquiGraphs, ContractAsWellWithManyNodes)
{
    for (const std::size_t nodes : {50U, 200U, 800U})
    {
        DesignedContraction designed(MakeGraphSequence("equi-static:16", nodes, SEED));
        designed.AddRound();
        EXPECT_LT(designed.CloseWindow().q, 0.75) << nodes;
    }
}

TEST(EquiGraphs, RefuseNumbersOfDistancesThatThereAreNot)
{
    for (const std::string name : {"equi-static", "equi-dynamic", "random-out"})
    {
        for (const char* argument : {"0", "20", "x", "1,2"})
        {
            const std::string message =
                UsageMessage([&]() { MakeGraphSequence(name + ":" + argument, 20, SEED); });
            EXPECT_NE(message.find(name + ":"), std::string::npos);
            EXPECT_NE(message.find("in 1..19"), std::string::npos) << message;
        }
    }
}

TEST(RandomOut, SendsToDifferentNodesEachWithTheSameProbability)
{
    constexpr std::size_t NODES = 9;
    constexpr std::size_t PEERS = 3;
    constexpr Round ROUNDS = 4000;
    const auto graph = MakeGraphSequence("random-out:3", NODES, SEED);
    std::vector<std::size_t> counts(NODES * NODES, 0);
    for (Round round = 0; round < ROUNDS; ++round)
    {
        for (NodeId node = 0; node < NODES; ++node)
        {
            ASSERT_EQ(graph->OutNeighbours(node, round).size(), PEERS);
            for (const NodeId peer : graph->OutNeighbours(node, round))
            {
                ++counts[node * NODES + peer];
            }
        }
    }
    const double p = static_cast<double>(PEERS) / (NODES - 1);
    const double deviation = std::sqrt(ROUNDS * p * (1.0 - p));
    for (std::size_t pair = 0; pair < counts.size(); ++pair)
    {
        const bool isSelf = pair % (NODES + 1) == 0;
        EXPECT_NEAR(counts[pair], isSelf ? 0.0 : ROUNDS * p, isSelf ? 0.0 : 5.0 * deviation);
    }
    const auto one = MakeGraphSequence("random-out:1", NODES, SEED);
    const auto peer = MakeGraphSequence("random-peer", NODES, SEED);
    EXPECT_EQ(one->OutNeighbours(4, 11), peer->OutNeighbours(4, 11));
}

} // namespace
} // namespace dpdl
