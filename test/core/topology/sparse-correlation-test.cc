// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/topologies.h"
#include "reference-network.h"

#include <gtest/gtest.h>
#include <string>

namespace dpdl
{
namespace
{

/// Never makes a matrix of all pairs.
constexpr std::size_t NO_MATRIX = 0;

/// Windows of @p window rounds, with and without matrices.
void
ExpectEqualPaths(const std::string& topology, std::size_t nodes, Fates fates, Round window)
{
    SCOPED_TRACE(topology + ", " + std::to_string(nodes));
    ReferenceNetwork network(MakeGraphSequence(topology, nodes, {3, 1}), fates, 11);
    ContractionTracker dense(nodes);
    ContractionTracker sparse(nodes, 0, NO_MATRIX);
    for (Round round = 0; round < 3 * window; ++round)
    {
        const auto mixed = network.PlayRound();
        dense.AddRound(round, mixed);
        sparse.AddRound(round, mixed);
        if ((round + 1) % window != 0)
        {
            continue;
        }
        const WindowResult a = dense.CloseWindow();
        const WindowResult b = sparse.CloseWindow();
        EXPECT_EQ(a.qError, 0.0);
        EXPECT_LE(b.q, a.q + 1e-8);
        EXPECT_GE(b.q + b.qError, a.q - 1e-8) << "the error covers what is left open";
        EXPECT_TRUE(b.qError > 1e-8 || std::fabs(a.q - b.q) <= 1e-8) << a.q << " " << b.q;
        EXPECT_EQ(a.stronglyConnected, b.stronglyConnected);
        EXPECT_EQ(a.smallestWeight, b.smallestWeight);
        EXPECT_TRUE(std::isnan(b.worstPair) && std::isnan(b.effectiveNodes) &&
                    std::isnan(b.largestInfluence));
    }
}

TEST(SparseCorrelation, IsThatOfTheMatrixWithLossesAndLateShares)
{
    const std::vector<Fates> fates{{0.0, 0.0, 1}, {0.2, 0.0, 1}, {0.0, 0.4, 2}, {0.15, 0.5, 9}};
    for (const char* topology :
         {"ring", "exponential", "star", "lollipop", "out-degree:4", "random:0.2", "base:2"})
    {
        for (const Fates& fate : fates)
        {
            ExpectEqualPaths(topology, 24, fate, 5);
        }
    }
    for (const char* topology : {"exponential", "out-degree:10", "random:0.02", "equi-static:8"})
    {
        ExpectEqualPaths(topology, 400, {0.1, 0.1, 3}, 8);
    }
    ExpectEqualPaths("complete", 300, {0.1, 0.0, 1}, 1);
}

TEST(SparseCorrelation, HasTheErrorThatSlowAveragingLeavesOpen)
{
    for (const char* topology : {"ring", "out-degree:5"})
    {
        ExpectEqualPaths(topology, 1000, {0.0, 0.0, 1}, 1);
    }
}

TEST(SparseCorrelation, HasTheClosedFormsOfManyNodes)
{
    constexpr std::size_t NODES = 10000;
    const double pi = std::acos(-1.0);
    const auto bracket = [](const char* topology, Round window, double expected) {
        DesignedContraction designed(MakeGraphSequence(topology, NODES, {}));
        for (Round round = 0; round < window; ++round)
        {
            designed.AddRound();
        }
        const WindowResult result = designed.CloseWindow();
        EXPECT_LE(result.q, expected + 1e-9) << topology;
        EXPECT_GE(result.q + result.qError, expected - 1e-9) << topology;
        return result;
    };
    bracket("ring", 1, std::cos(pi / NODES));
    bracket("out-degree:4", 3, std::sin(4.0 * pi / NODES) / (4.0 * std::sin(pi / NODES)));
    EXPECT_EQ(bracket("base:9", 4, 0.0).contraction, 0.0) << "averages exactly";
}

} // namespace
} // namespace dpdl
