// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/observation/observer.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

Delivery
Message(NodeId source, NodeId target, DeliveryFate fate, bool used)
{
    Delivery row;
    row.source = source;
    row.target = target;
    row.fate = fate;
    row.usedInRound = used ? std::optional<Round>(3) : std::nullopt;
    return row;
}

TEST(ParseObserver, ReadsEveryForm)
{
    const Observer link = ParseObserver("link:3->4", 5);
    EXPECT_EQ(link.kind, ObserverKind::LINK);
    EXPECT_EQ(link.source, 3u);
    EXPECT_EQ(link.target, 4u);
    EXPECT_EQ(ParseObserver("node:3", 5).nodes, (std::vector<NodeId>{3}));
    EXPECT_EQ(ParseObserver("node:3", 5).kind, ObserverKind::NODES);
    EXPECT_EQ(ParseObserver("nodes:4,1,4,2", 5).nodes, (std::vector<NodeId>{1, 2, 4}));
    EXPECT_EQ(ParseObserver("final", 3).nodes, (std::vector<NodeId>{0, 1, 2}));
    EXPECT_EQ(ParseObserver("final:2", 3).nodes, (std::vector<NodeId>{2}));
    EXPECT_EQ(ParseObserver("final:2", 3).kind, ObserverKind::FINAL);
}

TEST(ParseObserver, RefusesWhatIsNoObserver)
{
    for (const char* text : {"",        "nodes",     "node:",     "node:5",   "node:-1",
                             "node:x",  "nodes:",    "nodes:1,",  "nodes:,1", "link:3",
                             "link:->", "link:1->1", "link:1->9", "final:",   "final:9",
                             "finally", "nodes:1;2", "node: 1",   "link:1>2", "tap:3"})
    {
        try
        {
            ParseObserver(text, 5);
            ADD_FAILURE() << text;
        }
        catch (const UsageError& error)
        {
            EXPECT_EQ(std::string(error.what()).rfind("option 'observer'", 0), 0u) << error.what();
        }
    }
}

TEST(Observer, ALinkShowsEveryMessageSentOverIt)
{
    const Observer link = ParseObserver("link:3->4", 5);
    for (const DeliveryFate fate : {DeliveryFate::DELIVERED,
                                    DeliveryFate::LOST,
                                    DeliveryFate::LATE,
                                    DeliveryFate::DUPLICATE,
                                    DeliveryFate::CORRUPT,
                                    DeliveryFate::REFUNDED})
    {
        EXPECT_TRUE(link.Sees(Message(3, 4, fate, false)));
        EXPECT_FALSE(link.Sees(Message(4, 3, fate, true)));
        EXPECT_FALSE(link.Sees(Message(3, 0, fate, true)));
    }
    EXPECT_FALSE(link.Owns(4));
}

TEST(Observer, ANodeSeesWhatReachesIt)
{
    const Observer node = ParseObserver("nodes:1,4", 5);
    EXPECT_TRUE(node.Owns(1));
    EXPECT_FALSE(node.Owns(2));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::DELIVERED, true)));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::DELIVERED, false)));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::LATE, false)));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::CORRUPT, false)));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::DUPLICATE, false)));
    EXPECT_TRUE(node.Sees(Message(3, 4, DeliveryFate::LOST, true)));
    EXPECT_FALSE(node.Sees(Message(3, 4, DeliveryFate::LOST, false)));
    EXPECT_FALSE(node.Sees(Message(3, 4, DeliveryFate::REFUNDED, true)));
    EXPECT_FALSE(node.Sees(Message(4, 3, DeliveryFate::DELIVERED, true)));
}

struct HearingCase
{
    const char* observer;
    Medium medium;
    bool ofFour;  ///< hears what node 4 sends to node 0
    bool ofThree; ///< and node 3
};

TEST(Observer, TheMediumSaysWhatElseIsHeard)
{
    const Medium direct;
    const Medium shared{true, {}};
    const Medium routed{false, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}};
    Medium relayed = routed;
    relayed.overheard.insert({{1, 4}, {2, 3}});
    const HearingCase cases[] = {
        {"node:1", direct, false, false},
        {"link:4->1", direct, false, false},
        {"node:1", shared, true, true},
        {"nodes:1,2", shared, true, true},
        {"link:1->2", shared, true, true},
        {"final", shared, false, false},
        {"node:1", routed, false, false},
        {"link:4->1", routed, true, false},
        {"node:1", relayed, true, false},
        {"node:2", relayed, false, true},
        {"nodes:0,1", relayed, true, false},
        {"nodes:1,2", relayed, true, true},
        {"link:1->2", relayed, true, false},
        {"link:2->1", relayed, false, true},
        {"link:4->1", relayed, true, false},
        {"link:0->2", relayed, false, false},
        {"node:0", relayed, false, false},
        {"final:1", relayed, false, false},
    };
    for (const HearingCase& one : cases)
    {
        const Observer who = ParseObserver(one.observer, 5);
        for (const DeliveryFate fate : {DeliveryFate::DELIVERED, DeliveryFate::CORRUPT})
        {
            EXPECT_EQ(who.Overhears(Message(4, 0, fate, true), one.medium), one.ofFour)
                << one.observer << " in " << DescribeView(who, one.medium);
            EXPECT_EQ(who.Overhears(Message(3, 0, fate, true), one.medium), one.ofThree)
                << one.observer << " in " << DescribeView(who, one.medium);
        }
    }
}

TEST(Observer, TheFinalModelIsAllThatItsReceiverSees)
{
    const Observer final = ParseObserver("final:4", 5);
    EXPECT_FALSE(final.Sees(Message(3, 4, DeliveryFate::DELIVERED, true)));
    EXPECT_FALSE(final.Owns(4));
}

TEST(Observer, IsDescribedInWords)
{
    EXPECT_EQ(Describe(ParseObserver("node:3", 5), 5), "node 3");
    EXPECT_EQ(Describe(ParseObserver("nodes:1,2", 5), 5), "the nodes 1, 2 together");
    EXPECT_NE(Describe(ParseObserver("final", 5), 5).find("every node"), std::string::npos);
    EXPECT_NE(Describe(ParseObserver("final:1", 5), 5).find("node 1"), std::string::npos);
    EXPECT_NE(Describe(ParseObserver("link:1->2", 5), 5).find("node 1 to node 2"),
              std::string::npos);
}

} // namespace
} // namespace dpdl
