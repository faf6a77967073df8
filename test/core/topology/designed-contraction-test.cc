// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"
#include "reference-network.h"
#include "topology-oracles.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

/// The designed contraction of the first window.
WindowResult
FirstWindow(std::shared_ptr<const GraphSequence> graph, unsigned rounds)
{
    DesignedContraction designed(std::move(graph));
    for (unsigned k = 0; k < rounds; ++k)
    {
        designed.AddRound();
    }
    return designed.CloseWindow();
}

WindowResult
FirstWindow(const std::string& topology, std::size_t nodes, unsigned rounds)
{
    return FirstWindow(MakeGraphSequence(topology, nodes, {}), rounds);
}

TEST(DesignedContraction, AgreesWithTheOracles)
{
    const std::vector<TopologyOracle> oracles = TopologyOracles();
    ASSERT_GE(oracles.size(), 16U);
    for (const TopologyOracle& oracle : oracles)
    {
        SCOPED_TRACE(oracle.topology + " " + std::to_string(oracle.nodes));
        DesignedContraction designed(MakeGraphSequence(oracle.topology, oracle.nodes, {}));
        for (std::size_t window = 0; window < 4; ++window)
        {
            for (unsigned k = 0; k < oracle.windowB; ++k)
            {
                designed.AddRound();
            }
            const WindowResult result = designed.CloseWindow();
            EXPECT_NEAR(result.contraction, oracle.sigma[window], 1e-9);
            EXPECT_NEAR(result.worstPair, oracle.dobrushin[window], 1e-9);
            const double q = oracle.sigma[window] < 1e-12
                                 ? 0.0
                                 : std::pow(oracle.sigma[window], 1.0 / oracle.windowB);
            EXPECT_NEAR(result.q, q, q == 0.0 ? 1e-7 : 1e-9);
            EXPECT_TRUE(result.stronglyConnected);
            EXPECT_EQ(result.firstRound, window * oracle.windowB);
            EXPECT_EQ(result.lastRound, (window + 1) * oracle.windowB - 1);
            EXPECT_NEAR(result.effectiveNodes, oracle.nodes, 1e-9);
            EXPECT_NEAR(result.largestInfluence, 1.0, 1e-9);
        }
        const auto [least, most] =
            std::minmax_element(designed.Weights().begin(), designed.Weights().end());
        EXPECT_NEAR(least->ToDouble(), oracle.smallestMass, 1e-9);
        EXPECT_NEAR(most->ToDouble(), oracle.largestMass, 1e-9);
    }
}

/// out-degree:d is a circulant: its singular values are known.
double
CirculantContraction(std::size_t nodes, std::size_t degree)
{
    double largest = 0.0;
    for (std::size_t k = 1; k < nodes; ++k)
    {
        const double angle = PI * k / nodes;
        largest = std::max(largest, std::fabs(std::sin(degree * angle) / std::sin(angle)) / degree);
    }
    return largest;
}

TEST(DesignedContraction, HasTheClosedFormsOfCirculants)
{
    for (const std::size_t nodes : {2U, 3U, 5U, 16U, 64U, 65U, 100U, 200U})
    {
        EXPECT_NEAR(FirstWindow("ring", nodes, 1).q, std::cos(PI / nodes), 1e-10) << nodes;
        for (const std::size_t degree : {2U, 3U, 7U, 40U})
        {
            if (degree <= nodes)
            {
                const std::string topology = "out-degree:" + std::to_string(degree);
                EXPECT_NEAR(FirstWindow(topology, nodes, 1).q,
                            CirculantContraction(nodes, degree),
                            degree == nodes ? 1e-7 : 1e-10)
                    << topology << ", " << nodes << " nodes";
            }
        }
    }
}

TEST(DesignedContraction, IsZeroWhereAWindowAveragesExactly)
{
    for (const unsigned rounds : {1U, 2U, 5U})
    {
        EXPECT_LT(FirstWindow("complete", 20, rounds).q, 1e-7);
        EXPECT_LT(FirstWindow("complete", 100, rounds).q, 1e-7);
    }
    for (const unsigned log2 : {1U, 3U, 6U, 7U})
    {
        const WindowResult result = FirstWindow("exponential", 1U << log2, log2);
        EXPECT_LT(result.q, 1e-7);
        EXPECT_LT(result.worstPair, 1e-12);
    }
}

/// The same graph under other names: node i becomes (7 i + 3) mod n.
std::shared_ptr<const GraphSequence>
Relabelled(const GraphSequence& graph)
{
    const std::size_t nodes = graph.Nodes();
    std::vector<std::vector<Edge>> phases(graph.Period());
    for (Round k = 0; k < graph.Period(); ++k)
    {
        for (NodeId i = 0; i < nodes; ++i)
        {
            for (const NodeId j : graph.OutNeighbours(i, k))
            {
                phases[k].push_back({static_cast<NodeId>((7 * i + 3) % nodes),
                                     static_cast<NodeId>((7 * j + 3) % nodes)});
            }
        }
    }
    return std::make_shared<PeriodicGraphSequence>(nodes, phases);
}

TEST(DesignedContraction, DoesNotCareForNames)
{
    for (const char* topology : {"exponential", "star", "lollipop", "out-degree:3"})
    {
        const auto graph = MakeGraphSequence(topology, 20, {});
        const WindowResult a = FirstWindow(graph, 5);
        const WindowResult b = FirstWindow(Relabelled(*graph), 5);
        EXPECT_NEAR(a.q, b.q, 1e-11) << topology;
        EXPECT_NEAR(a.worstPair, b.worstPair, 1e-12) << topology;
    }
}

TEST(DesignedContraction, AWindowContractsAtLeastAsMuchAsItsPartsTogether)
{
    for (const char* topology : {"exponential", "star", "lollipop", "out-degree:3"})
    {
        const auto graph = MakeGraphSequence(topology, 20, {});
        DesignedContraction parts(graph);
        parts.AddRound();
        parts.AddRound();
        WindowResult first = parts.CloseWindow();
        parts.AddRound();
        parts.AddRound();
        parts.AddRound();
        const WindowResult second = parts.CloseWindow();
        const WindowResult whole = FirstWindow(graph, 5);
        EXPECT_LE(whole.contraction, first.contraction * second.contraction + 1e-12) << topology;
        EXPECT_LE(whole.worstPair, first.worstPair * second.worstPair + 1e-12) << topology;
        EXPECT_NEAR(whole.effectiveNodes, second.effectiveNodes, 1e-9) << topology;
    }
}

} // namespace
} // namespace dpdl
