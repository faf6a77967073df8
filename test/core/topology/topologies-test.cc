// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../pieces.h"
#include "../usage-message.h"
#include "dpdl/topology/topologies.h"

#include <algorithm>

namespace dpdl
{
namespace
{

using Neighbours = std::vector<NodeId>;

std::shared_ptr<const GraphSequence>
Make(const std::string& specification, std::size_t nodes)
{
    return MakeGraphSequence(specification, nodes, {});
}

std::string
MessageFor(const std::string& specification, std::size_t nodes)
{
    return UsageMessage([&]() { Make(specification, nodes); });
}

const std::vector<std::string> ALL =
    Pieces("exponential ring out-degree:2 complete star lollipop undirected-ring "
           "alternating-exponential exponential-peers:1 random-static:0.5");

TEST(Topologies, HaveTheEdgesTheyPromise)
{
    EXPECT_EQ(Make("ring", 5)->OutNeighbours(4, 9), (Neighbours{0}));
    EXPECT_EQ(Make("out-degree:3", 5)->OutNeighbours(3, 0), (Neighbours{0, 4}));
    EXPECT_EQ(Make("complete", 4)->OutNeighbours(2, 0), (Neighbours{0, 1, 3}));
    EXPECT_EQ(Make("star", 4)->OutNeighbours(0, 0), (Neighbours{1, 2, 3}));
    EXPECT_EQ(Make("star", 4)->OutNeighbours(3, 0), (Neighbours{0}));
    const auto lollipop = Make("lollipop", 7);
    EXPECT_EQ(lollipop->OutNeighbours(0, 0), (Neighbours{1, 2, 3}));
    EXPECT_EQ(lollipop->OutNeighbours(1, 0), (Neighbours{0, 2}));
    EXPECT_EQ(lollipop->OutNeighbours(3, 0), (Neighbours{4}));
    EXPECT_EQ(lollipop->OutNeighbours(6, 0), (Neighbours{0}));
}

TEST(Topologies, ExponentialHopsDoubleAndStartAgain)
{
    const std::vector<std::pair<std::size_t, Round>>
        periods{{2, 1}, {3, 2}, {8, 3}, {10, 4}, {16, 4}, {17, 5}, {20, 5}, {40, 6}};
    for (const auto& [nodes, period] : periods)
    {
        const auto graph = Make("exponential", nodes);
        ASSERT_EQ(graph->Period(), period) << nodes;
        for (Round k = 0; k < 3 * period; ++k)
        {
            const auto hop = static_cast<NodeId>(1U << (k % period));
            EXPECT_EQ(graph->OutNeighbours(1, k), (Neighbours{(1 + hop) % NodeId(nodes)}));
        }
    }
}

TEST(Topologies, InNeighboursAreOutNeighboursTransposed)
{
    for (const std::string& topology : ALL)
    {
        for (const std::size_t nodes : {2U, 3U, 7U, 20U})
        {
            const auto graph = Make(topology, nodes);
            ASSERT_EQ(graph->Nodes(), nodes);
            for (Round k = 0; k < graph->Period(); ++k)
            {
                std::vector<Neighbours> senders(nodes);
                for (NodeId i = 0; i < nodes; ++i)
                {
                    const Neighbours& out = graph->OutNeighbours(i, k);
                    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
                    EXPECT_EQ(std::count(out.begin(), out.end(), i), 0);
                    for (const NodeId j : out)
                    {
                        senders[j].push_back(i);
                    }
                }
                for (NodeId j = 0; j < nodes; ++j)
                {
                    EXPECT_EQ(graph->InNeighbours(j, k), senders[j]) << topology << nodes;
                }
            }
        }
    }
}

TEST(Topologies, WeightsOfASenderSumToOne)
{
    for (const std::string& topology : ALL)
    {
        const auto graph = Make(topology, 20);
        for (NodeId i = 0; i < 20; ++i)
        {
            double sum = graph->Weight(i, i, 3);
            for (const NodeId target : graph->OutNeighbours(i, 3))
            {
                sum += graph->Weight(i, target, 3);
            }
            EXPECT_NEAR(sum, 1.0, 1e-14) << topology;
        }
    }
    EXPECT_EQ(Make("out-degree:4", 20)->Weight(5, 5, 0), 0.25) << "D counts the share kept";
}

TEST(Topologies, RefuseMistakesInOneSentence)
{
    for (const auto& [specification, expected] : MistakesOf("topology"))
    {
        const std::string message = MessageFor(specification, 6);
        EXPECT_EQ(message.rfind("option 'topology'", 0), 0U) << message;
        EXPECT_NE(message.find(expected), std::string::npos) << message;
    }
    for (const std::string& topology : ALL)
    {
        for (const std::size_t nodes : {0U, 1U})
        {
            EXPECT_EQ(MessageFor(topology, nodes),
                      "option 'topology': '" + topology +
                          "' is not accepted; expected at least 2 nodes, not " +
                          std::to_string(nodes));
        }
    }
}

TEST(Topologies, ForecastsAreWithinAFactorOfTwoOfTheMeanDegree)
{
    constexpr NodeId nodes = 64;
    std::vector<std::string> specifications{"hypercube",
                                            "permuted-hypercube",
                                            "bipartite-linear",
                                            "base:2",
                                            "equi-static:5",
                                            "equi-dynamic:5",
                                            "none",
                                            "server",
                                            "random:0.1",
                                            "random-out:3",
                                            "pairwise",
                                            "small-world:6,0.1",
                                            "radius:200"};
    specifications.insert(specifications.end(), ALL.begin(), ALL.end());
    for (const std::string& specification : specifications)
    {
        const auto graph = Make(specification, nodes);
        const Round rounds = std::max<Round>(graph->Period(), 1);
        double degree = 0.0;
        for (NodeId i = 0; i < nodes * rounds; ++i)
        {
            degree += static_cast<double>(graph->OutNeighbours(i % nodes, i / nodes).size());
        }
        degree /= nodes * static_cast<double>(rounds);
        EXPECT_LE(ForecastDegree(specification, nodes), 2.0 * degree) << specification;
        EXPECT_LE(degree, 2.0 * ForecastDegree(specification, nodes)) << specification;
    }
    EXPECT_EQ(ForecastDegree("complete", 1000000), 999999.0);
    EXPECT_EQ(ForecastDegree("file:absent.txt", 1000), 2.0);
}

TEST(Topologies, DescribeThemselves)
{
    for (const PartInfo& info : Topologies().List())
    {
        EXPECT_FALSE(info.summary.empty()) << info.name;
        EXPECT_FALSE(info.source.empty()) << info.name;
    }
}

} // namespace
} // namespace dpdl
