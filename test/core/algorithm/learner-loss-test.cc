// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learner.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(LearnerUnderLoss, FourThousandRoundsAtHalfLossStayFinite)
{
    constexpr Round ROUNDS = 4000;
    for (const char* graph : {"exponential", "complete"})
    {
        GossipRun run(MakeGraph(graph, 8), ROUNDS, LossPolicy::NONE);
        for (Round round = 0; round < ROUNDS; ++round)
        {
            run.Step(RandomLoss(0.5));
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 8) << graph << " " << round;
        }
        for (NodeId node = 0; node < 8; ++node)
        {
            const ScaledDouble w = run.At(node).Weight();
            EXPECT_FALSE(w.IsZero()) << graph;
            EXPECT_LT(w, ScaledDouble(1e-300)) << graph;
            EXPECT_LT(w.Exponent(), -1000) << graph;
        }
        for (const std::vector<float>& z : run.Finish())
        {
            for (const float value : z)
            {
                // A convex combination of numbers in [1, 2), and float32's rounding.
                EXPECT_GE(value, 0.99f);
                EXPECT_LE(value, 2.01f);
            }
        }
    }
}

TEST(LearnerUnderLoss, ANodeThatHearsNothingKeepsItsState)
{
    GossipRun run(MakeGraph("complete", 4), 40, LossPolicy::NONE);
    const std::vector<float> before(run.At(2).State()->Data(), run.At(2).State()->Data() + 10);
    for (Round round = 0; round < 40; ++round)
    {
        run.Step([](const Share& share) { return share.target == 2 ? Fate::LOSE : Fate::ARRIVE; });
    }
    EXPECT_NEAR(run.At(2).Weight().ToDouble(), std::pow(0.25, 40), 1e-36);
    EXPECT_EQ(run.Finish()[2], before);
}

} // namespace
} // namespace dpdl
