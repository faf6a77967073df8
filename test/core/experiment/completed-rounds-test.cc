// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/experiment/completed-rounds.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(CompletedRounds, FollowsTheSlowestNodeThatIsUp)
{
    CompletedRounds completed(3);
    completed.Advance(0);
    completed.Advance(0);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 0u);
    completed.SetDown(2, true);
    EXPECT_EQ(completed.Done(), 1u) << "node 2 delays no other";
    completed.SetDown(2, true);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 2u);
    completed.SetDown(2, false);
    EXPECT_EQ(completed.Done(), 2u) << "what is done stays done";
    completed.Advance(0);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 2u) << "node 2 is waited for again";
    for (int i = 0; i < 3; ++i)
    {
        completed.Advance(2);
    }
    EXPECT_EQ(completed.Done(), 3u);
    EXPECT_EQ(completed.Of(2), 3u);
    for (const NodeId node : {0, 1, 2})
    {
        completed.SetDown(node, true);
    }
    EXPECT_EQ(completed.Done(), 3u) << "no node is left";
}

TEST(CompletedRounds, EqualsTheMinimumOverTheNodes)
{
    constexpr NodeId NODES = 7;
    CompletedRounds completed(NODES);
    std::vector<Round> done(NODES, 0);
    std::vector<bool> down(NODES, false);
    Round expected = 0;
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    for (std::uint64_t step = 0; step < 5000; ++step)
    {
        const NodeId node = stream.Integer(2 * step, NODES);
        if (stream.Integer(2 * step + 1, 10) == 0)
        {
            down[node] = !down[node];
            completed.SetDown(node, down[node]);
        }
        else
        {
            ++done[node];
            completed.Advance(node);
        }
        Round slowest = 0;
        bool found = false;
        for (NodeId other = 0; other < NODES; ++other)
        {
            slowest =
                down[other] ? slowest : (found ? std::min(slowest, done[other]) : done[other]);
            found = found || !down[other];
        }
        expected = found ? std::max(expected, slowest) : expected;
        ASSERT_EQ(completed.Done(), expected) << step;
    }
}

} // namespace
} // namespace dpdl
