// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "failure-fixture.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

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
    for (const std::string links :
         {"3->4", "*", "{0-7}->*", "{1-7}->{1-7}", "4<->3", "{3,4}<->{3,4}"})
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

TEST(FailureState, LiesDoNotConcernLinksOrTheEndOfARun)
{
    FailureState state =
        StateOf("node {4-6} lies noise scale=2 at 1s for 2s\nnode 5 lies zero at 3s");
    EXPECT_EQ(state.Node(5).lie, Lie());
    state.AdvanceTo(1.0);
    EXPECT_EQ(state.Node(5).lie, (Lie{LieKind::NOISE, 2.0}));
    EXPECT_TRUE(state.Node(5).up);
    EXPECT_TRUE(state.Link(5, 0).up);
    EXPECT_FALSE(state.AwaitsNodes());
    state.AdvanceTo(3.0);
    EXPECT_EQ(state.Node(4).lie, Lie());
    EXPECT_EQ(state.Node(5).lie, (Lie{LieKind::ZERO, 0.0}));
    EXPECT_FALSE(state.IsGone(5));
}

TEST(FailureState, LeaksChangeNothingThatNodesOrLinksDo)
{
    FailureState state = StateOf("node 5 leaks at 1s");
    const std::vector<FailureChange>& changes = state.AdvanceTo(1.0);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(FailureEventName(changes[0].event->kind, changes[0].begins), "leak");
    EXPECT_TRUE(state.Node(5).up);
    EXPECT_FALSE(state.Node(5).paused);
    EXPECT_EQ(state.Node(5).lie, Lie());
    EXPECT_TRUE(state.Link(5, 0).up);
    EXPECT_FALSE(state.AwaitsNodes());
    EXPECT_FALSE(state.IsGone(5));
    EXPECT_TRUE(std::isinf(state.NextChange()));
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
    const std::vector<FailureEvent> events =
        ParseFailures("link * down\nregion center=(0,0) radius=2 down at 1s", "test", NODES);
    try
    {
        RequirePositions(events, NODES, [](NodeId node) {
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
    EXPECT_THROW(RequirePositions(events, NODES, {}), UsageError);
    RequirePositions({events[0]}, NODES, {});
}

TEST(FailureState, WarnsOfUnusedLinks)
{
    const auto events = ParseFailures("link 0->1 down\nlink 1->0 down\nnode 3 crash\n"
                                      "link {4-5}->* loss 1\n",
                                      "test",
                                      NODES);
    EXPECT_EQ(WarnOfUnusedLinks(events, {{0, 1}, {5, 7}}),
              std::vector<std::string>{"test, line 2: 'link 1->0 down' has no effect: the topology "
                                       "uses none of these links"});
}

} // namespace
} // namespace dpdl
