// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/topology-warnings.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dpdl
{
namespace
{

using Neighbours = std::vector<NodeId>;

const std::vector<std::string> RANDOM{"random:0.3",
                                      "random-static:0.3",
                                      "random-peer",
                                      "pairwise",
                                      "small-world:4,0.3",
                                      "radius:400"};

std::size_t
Degree(const GraphSequence& graph, NodeId node, Round round)
{
    return graph.OutNeighbours(node, round).size();
}

/// All edges of a round, as n * n flags.
std::vector<bool>
EdgesOf(const GraphSequence& graph, Round round)
{
    const std::size_t nodes = graph.Nodes();
    std::vector<bool> edges(nodes * nodes, false);
    for (NodeId i = 0; i < nodes; ++i)
    {
        for (const NodeId j : graph.OutNeighbours(i, round))
        {
            edges[i * nodes + j] = true;
        }
    }
    return edges;
}

TEST(RandomGraphs, AreColumnStochasticAndTheSameInAnyOrderOfAsking)
{
    for (const std::string& topology : RANDOM)
    {
        for (const std::size_t nodes : {6U, 65U, 130U})
        {
            const auto forwards = MakeGraphSequence(topology, nodes, {7, 2});
            const auto backwards = MakeGraphSequence(topology, nodes, {7, 2});
            for (Round k = 0; k < 200; ++k)
            {
                ASSERT_LT(ColumnError(*forwards, k), 1e-14) << topology << nodes;
                backwards->OutNeighbours(0, 199 - k);
            }
            for (const Round k : {0U, 3U, 150U, 199U})
            {
                ASSERT_EQ(EdgesOf(*forwards, k), EdgesOf(*backwards, k)) << topology << nodes;
            }
            const auto other = MakeGraphSequence(topology, nodes, {8, 2});
            EXPECT_NE(EdgesOf(*forwards, 0), EdgesOf(*other, 0)) << topology << nodes;
            const bool changes = EdgesOf(*forwards, 0) != EdgesOf(*forwards, 1);
            EXPECT_EQ(changes, forwards->Period() == 0) << topology << nodes;
        }
    }
}

TEST(RandomGraphs, EveryEdgeIsThereWithItsProbability)
{
    constexpr std::size_t NODES = 40;
    constexpr Round ROUNDS = 500;
    const std::vector<std::pair<std::string, double>> frequencies{
        {"random:0.3", 0.3},
        {"random:0.01", 0.01},
        {"random:1", 1.0},
        {"random-peer", 1.0 / (NODES - 1)}};
    for (const auto& [topology, probability] : frequencies)
    {
        const auto graph = MakeGraphSequence(topology, NODES, {11, 1});
        std::vector<double> counts(NODES * NODES, 0.0);
        for (Round k = 0; k < ROUNDS; ++k)
        {
            for (NodeId i = 0; i < NODES; ++i)
            {
                for (const NodeId j : graph->OutNeighbours(i, k))
                {
                    counts[i * NODES + j] += 1.0;
                }
            }
        }
        // Chi-squared over the pairs: mean and variance of a binomial count's squared deviation.
        const double variance = ROUNDS * probability * (1.0 - probability);
        double sum = 0.0;
        for (std::size_t pair = 0; pair < counts.size(); ++pair)
        {
            const bool self = pair / NODES == pair % NODES;
            const double excess = counts[pair] - (self ? 0.0 : ROUNDS * probability);
            ASSERT_TRUE(variance > 0.0 || excess == 0.0);
            ASSERT_TRUE(!self || excess == 0.0);
            sum += variance > 0.0 ? excess * excess / variance : 0.0;
        }
        const double pairs = NODES * (NODES - 1.0);
        if (variance > 0.0)
        {
            // Kurtosis of a rare edge's count makes the sum's variance larger than 2 a pair.
            const double spread = std::sqrt(pairs * (2.0 + 1.0 / variance));
            EXPECT_NEAR(sum, pairs, 5.0 * spread) << topology;
        }
    }
}

TEST(RandomGraphs, SmallWorldsKeepTheirEdges)
{
    for (const double probability : {0.0, 0.1, 1.0})
    {
        const std::string topology = "small-world:6," + std::to_string(probability);
        const auto graph = MakeGraphSequence(topology, 100, {3, 1});
        std::size_t edges = 0;
        std::size_t rewired = 0;
        const std::vector<bool> joined = EdgesOf(*graph, 0);
        for (NodeId i = 0; i < 100; ++i)
        {
            edges += Degree(*graph, i, 0);
            for (const NodeId j : graph->OutNeighbours(i, 0))
            {
                EXPECT_TRUE(joined[j * 100 + i]) << "both ways";
                const NodeId distance = std::min((i + 100 - j) % 100, (j + 100 - i) % 100);
                rewired += distance > 3 ? 1 : 0;
            }
            EXPECT_GE(Degree(*graph, i, 0), 3U) << "an edge keeps its near end";
        }
        EXPECT_EQ(edges, 600U);
        // A rewired edge lands within the lattice with probability below 6 / 99.
        EXPECT_NEAR(rewired / 600.0, probability * 0.95, probability > 0 ? 0.1 : 0.0);
    }
    const auto lattice = MakeGraphSequence("small-world:2,0", 5, {});
    const auto ring = MakeGraphSequence("undirected-ring", 5, {});
    EXPECT_EQ(EdgesOf(*lattice, 0), EdgesOf(*ring, 0));
}

TEST(RandomGraphs, RadiusJoinsWhoIsWithinReach)
{
    const auto graph = MakeGraphSequence("radius:25,100", 200, {5, 1});
    const std::vector<bool> joined = EdgesOf(*graph, 0);
    double reached = 0.0;
    for (NodeId i = 0; i < 200; ++i)
    {
        const Position a = graph->PositionOf(i).value();
        EXPECT_TRUE(a.x >= 0.0 && a.x < 100.0 && a.y >= 0.0 && a.y < 100.0);
        for (NodeId j = 0; j < 200; ++j)
        {
            const double square = SquaredDistance(a, graph->PositionOf(j).value());
            EXPECT_EQ(joined[i * 200 + j], i != j && square <= 625.0);
            reached += joined[i * 200 + j] ? 1.0 : 0.0;
        }
    }
    // A disc of a quarter of the side, less what the borders cut off: pi t^2 - 8/3 t^3 + t^4 / 2.
    EXPECT_NEAR(reached / (200.0 * 199.0), 0.1567, 0.02);
    const auto everybody = MakeGraphSequence("radius:1500", 9, {5, 1});
    EXPECT_EQ(Degree(*everybody, 4, 0), 8U) << "the default square has sides of 1000 m";
    EXPECT_FALSE(MakeGraphSequence("ring", 9, {})->PositionOf(0).has_value());
}

TEST(RandomGraphs, TheLastGraphStaysWhileAnotherIsMade)
{
    const auto graph = MakeGraphSequence("random-peer", 9, {2, 1});
    for (Round round = 0; round < 2000; ++round)
    {
        const Round last = round * 37 % 101;
        const Neighbours* const held = &graph->OutNeighbours(0, last);
        graph->OutNeighbours(0, round * 53 % 97);
        EXPECT_EQ(held, &graph->OutNeighbours(0, last)) << round;
    }
}

TEST(RandomGraphs, RandomPeersContractAsKempeSays)
{
    // The spread of z falls by about 0.5 + 0.5 / n in square a round (Kempe, Dobra, Gehrke 2003).
    DesignedContraction designed(MakeGraphSequence("random-peer", 64, {2, 1}));
    for (Round k = 0; k < 200; ++k)
    {
        designed.AddRound();
    }
    EXPECT_NEAR(designed.LongRunQ(), std::sqrt(0.5), 0.06);
}

TEST(RandomGraphs, PairsAreMatchingsOfAllNodes)
{
    constexpr Round ROUNDS = 4000;
    for (const std::size_t nodes : {2U, 5U, 6U})
    {
        const auto graph = MakeGraphSequence("pairwise", nodes, {4, 1});
        std::vector<double> meetings(nodes * nodes, 0.0);
        for (Round k = 0; k < ROUNDS; ++k)
        {
            std::size_t alone = 0;
            for (NodeId i = 0; i < nodes; ++i)
            {
                ASSERT_LE(Degree(*graph, i, k), 1U);
                ASSERT_EQ(graph->OutNeighbours(i, k), graph->InNeighbours(i, k)) << "both ways";
                if (Degree(*graph, i, k) == 0)
                {
                    ++alone;
                    continue;
                }
                ASSERT_EQ(graph->Weight(i, i, k), 0.5);
                meetings[i * nodes + graph->OutNeighbours(i, k).front()] += 1.0;
            }
            ASSERT_EQ(alone, nodes % 2);
        }
        // A node's partner is each of the others with the same probability.
        const double probability = 1.0 / static_cast<double>(nodes - 1 + nodes % 2);
        const double spread = std::sqrt(ROUNDS * probability * (1.0 - probability));
        for (std::size_t pair = 0; pair < meetings.size(); ++pair)
        {
            const bool self = pair / nodes == pair % nodes;
            EXPECT_NEAR(meetings[pair], self ? 0.0 : ROUNDS * probability, 5.0 * spread);
        }
    }
}

TEST(RandomGraphs, PairsContractByTheVarianceTheyKeep)
{
    // Averaging in pairs keeps a variance of (n - 2) / (2 (n - 1)) of it in the mean.
    DesignedContraction designed(MakeGraphSequence("pairwise", 64, {2, 1}));
    for (Round k = 0; k < 200; ++k)
    {
        designed.AddRound();
    }
    EXPECT_NEAR(designed.LongRunQ(), std::sqrt(62.0 / 126.0), 0.06);
}

/// Whom a node sends to in the rounds of a period, one peer a round.
std::vector<NodeId>
PhoneBook(const std::string& topology, std::size_t nodes, NodeId node)
{
    const auto graph = MakeGraphSequence(topology, nodes, {});
    std::vector<NodeId> peers;
    for (Round k = 0; k < graph->Period(); ++k)
    {
        EXPECT_LT(RowError(*graph, k), 1e-14) << topology;
        peers.push_back(graph->OutNeighbours(node, k).at(0));
    }
    return peers;
}

TEST(PublishedGraphs, PeersComeInTheOrderOfThePublicCode)
{
    using Book = std::vector<NodeId>;
    EXPECT_EQ(PhoneBook("alternating-exponential", 8, 0), (Book{1, 7, 2, 6, 4}));
    EXPECT_EQ(PhoneBook("alternating-linear", 8, 0), (Book{1, 7, 3, 5}));
    EXPECT_EQ(PhoneBook("alternating-linear", 5, 0), (Book{1, 4, 3, 2}));
    EXPECT_EQ(PhoneBook("bipartite-exponential", 8, 1), (Book{2, 0, 4, 6}));
    EXPECT_EQ(PhoneBook("bipartite-exponential", 8, 2), (Book{1, 3, 7, 5}));
    EXPECT_EQ(PhoneBook("bipartite-exponential", 12, 1), (Book{2, 0, 4, 10, 6, 8}));
    EXPECT_EQ(PhoneBook("bipartite-linear", 10, 0), (Book{9, 1, 7, 3, 5}));
    EXPECT_EQ(PhoneBook("bipartite-linear", 2, 0), (Book{1}));
    for (const char* topology : {"bipartite-exponential", "bipartite-linear"})
    {
        const auto graph = MakeGraphSequence(topology, 12, {});
        for (Round k = 0; k < graph->Period(); ++k)
        {
            for (NodeId node = 0; node < 12; ++node)
            {
                EXPECT_EQ(graph->OutNeighbours(node, k), graph->InNeighbours(node, k)) << topology;
            }
        }
        EXPECT_THROW(MakeGraphSequence(topology, 7, {}), UsageError);
    }
}

TEST(PublishedGraphs, OnlyDoublyStochasticGraphsPassAsSuch)
{
    for (const char* topology : {"ring", "strides", "alternating-linear", "complete"})
    {
        EXPECT_NO_THROW(
            RequireDoublyStochastic(*MakeGraphSequence(topology, 8, {}), topology, "d-psgd"));
    }
    for (const char* topology : {"star", "lollipop", "random:0.5", "random-peer"})
    {
        EXPECT_THROW(
            RequireDoublyStochastic(*MakeGraphSequence(topology, 8, {}), topology, "d-psgd"),
            UsageError)
            << topology;
    }
}

TEST(PublishedGraphs, HaveTheEdgesTheyPromise)
{
    const auto strides = MakeGraphSequence("strides", 8, {});
    EXPECT_EQ(strides->Period(), 3U);
    EXPECT_EQ(strides->OutNeighbours(1, 0), (Neighbours{2, 3, 4}));
    EXPECT_EQ(strides->OutNeighbours(1, 1), (Neighbours{3, 5, 7}));
    EXPECT_EQ(strides->OutNeighbours(1, 2), (Neighbours{5})) << "4, 8 and 12 ahead";
    const auto alternating = MakeGraphSequence("alternating-exponential", 6, {});
    EXPECT_EQ(alternating->Period(), 4U) << "4 ahead is 2 behind";
    EXPECT_EQ(alternating->OutNeighbours(0, 2), (Neighbours{2}));
    EXPECT_EQ(alternating->OutNeighbours(0, 3), (Neighbours{4}));
    const auto peers = MakeGraphSequence("exponential-peers:2", 10, {});
    EXPECT_EQ(peers->Period(), 3U);
    EXPECT_EQ(peers->OutNeighbours(0, 1), (Neighbours{3, 6}));
    EXPECT_EQ(peers->OutNeighbours(0, 2), (Neighbours{8, 9})) << "9 and 18 ahead";
    const auto both = MakeGraphSequence("undirected-ring", 8, {});
    EXPECT_EQ(both->OutNeighbours(0, 0), (Neighbours{1, 7}));
    EXPECT_DOUBLE_EQ(both->Weight(0, 0, 0), 1.0 / 3.0);
    const auto single = MakeGraphSequence("exponential-peers:1", 20, {});
    const auto exponential = MakeGraphSequence("exponential", 20, {});
    ASSERT_EQ(single->Period(), exponential->Period());
    for (Round k = 0; k < single->Period(); ++k)
    {
        EXPECT_EQ(EdgesOf(*single, k), EdgesOf(*exponential, k));
    }
    EXPECT_THROW(MakeGraphSequence("strides", 3, {}), UsageError);
}

} // namespace
} // namespace dpdl
