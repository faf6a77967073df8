// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/topologies.h"
#include "dpdl/topology/wrapped-graphs.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

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
