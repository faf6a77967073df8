// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/node-odometers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Release
NodeStep(NodeId node, double mu, ReleaseFlag flags = ReleaseFlag::NONE)
{
    Release::Fields fields;
    fields.node = node;
    fields.mechanism = "gaussian";
    fields.sampler = "poisson";
    fields.rate = 0.1;
    fields.sensitivity = mu;
    fields.noise = 1.0;
    fields.flags = flags;
    return Release(fields);
}

} // namespace

TEST(NodeOdometers, EachNodeSpendsWhatAnOdometerOfItsOwnWouldShow)
{
    constexpr NodeId NODES = 6;
    NodeOdometers together(NODES);
    std::vector<RdpOdometer> alone(NODES);
    for (int k = 0; k < 40; ++k)
    {
        for (NodeId node = 0; node < NODES; ++node)
        {
            // Node 1 leaves out rounds, node 2 goes its own way from round 20 on.
            if (node == 1 && k % 7 == 0)
            {
                continue;
            }
            const Release release = NodeStep(node, node == 2 && k >= 20 ? 0.9 : 0.5 + 0.01 * k);
            together.Add(release);
            alone[node].Add(release);
        }
        for (NodeId node = 0; node < NODES; ++node)
        {
            EXPECT_EQ(together.Epsilon(node, 1e-5), alone[node].Epsilon(1e-5)) << node << " " << k;
        }
    }
    EXPECT_EQ(together.Group(0), together.Group(3));
    EXPECT_EQ(together.Group(0), together.Group(5));
    EXPECT_NE(together.Group(0), together.Group(1));
    EXPECT_NE(together.Group(0), together.Group(2));
    EXPECT_EQ(together.Obstacle(0), "");
}

TEST(NodeOdometers, AnObstacleIsOfOneNodeAndForGood)
{
    NodeOdometers odometers(3);
    for (NodeId node = 0; node < 3; ++node)
    {
        odometers.Add(
            NodeStep(node, 0.5, node == 1 ? ReleaseFlag::DATA_DEPENDENT_SCALE : ReleaseFlag::NONE));
    }
    odometers.Add(NodeStep(1, 0.5));
    EXPECT_TRUE(std::isinf(odometers.Epsilon(1, 1e-5)));
    EXPECT_NE(odometers.Obstacle(1).find("node 1"), std::string::npos);
    EXPECT_TRUE(std::isfinite(odometers.Epsilon(0, 1e-5)));
    EXPECT_EQ(odometers.Group(0), odometers.Group(2));
    EXPECT_EQ(odometers.Obstacle(2), "");
}

TEST(NodeOdometers, WhatNoExampleCanInfluenceCostsNothing)
{
    NodeOdometers odometers(2);
    odometers.Add(NodeStep(0, 0.0));
    EXPECT_EQ(odometers.Epsilon(0, 1e-5), 0.0);
    EXPECT_EQ(odometers.Group(0), odometers.Group(1));
}

TEST(NodeOdometers, ReplacedExamplesNeverCostLess)
{
    NodeOdometers removed(1);
    NodeOdometers replaced(1, Adjacency::REPLACE);
    EXPECT_EQ(replaced.Epsilon(0, 1e-5), 0.0);
    removed.Add(NodeStep(0, 0.5));
    replaced.Add(NodeStep(0, 0.5));
    EXPECT_GT(replaced.Epsilon(0, 1e-5), removed.Epsilon(0, 1e-5));
    EXPECT_EQ(replaced.Obstacle(0), "");
}

} // namespace dpdl
