// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/sensitivity-exchange.h"
#include "dpdl/base/errors.h"
#include "dpdl/topology/topologies.h"
#include "step-run.h"

#include <gtest/gtest.h>

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

constexpr RandomSeed SEED{3, 9};

NoiseMix
MixOf(const std::string& algorithm,
      const std::string& hyper,
      const std::string& topology,
      std::size_t nodes)
{
    const auto graph = MakeGraphSequence(topology, nodes, SEED);
    return MakeAlgorithm(algorithm, hyper).correlate(*graph, 8);
}

TEST(CorrelatedNoise, LambdaCgdHidesTheExampleThatFillsUpABatch)
{
    const auto noise = [](const std::string& sampler) {
        StepRun::Settings settings{MakeAlgorithm("lambda-cgd", "lambda=0.5")};
        settings.sampler = sampler;
        const StepRun run(settings);
        EXPECT_EQ(run.Plan().Releases(0)[0].rate, 1.0) << sampler;
        return run.Plan().At(0, 0).noise;
    };
    EXPECT_EQ(noise("poisson"), noise("full"));
    EXPECT_NEAR(noise("fixed"), 2.0 * noise("full"), 1e-6 * noise("full"));
    EXPECT_EQ(noise("shuffle"), noise("fixed"));
}

TEST(CorrelatedNoise, NeedsAKnownTopologyAndEnoughRounds)
{
    EXPECT_THROW(MixOf("decor", "", "random:0.5", 6), UsageError);
    EXPECT_NO_THROW(MixOf("decor", "secrets=1", "random:0.5", 6));
    EXPECT_THROW(MixOf("corn", "", "random:0.5", 6), UsageError);
    EXPECT_THROW(MixOf("decor", "colluders=6", "complete", 6), UsageError);
    EXPECT_THROW(MixOf("bandmf", "bands=9", "ring", 6), UsageError);
    EXPECT_THROW(MixOf("mafalda", "bands=9", "ring", 6), UsageError);
    EXPECT_THROW(MixOf("mafalda", "", "random:0.5", 6), UsageError);
}

} // namespace
} // namespace dpdl
