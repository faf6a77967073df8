// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../mutated.h"
#include "../usage-message.h"
#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/q-bound.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/topology-warnings.h"
#include "dpdl/topology/wrapped-graphs.h"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <vector>

namespace dpdl
{
namespace
{

using Neighbours = std::vector<NodeId>;

std::vector<Contact>
ContactsOf(const std::string& text)
{
    std::istringstream stream(text);
    return ParseContacts(stream, "c.txt", 4);
}

std::string
ContactMessage(const std::string& text)
{
    return UsageMessage([&]() { ContactsOf(text); });
}

TEST(ContactFile, ReadsContactsInAnyOrder)
{
    const auto contacts = ContactsOf("# trace\n10 20.5 1 2 # later\n\n0\t5 3 0\n");
    ASSERT_EQ(contacts.size(), 2U);
    EXPECT_EQ(contacts[0].edge.source, 3U);
    EXPECT_EQ(contacts[1].start, 10.0);
    EXPECT_EQ(contacts[1].end, 20.5);
    EXPECT_EQ(contacts[1].edge.target, 2U);
}

TEST(ContactFile, RefusesMistakesWithTheirLineAndWord)
{
    for (const auto& [text, expected] : MistakesOf("contact file"))
    {
        EXPECT_NE(ContactMessage(text).find(expected), std::string::npos) << ContactMessage(text);
    }
}

TEST(ContactFile, SurvivesAnyBytes)
{
    std::size_t accepted = 0;
    for (Round k = 0; k < 10000; ++k)
    {
        const RandomStream random({1, 1}, RandomPurpose::TEST, 1, k);
        try
        {
            const auto contacts = ContactsOf(
                Mutated("0 5 0 1 # a\n2.5 1e2 3 2\n\n7 9 1 0\n", "0123456789 .e\n#-", random));
            for (const Contact& contact : contacts)
            {
                ASSERT_TRUE(contact.start >= 0.0 && contact.end > contact.start);
                ASSERT_TRUE(std::isfinite(contact.end));
                ASSERT_TRUE(contact.edge.source < 4 && contact.edge.target < 4);
            }
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

TEST(LiveGraphs, ContactsAreThoseOfTheMomentTheRoundBegins)
{
    const auto graph =
        MakeContactSequence(ContactsOf("0 10 0 1\n5 10 1 2\n5 15 1 2\n20 30 2 3\n"), 4);
    EXPECT_EQ(graph->Period(), 0U);
    EXPECT_THROW(graph->OutNeighbours(0, 0), Error) << "no clock";
    double now = 0.0;
    graph->Attach({[&now] { return now; }, {}});
    graph->BeginRound(0);
    now = 5.0;
    EXPECT_EQ(graph->OutNeighbours(0, 0), (Neighbours{1})) << "round 0 is that of time 0";
    EXPECT_TRUE(graph->OutNeighbours(1, 0).empty());
    EXPECT_EQ(graph->OutNeighbours(1, 1), (Neighbours{2})) << "overlapping contacts are one edge";
    now = 10.0;
    EXPECT_TRUE(graph->OutNeighbours(0, 2).empty()) << "over at its end";
    EXPECT_EQ(graph->InNeighbours(2, 2), (Neighbours{1}));
    now = 25.0;
    EXPECT_EQ(graph->OutNeighbours(2, 3), (Neighbours{3}));
    for (Round k = 0; k < 4; ++k)
    {
        EXPECT_LT(ColumnError(*graph, k), 1e-14);
    }
    graph->Forget(2);
    EXPECT_THROW(graph->OutNeighbours(0, 1), Error);
    EXPECT_EQ(graph->InNeighbours(2, 2), (Neighbours{1}));
}

TEST(LiveGraphs, ContactsComeFromAFile)
{
    const std::string path = testing::TempDir() + "dpdl-contact-test.txt";
    std::ofstream(path) << "0 10 0 1\n0 10 1 0\n";
    const auto graph = MakeGraphSequence("contacts:" + path, 3, {});
    graph->Attach({[] { return 1.0; }, {}});
    EXPECT_EQ(graph->OutNeighbours(1, 0), (Neighbours{0}));
    const std::vector<std::string> warnings = TopologyWarnings(*graph);
    ASSERT_EQ(warnings.size(), 3U);
    EXPECT_EQ(warnings[0], "the topology sends nothing to node 2, which never learns from others");
    std::remove(path.c_str());
    EXPECT_THROW(MakeGraphSequence("contacts:" + path, 3, {}), UsageError);
}

TEST(LiveGraphs, MobilityFollowsTheNodes)
{
    const auto graph = MakeGraphSequence("mobility:10", 3, {});
    EXPECT_THROW(graph->Attach({[] { return 0.0; }, {}}), UsageError) << "nodes have no places";
    double now = 0.0;
    graph->Attach({[&now] { return now; },
                   [&now](NodeId node) {
                       return Position{node * (5.0 + now), 0.0, 0.0};
                   }});
    EXPECT_EQ(graph->OutNeighbours(0, 0), (Neighbours{1, 2}));
    now = 1.0;
    EXPECT_EQ(graph->OutNeighbours(0, 1), (Neighbours{1}));
    EXPECT_EQ(graph->OutNeighbours(1, 1), (Neighbours{0, 2}));
    now = 6.0;
    EXPECT_TRUE(graph->OutNeighbours(1, 2).empty());
    EXPECT_EQ(graph->OutNeighbours(0, 0), (Neighbours{1, 2}))
        << "fixed when it was first asked for";
    EXPECT_EQ(graph->PositionOf(2)->x, 22.0);
    EXPECT_TRUE(TopologyWarnings(*graph).empty()) << "where nodes will go is unknown";
}

TEST(TopologyWarnings, NameWhoIsLeftOut)
{
    EXPECT_TRUE(TopologyWarnings(*MakeGraphSequence("exponential", 9, {})).empty());
    EXPECT_TRUE(TopologyWarnings(*MakeGraphSequence("random:0.1", 9, {})).empty());
    const std::string path = testing::TempDir() + "dpdl-warnings-test.txt";
    std::ofstream(path) << "0 1\n1 0\n2 0\n";
    const auto graph = MakeGraphSequence("file:" + path, 7, {});
    std::remove(path.c_str());
    const std::vector<std::string> expected{
        "the topology sends nothing to nodes 2, 3, 4 and 2 more, which never learn from others",
        "the topology lets no node hear nodes 3, 4, 5 and 1 more, from which others never learn",
        "the edges of all rounds together do not connect every node with every other: the models "
        "will not agree"};
    EXPECT_EQ(TopologyWarnings(*graph), expected);
}

TEST(WindowBound, IsTheBoundOfARepetition)
{
    // A window of whole periods sees what the sequence as a whole has.
    for (const char* topology : {"ring", "exponential", "star", "complete", "lollipop"})
    {
        const auto graph = MakeGraphSequence(topology, 20, {});
        const TopologyBound all = ComputeTopologyBound(*graph);
        const TopologyBound part = ComputeWindowBound(*graph, 10, 4 * graph->Period());
        EXPECT_EQ(all.windowB, part.windowB) << topology;
        EXPECT_EQ(all.diameter, part.diameter) << topology;
        EXPECT_EQ(all.oneMinusQ, part.oneMinusQ) << topology;
    }
    const auto exponential = MakeGraphSequence("exponential", 16, {});
    EXPECT_EQ(ComputeWindowBound(*exponential, 0, 1).windowB, 1U) << "1 ahead is a ring";
    EXPECT_FALSE(ComputeWindowBound(*exponential, 1, 3).stronglyConnected) << "even steps only";
    EXPECT_EQ(ComputeWindowBound(*exponential, 1, 4).windowB, 4U);
    EXPECT_EQ(ComputeWindowBound(*exponential, 0, 5).windowB, 4U);
    const auto empty = MakeContactSequence(ContactsOf("5 6 0 1"), 4);
    empty->Attach({[] { return 0.0; }, {}});
    EXPECT_FALSE(ComputeWindowBound(*empty, 0, 3).stronglyConnected);
    EXPECT_EQ(ComputeWindowBound(*empty, 0, 3).oneMinusQ, 0.0);
}

TEST(SynchronisedGraphs, AreCompleteEverySoManyRoundsAndAsTheOthersElsewhere)
{
    for (const char* const topology : {"exponential", "ring", "random:0.4"})
    {
        const std::shared_ptr<GraphSequence> inner = MakeGraphSequence(topology, 7, {3, 1});
        const SynchronisedGraphs graphs(inner, 4);
        for (Round round = 0; round < 25; ++round)
        {
            graphs.BeginRound(round);
            EXPECT_LT(ColumnError(graphs, round), 1e-14);
            for (NodeId node = 0; node < 7; ++node)
            {
                if ((round + 1) % 4 == 0)
                {
                    EXPECT_EQ(graphs.OutNeighbours(node, round).size(), 6U);
                    EXPECT_EQ(graphs.InNeighbours(node, round).size(), 6U);
                    continue;
                }
                EXPECT_EQ(graphs.OutNeighbours(node, round), inner->OutNeighbours(node, round));
                EXPECT_EQ(graphs.InNeighbours(node, round), inner->InNeighbours(node, round));
            }
        }
        EXPECT_EQ(graphs.Nodes(), 7U);
        EXPECT_EQ(graphs.PossibleEdges()->size(), 42U);
    }
}

TEST(SynchronisedGraphs, RepeatWithBothPeriods)
{
    const auto period = [](const char* topology, Round every) {
        return SynchronisedGraphs(MakeGraphSequence(topology, 10, {}), every).Period();
    };
    EXPECT_EQ(period("exponential", 6), 12U); // of 4 rounds itself
    EXPECT_EQ(period("ring", 5), 5U);
    EXPECT_EQ(period("random:0.5", 5), 0U);
}

} // namespace
} // namespace dpdl
