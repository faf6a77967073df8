// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/network/failure-script.h"
#include "dpdl/network/failure-state.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <tuple>

namespace dpdl
{
namespace
{

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr std::size_t NODES = 8;
constexpr RandomSeed SEED{7, 3};

/// Every link between NODES nodes.
std::vector<LinkId>
AllLinks()
{
    std::vector<LinkId> links;
    for (NodeId source = 0; source < NODES; ++source)
    {
        for (NodeId target = 0; target < NODES; ++target)
        {
            if (source != target)
            {
                links.push_back({source, target});
            }
        }
    }
    return links;
}

FailureState
StateOf(const std::string& text)
{
    return {ParseFailures(text, "test", NODES), NODES, SEED, AllLinks()};
}

/// All changes up to a time.
std::vector<FailureChange>
ChangesOf(FailureState& state, double until)
{
    std::vector<FailureChange> changes;
    while (state.NextChange() <= until)
    {
        const std::vector<FailureChange>& more = state.AdvanceTo(state.NextChange());
        changes.insert(changes.end(), more.begin(), more.end());
    }
    return changes;
}

TEST(FailureState, OneLinkDown)
{
    FailureState state = StateOf("link 3->4 down at 10s for 5s");
    EXPECT_EQ(state.NextChange(), 10.0);
    state.AdvanceTo(9.0);
    EXPECT_TRUE(state.Link(3, 4).up);
    EXPECT_FALSE(state.WasDown(3, 4, 0.0));
    EXPECT_EQ(state.AdvanceTo(10.0).size(), 1U);
    EXPECT_FALSE(state.Link(3, 4).up);
    EXPECT_TRUE(state.Link(4, 3).up);
    EXPECT_TRUE(state.WasDown(3, 4, 10.0));
    EXPECT_EQ(state.NextChange(), 15.0);
    state.AdvanceTo(20.0);
    EXPECT_TRUE(state.Link(3, 4).up);
    EXPECT_TRUE(state.WasDown(3, 4, 14.9));
    EXPECT_FALSE(state.WasDown(3, 4, 15.0));
    EXPECT_EQ(state.NextChange(), NEVER);
}

TEST(FailureState, TimesAreWholeNanoseconds)
{
    FailureState state = StateOf("link 3->4 down at 50ms for 100ms");
    EXPECT_EQ(ChangesOf(state, 1.0).back().time, 0.15);
}

TEST(FailureState, QuantitiesOfALink)
{
    for (const std::string links : {"3->4", "*", "{0-7}->*", "{1-7}->{1-7}", "4<->3"})
    {
        FailureState state =
            StateOf("link " + links + " loss 0.5 at 1s for 9s\nlink " + links +
                    " loss 0.2 at 2s for 9s\nlink " + links + " delay 300ms at 3s for 1s\nlink " +
                    links + " rate 5kbps at 4s for 1s\nlink " + links +
                    " gilbert-elliott p=0.1 r=0.2 bad=0.3 at 5s for 1s");
        state.AdvanceTo(1.0);
        EXPECT_EQ(state.Link(3, 4).lossProbability, 0.5) << links;
        state.AdvanceTo(3.5);
        EXPECT_DOUBLE_EQ(state.Link(3, 4).lossProbability, 0.6) << links;
        EXPECT_EQ(state.Link(3, 4).delay, 0.3) << links;
        EXPECT_FALSE(state.Link(3, 4).rate.has_value()) << links;
        state.AdvanceTo(4.0);
        EXPECT_FALSE(state.Link(3, 4).delay.has_value()) << links;
        EXPECT_EQ(state.Link(3, 4).rate, 5e3) << links;
        state.AdvanceTo(5.0);
        ASSERT_TRUE(state.Link(3, 4).burst.has_value()) << links;
        EXPECT_EQ(state.Link(3, 4).burst->lossBad, 0.3) << links;
        state.AdvanceTo(20.0);
        EXPECT_EQ(state.Link(3, 4).lossProbability, 0.0) << links;
        EXPECT_FALSE(state.Link(3, 4).burst.has_value()) << links;
        EXPECT_TRUE(state.Link(3, 4).up) << links;
    }
}

TEST(FailureState, Flap)
{
    FailureState state = StateOf("link *->5 flap up=2s down=500ms from 1s for 6s");
    std::vector<double> times;
    for (const FailureChange& change : ChangesOf(state, 100.0))
    {
        times.push_back(change.begins ? change.time : -change.time);
    }
    EXPECT_EQ(times, (std::vector<double>{3.0, -3.5, 5.5, -6.0}));
    FailureState cut = StateOf("link *->5 flap up=2s down=5s for 3s");
    times.clear();
    for (const FailureChange& change : ChangesOf(cut, 100.0))
    {
        times.push_back(change.time);
    }
    EXPECT_EQ(times, (std::vector<double>{2.0, 3.0}));
}

TEST(FailureState, Nodes)
{
    FailureState state = StateOf("node 5 crash at 1s recover 2s\nnode {4-6} pause at 1s for 3s\n"
                                 "node 5 pause at 2s for 1s\nnode 6 slow 3x at 1s for 1s\n"
                                 "node 7 crash at 9s");
    state.AdvanceTo(1.0);
    EXPECT_FALSE(state.Node(5).up);
    EXPECT_TRUE(state.Node(5).paused);
    EXPECT_EQ(state.Node(6).slowdown, 3.0);
    EXPECT_FALSE(state.Link(5, 0).up);
    EXPECT_FALSE(state.Link(0, 5).up);
    EXPECT_TRUE(state.Link(0, 4).up);
    EXPECT_TRUE(state.AwaitsNodes());
    state.AdvanceTo(3.0);
    EXPECT_TRUE(state.Node(5).up);
    EXPECT_TRUE(state.Node(5).paused); // by the longer pause
    EXPECT_EQ(state.Node(6).slowdown, 1.0);
    EXPECT_TRUE(state.WasDown(0, 5, 1.9));
    EXPECT_FALSE(state.WasDown(0, 5, 2.0));
    state.AdvanceTo(9.0);
    EXPECT_FALSE(state.Node(5).paused);
    EXPECT_FALSE(state.AwaitsNodes());
    EXPECT_TRUE(state.IsGone(7));
    EXPECT_FALSE(state.IsGone(5));
}

TEST(FailureState, Partition)
{
    FailureState state = StateOf("partition {0-2} {3,4} {5} at 1s for 1s");
    state.AdvanceTo(1.0);
    EXPECT_TRUE(state.Link(0, 2).up);
    EXPECT_FALSE(state.Link(0, 3).up);
    EXPECT_FALSE(state.Link(5, 4).up);
    EXPECT_TRUE(state.Link(0, 7).up); // in no group
    EXPECT_TRUE(state.Link(7, 5).up);
    state.AdvanceTo(2.0);
    EXPECT_TRUE(state.Link(0, 3).up);
    EXPECT_TRUE(state.WasDown(0, 3, 1.5));
}

TEST(FailureState, Circles)
{
    FailureState state = StateOf("region center=(0,0) radius=2 down at 1s for 2s\n"
                                 "jam center=(5,0) radius=1 loss 0.5 at 1s for 2s\n"
                                 "jam center=(5,0) radius=2 loss 0.2 at 1s for 2s\n"
                                 "link * loss 0.5");
    double shift = 0.0;
    state.SetPositions([&shift](NodeId node) {
        return Position{static_cast<double>(node) + shift, 0.0, 100.0};
    });
    EXPECT_EQ(state.AdvanceTo(1.0).size(), 1U + 3U + 3U + 3U + 5U);
    EXPECT_TRUE(state.FollowsPositions());
    EXPECT_FALSE(state.Link(2, 7).up);
    EXPECT_TRUE(state.Link(3, 7).up);
    EXPECT_DOUBLE_EQ(state.Link(3, 5).lossProbability, 0.8);
    EXPECT_DOUBLE_EQ(state.Link(5, 7).lossProbability, 0.6);
    EXPECT_DOUBLE_EQ(state.Link(5, 0).lossProbability, 0.5);
    shift = 1.0;
    const std::vector<FailureChange> moved = state.Follow(2.0);
    EXPECT_EQ(moved.size(), 1U + 2U + 2U); // one left the region, one each left and came elsewhere
    EXPECT_TRUE(state.Link(2, 7).up);
    EXPECT_TRUE(state.WasDown(2, 7, 1.5));
    EXPECT_FALSE(state.Link(1, 7).up);
    EXPECT_EQ(state.Follow(2.5).size(), 0U);
    state.AdvanceTo(3.0);
    EXPECT_FALSE(state.FollowsPositions());
    EXPECT_TRUE(state.Link(1, 7).up);
    EXPECT_TRUE(state.WasDown(1, 7, 2.5));
    EXPECT_DOUBLE_EQ(state.Link(3, 4).lossProbability, 0.5);
}

TEST(FailureState, CirclesNeedPositions)
{
    const std::vector<FailureSentence> sentences =
        ParseFailures("link * down\nregion center=(0,0) radius=2 down at 1s", "test", NODES);
    try
    {
        RequirePositions(sentences, NODES, [](NodeId node) {
            return node < 5 ? std::optional(Position{}) : std::nullopt;
        });
        FAIL();
    }
    catch (const UsageError& error)
    {
        EXPECT_STREQ(error.what(),
                     "test, line 2: 'region center=(0,0) radius=2 down at 1s' needs the positions "
                     "of all nodes, and node 5 has none; expected nodes with a mobility model, or "
                     "a topology that places them");
    }
    EXPECT_THROW(RequirePositions(sentences, NODES, {}), UsageError);
    RequirePositions({sentences[0]}, NODES, {});
}

/// Many kinds of failures, some of them random.
const std::vector<std::string> MANY{"link 3->4 down at 1s for 2s",
                                    "link 3->4 down at 2s for 2s",
                                    "link *->2 flap up=700ms down=300ms from 2s",
                                    "link {0-4}->{3-7} down at 5s for 100ms",
                                    "link 1<->6 down at 4s for 4s",
                                    "random link * down mean-up=4s mean-down=500ms",
                                    "random link {0,1}->* down mean-up=9s mean-down=1s together",
                                    "link 5->* loss 0.1 at 1s for 8s",
                                    "random link * loss 0.3 mean-up=1s mean-down=1s",
                                    "link * loss 0.7 at 3s for 1s",
                                    "random node {2-5} crash mean-up=6s mean-down=500ms",
                                    "node 0 crash at 3s for 1s",
                                    "partition {0-3} {4,5} at 6s for 1s",
                                    "random partition {0} {1,2} mean-up=2s mean-down=2s"};

std::string
Joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
    {
        text += line + "\n";
    }
    return text;
}

/// Whether a change concerns whether a link is up, looked up sentence by sentence.
bool
Cuts(const FailureChange& change, NodeId source, NodeId target)
{
    const FailureSentence& sentence = *change.sentence;
    const auto group = [&sentence](NodeId node) {
        for (std::size_t i = 0; i < sentence.groups.size(); ++i)
        {
            if (sentence.groups[i].Contains(node))
            {
                return static_cast<int>(i);
            }
        }
        return -1;
    };
    switch (sentence.kind)
    {
    case FailureKind::LINK_DOWN:
        return change.link.has_value()
                   ? change.link->source == source && change.link->target == target
                   : sentence.links.Covers(source, target);
    case FailureKind::PARTITION:
        return group(source) >= 0 && group(target) >= 0 && group(source) != group(target);
    case FailureKind::NODE_CRASH:
        return change.node.has_value()
                   ? change.node == source || change.node == target
                   : sentence.nodes.Contains(source) || sentence.nodes.Contains(target);
    default:
        return false;
    }
}

/// Times from `first` to `second`, both included, at which a link is cut, counted over a log.
bool
WasCut(const std::vector<FailureChange>& log, const LinkId& link, double since, double until)
{
    int failures = 0;
    bool cut = false;
    for (const FailureChange& change : log)
    {
        if (change.time > until)
        {
            break;
        }
        const bool counts = Cuts(change, link.source, link.target);
        // What lasts beyond `since`, or begins after it, cuts; what ends just then does not.
        cut = cut || (failures > 0 && change.time > since);
        failures += !counts ? 0 : change.begins ? 1 : -1;
    }
    return cut || failures > 0;
}

TEST(FailureState, WasDownAgainstTheLog)
{
    constexpr double until = 12.0;
    FailureState logged = StateOf(Joined(MANY));
    const std::vector<FailureChange> log = ChangesOf(logged, until);
    EXPECT_GT(log.size(), 300U);
    FailureState state = StateOf(Joined(MANY));
    const RandomStream random(SEED, RandomPurpose::TEST, 0, 0);
    std::size_t down = 0;
    for (std::uint64_t i = 0; i < 500; ++i)
    {
        const double now = until * static_cast<double>(i + 1) / 500.0;
        state.AdvanceTo(now);
        for (const LinkId& link : AllLinks())
        {
            const double since = now - random.Uniform(2 * i) * random.Uniform(2 * i + 1);
            const bool expected = WasCut(log, link, since, now);
            ASSERT_EQ(state.WasDown(link.source, link.target, since), expected) << now;
            ASSERT_EQ(state.Link(link.source, link.target).up, !WasCut(log, link, now, now)) << now;
            down += expected ? 1 : 0;
        }
    }
    EXPECT_GT(down, 5000U);
    EXPECT_LT(down, 23000U);
}

TEST(FailureState, TheOrderOfSentencesDoesNotMatter)
{
    std::vector<std::string> shuffled = MANY;
    std::reverse(shuffled.begin(), shuffled.end());
    std::swap(shuffled[2], shuffled[9]);
    FailureState first = StateOf(Joined(MANY));
    FailureState second = StateOf(Joined(shuffled));
    for (double now = 0.0; now < 12.0; now += 0.01)
    {
        first.AdvanceTo(now);
        second.AdvanceTo(now);
        ASSERT_EQ(first.NextChange(), second.NextChange());
        for (const LinkId& link : AllLinks())
        {
            const LinkCondition a = first.Link(link.source, link.target);
            const LinkCondition b = second.Link(link.source, link.target);
            ASSERT_EQ(a.up, b.up);
            ASSERT_EQ(a.lossProbability, b.lossProbability);
        }
    }
}

/// The times of a random failure of one node.
std::vector<double>
RandomTimes(const std::string& sentence, NodeId node, double until)
{
    FailureState state = StateOf(sentence);
    std::vector<double> times;
    for (const FailureChange& change : ChangesOf(state, until))
    {
        if (!change.node.has_value() || change.node == node)
        {
            times.push_back(change.time);
        }
    }
    return times;
}

TEST(FailureState, RandomTimes)
{
    const std::string means = " mean-up=3s mean-down=1s";
    const std::vector<double> first = RandomTimes("random node * pause" + means, 3, 40000.0);
    double down = 0.0;
    for (std::size_t i = 0; i + 1 < first.size(); i += 2)
    {
        down += first[i + 1] - first[i];
    }
    const auto pauses = static_cast<double>(first.size() / 2);
    EXPECT_NEAR(pauses, 10000.0, 5.0 * 80.0);              // standard deviation: 79
    EXPECT_NEAR(down / pauses, 1.0, 5.0 / std::sqrt(1e4)); // exponential: that of its mean
    // Nodes are independent; the same node of a set that is called otherwise is, too.
    EXPECT_NE(first, RandomTimes("random node * pause" + means, 4, 40000.0));
    EXPECT_NE(first, RandomTimes("random node {0-6} pause" + means, 3, 40000.0));
    EXPECT_EQ(RandomTimes("random node * pause together" + means, 1, 100.0),
              RandomTimes("random node * pause together" + means, 5, 100.0));
    // Longer means stretch the same draws.
    const std::vector<double> stretched =
        RandomTimes("random node * pause mean-up=6s mean-down=2s", 3, 1000.0);
    for (std::size_t i = 0; i < 100; ++i)
    {
        EXPECT_NEAR(stretched[i], 2.0 * first[i], 1e-6);
    }
}

TEST(FailureState, RandomLinksAreThoseInUse)
{
    FailureState state(
        ParseFailures("random link 0->* down mean-up=1s mean-down=1s", "test", NODES),
        NODES,
        SEED,
        {{0, 1}, {0, 5}, {2, 3}});
    for (const FailureChange& change : ChangesOf(state, 100.0))
    {
        ASSERT_TRUE(change.link.has_value());
        EXPECT_EQ(change.link->source, 0U);
        EXPECT_TRUE(change.link->target == 1 || change.link->target == 5);
    }
}

TEST(FailureState, WarnsOfUnusedLinks)
{
    const auto sentences = ParseFailures("link 0->1 down\nlink 1->0 down\nnode 3 crash\n"
                                         "link {4-5}->* loss 1\n",
                                         "test",
                                         NODES);
    EXPECT_EQ(WarnOfUnusedLinks(sentences, {{0, 1}, {5, 7}}),
              std::vector<std::string>{"test, line 2: 'link 1->0 down' has no effect: the topology "
                                       "uses none of these links"});
}

} // namespace
} // namespace dpdl
