// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "failure-fixture.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

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

/// Whether a change concerns whether a link is up, looked up event by event.
bool
Cuts(const FailureChange& change, NodeId source, NodeId target)
{
    const FailureEvent& event = *change.event;
    const auto group = [&event](NodeId node) {
        for (std::size_t i = 0; i < event.groups.size(); ++i)
        {
            if (event.groups[i].Contains(node))
            {
                return static_cast<int>(i);
            }
        }
        return -1;
    };
    switch (event.kind)
    {
    case FailureKind::LINK_DOWN:
        return change.link.has_value()
                   ? change.link->source == source && change.link->target == target
                   : event.links.Covers(source, target);
    case FailureKind::PARTITION:
        return group(source) >= 0 && group(target) >= 0 && group(source) != group(target);
    case FailureKind::NODE_CRASH:
        return change.node.has_value()
                   ? change.node == source || change.node == target
                   : event.nodes.Contains(source) || event.nodes.Contains(target);
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

TEST(FailureSchedule, WasDownAgainstTheLog)
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

TEST(FailureSchedule, TheOrderOfSentencesDoesNotMatter)
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
RandomTimes(const std::string& event, NodeId node, double until)
{
    FailureState state = StateOf(event);
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

TEST(FailureSchedule, RandomTimes)
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
    // Nodes are independent; also the same node of a set with another name.
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

TEST(FailureSchedule, RandomLinksAreThoseInUse)
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

} // namespace
} // namespace dpdl
