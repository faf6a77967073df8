// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/sensitivity-exchange.h"
#include "dpdl/base/noise-source.h"

#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{
namespace
{

SensitivityRule
Rule(double factor, double decay)
{
    SensitivityRule rule;
    rule.factor = factor;
    rule.decay = decay;
    return rule;
}

TEST(SensitivityEstimate, StartsWithTwiceWhatAStepAdds)
{
    // 2 C' gamma C, where the first gradient is clipped.
    for (const auto& [factor, stepSize, expected] :
         {std::tuple{0.86, 0.1, 17.2}, std::tuple{0.78, 1e-5, 0.00156}, std::tuple{0.8, 0.01, 1.6}})
    {
        const SensitivityRule rule = Rule(factor, 0.5);
        EXPECT_NEAR(SensitivityEstimate(rule, 7.0).Next(stepSize * 100.0), expected, 1e-12);
    }
    SensitivityRule rule = Rule(1.0, 0.5);
    rule.initialNorm = true;
    SensitivityEstimate estimate(rule, 7.0);
    EXPECT_EQ(estimate.Next(1.0), 16.0);
    estimate.Restart();
    EXPECT_EQ(estimate.Next(1.0), 2.0);
}

TEST(SensitivityEstimate, GoesOnFromTheMaximumOrFromItsOwn)
{
    for (const bool own : {false, true})
    {
        SensitivityRule rule = Rule(1.0, 0.25);
        rule.ownEstimate = own;
        SensitivityEstimate estimate(rule, 0.0);
        EXPECT_EQ(estimate.Next(2.0), 4.0);
        estimate.Agree(16.0, 3.0);
        EXPECT_EQ(estimate.Next(2.0), 0.25 * ((own ? 4.0 : 16.0) + 6.0) + 4.0);
    }
}

TEST(MaxConsensus, KnowsWhomItHasNotHeard)
{
    const SensitivityRule rule = Rule(1.0, 0.5);
    std::vector<MaxConsensus> nodes;
    for (NodeId node = 0; node < 3; ++node)
    {
        nodes.emplace_back(node, 3, rule, 0.0);
    }
    for (NodeId node = 0; node < 3; ++node)
    {
        const std::vector<Share> announcements = nodes[node].Announce(0, 1.0 + node, 0.0);
        ASSERT_EQ(announcements.size(), 2U);
        EXPECT_EQ(nodes[node].Announce(0, 9.0, 0.0).front().mass.ToDouble(), nodes[node].Own());
        for (const Share& announcement : announcements)
        {
            EXPECT_TRUE(announcement.IsAnnouncement());
            const bool isLost = announcement.source == 2 && announcement.target == 1;
            for (int copy = 0; copy < 2 && !isLost; ++copy)
            {
                nodes[announcement.target].Hear(announcement);
            }
        }
    }
    EXPECT_TRUE(nodes[0].HeardAll(0));
    EXPECT_EQ(nodes[0].Maximum(0), 6.0);
    EXPECT_FALSE(nodes[1].HeardAll(0));
    EXPECT_EQ(nodes[1].Missing(0), std::vector<NodeId>{2});
    EXPECT_EQ(nodes[1].Maximum(0), 4.0);
    nodes[1].Agree(0, 4.0, 0.0);
    EXPECT_EQ(nodes[1].Announce(1, 0.0, 0.0).front().mass.ToDouble(), 2.0);
    EXPECT_EQ(nodes[1].Missing(1).size(), 2U);
}

TEST(SensitivityExchange, MeasuresTheFarthestPairInL1)
{
    ParameterPool pool(3);
    SensitivityExchange exchange(3, 2);
    const std::vector<std::vector<float>> states{{1, 1, 50}, {2, -1, 0}, {0, 2, 9}};
    for (NodeId node = 0; node < 3; ++node)
    {
        EXPECT_FALSE(exchange.Of(0, 4));
        exchange.Post(node, 4, pool.AcquireCopy(states[node].data()), node == 1 ? 2.0 : 1.0);
    }
    // x of node 1 is (4, -2): 6 from node 0, 8 from node 2, which are 2 apart.
    EXPECT_EQ(exchange.Of(0, 4), 6.0);
    EXPECT_EQ(exchange.Of(2, 4), 8.0);
    EXPECT_EQ(exchange.Largest(4), 8.0);
    EXPECT_EQ(exchange.Largest(5), 0.0);
}

} // namespace
} // namespace dpdl
