// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/topology/edge-list-file.h"
#include "dpdl/topology/topologies.h"

#include <cstdio>
#include <sstream>
#include <vector>

namespace dpdl
{
namespace
{

using Neighbours = std::vector<NodeId>;

std::shared_ptr<const GraphSequence>
Parse(const std::string& text, std::size_t nodes = 4)
{
    std::istringstream stream(text);
    return ParseEdgeList(stream, "g.txt", nodes);
}

std::string
MessageFor(const std::string& text)
{
    return UsageMessage([&]() { Parse(text); });
}

TEST(EdgeListFile, TwoColumnsAreAStaticGraph)
{
    const auto graph = Parse("# a comment\n\n 2 0\n0\t1 # another\r\n0 3");
    EXPECT_EQ(graph->Nodes(), 4U);
    EXPECT_EQ(graph->Period(), 1U);
    EXPECT_EQ(graph->OutNeighbours(0, 17), (Neighbours{1, 3}));
    EXPECT_EQ(graph->OutNeighbours(1, 0), (Neighbours{}));
    EXPECT_EQ(graph->InNeighbours(0, 0), (Neighbours{2}));
    EXPECT_DOUBLE_EQ(graph->Weight(0, 0, 0), 1.0 / 3.0);
    EXPECT_EQ(graph->Weight(1, 1, 0), 1.0) << "who sends nothing keeps everything";
}

TEST(EdgeListFile, ThreeColumnsAreACycle)
{
    const auto graph = Parse("phase source target\n3 1 2\n0 0 1\n3 0 2\n");
    EXPECT_EQ(graph->Period(), 4U);
    EXPECT_EQ(graph->OutNeighbours(0, 4), (Neighbours{1}));
    EXPECT_EQ(graph->OutNeighbours(0, 7), (Neighbours{2}));
    EXPECT_EQ(graph->InNeighbours(2, 3), (Neighbours{0, 1}));
    for (NodeId node = 0; node < 4; ++node)
    {
        EXPECT_TRUE(graph->OutNeighbours(node, 1).empty());
        EXPECT_TRUE(graph->OutNeighbours(node, 6).empty());
    }
}

TEST(EdgeListFile, FourColumnsHaveWeights)
{
    const auto graph = Parse("0 0 2 0.25\n0 0 1 0.5\n2 1 0 0.125\n");
    EXPECT_EQ(graph->Period(), 3U);
    EXPECT_EQ(graph->OutNeighbours(0, 0), (Neighbours{1, 2}));
    EXPECT_EQ(graph->Weight(0, 1, 3), 0.5);
    EXPECT_EQ(graph->Weight(0, 2, 3), 0.25);
    EXPECT_EQ(graph->Weight(0, 0, 3), 0.25) << "what is left";
    EXPECT_EQ(graph->Weight(1, 1, 2), 0.875);
    EXPECT_EQ(graph->Weight(2, 2, 1), 1.0) << "no edge in this phase";
}

TEST(EdgeListFile, AFirstLineNamesTheColumns)
{
    const std::string lines = "0 1 2\n0 2 1\n1 2 0\n2 1 0\n";
    EXPECT_NE(MessageFor(lines).find("'source target weight'"), std::string::npos) << "either";
    EXPECT_EQ(Parse("phase source target\n" + lines)->Period(), 3U);
    const auto graph = Parse("source target weight\n+0 1 0.5\n1 0 +0.25\n");
    EXPECT_EQ(graph->Period(), 1U);
    EXPECT_EQ(graph->Weight(1, 0, 5), 0.25);
    EXPECT_EQ(Parse("source target\n0 1\n")->OutNeighbours(0, 0), (Neighbours{1}));
}

TEST(EdgeListFile, NodesMayHavePositions)
{
    const std::string lines = "node 1 -5 2.5\n0 1\nnode 0 1e6 0 # far\n";
    const auto graph = Parse(lines, 2);
    EXPECT_EQ(graph->PositionOf(0)->x, 1e6);
    EXPECT_EQ(graph->PositionOf(1)->x, -5.0);
    EXPECT_EQ(graph->PositionOf(1)->y, 2.5);
    EXPECT_EQ(graph->OutNeighbours(0, 3), (Neighbours{1}));
    EXPECT_FALSE(Parse("0 1\n", 2)->PositionOf(0));
    EXPECT_NE(
        MessageFor(lines).find("no position for 2 of its nodes; expected one for all or none"),
        std::string::npos);
}

TEST(EdgeListFile, RefusesMistakesWithTheirLine)
{
    for (const auto& [text, expected] : MistakesOf("graph file"))
    {
        EXPECT_NE(MessageFor(text).find(expected), std::string::npos)
            << "got: " << MessageFor(text) << "\nexpected: " << expected;
    }
}

TEST(EdgeListFile, IsATopology)
{
    const std::string path = testing::TempDir() + "dpdl-edge-list-test.txt";
    std::ofstream(path) << "0 1\n1 0\n";
    const auto graph = MakeGraphSequence("file:" + path, 3, {});
    EXPECT_EQ(graph->OutNeighbours(1, 5), (Neighbours{0}));
    std::remove(path.c_str());
    EXPECT_THROW(MakeGraphSequence("file:" + path, 3, {}), UsageError) << "no such file";
    EXPECT_THROW(MakeGraphSequence("file:" + testing::TempDir(), 3, {}), UsageError) << "a folder";
}

TEST(EdgeListFile, SurvivesAnyBytes)
{
    const std::vector<std::string> texts{"# static\n0 1\n1 2\n2 3\n3 0\n",
                                         "0 0 1 # cycle\n0 1 0\n\n1 3 2\r\n1 2 3\n",
                                         "0 0 1 0.5\n0 0 2 0.1\n2 1 0 1e-3\n"};
    std::size_t accepted = 0;
    for (Round k = 0; k < 10000; ++k)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 0, k);
        try
        {
            const auto graph = Parse(Mutated(texts[k % 3], "0123456789 .e\n#-", random));
            ASSERT_GE(graph->Period(), 1U);
            ASSERT_LE(graph->Period(), 65536U);
            ++accepted;
        }
        catch (const UsageError& error)
        {
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
    EXPECT_GT(accepted, 100U);
    EXPECT_LT(accepted, 9900U);
}

} // namespace
} // namespace dpdl
