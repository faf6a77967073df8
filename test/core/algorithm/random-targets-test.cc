// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "gossip-run.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

constexpr std::size_t RECEIVERS = 8;

TEST(RandomTargets, AllFragmentsFromAllAreThePlainAverage)
{
    GossipRun run(MakeGraph("complete", RECEIVERS), 1, LossPolicy::RENORMALISE, 3);
    run.Scatter();
    run.Step();
    EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-7);
}

TEST(RandomTargets, FragmentsOfAModelGoToDifferentNodes)
{
    GossipRun run(MakeGraph("random-out:2", RECEIVERS), 1, LossPolicy::RENORMALISE, 2);
    run.Scatter();
    std::map<NodeId, std::set<NodeId>> targets;
    run.Step([&](const Share& share) {
        targets[share.source].insert(share.target);
        return Fate::ARRIVE;
    });
    std::size_t reached = 0;
    for (const auto& [source, found] : targets)
    {
        reached += found.size();
        EXPECT_EQ(found.count(source), 0u);
    }
    EXPECT_GT(reached, 4 * RECEIVERS) << "5 fragments to 2 of 7 nodes each; in one piece: 2";
}

TEST(RandomTargets, TopologiesFollowTheNumberOfNodes)
{
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(20), "random-out:5");
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(2), "random-out:1");
    EXPECT_EQ(MakeAlgorithm("divshare").topology(20), "random-out:4");
    EXPECT_EQ(MakeAlgorithm("divshare", "out=7").topology(20), "random-out:7");
    EXPECT_EQ(MakeAlgorithm("ad-psgd").topology(20), "pairwise");
}

TEST(RandomTargets, ReleaseWhatConstD2pReleases)
{
    const StepRun constant({MakeAlgorithm("const-d2p")});
    const std::vector<Release> expected = constant.Plan().Releases(0);
    for (const char* name : {"epidemic", "divshare", "ad-psgd", "r-fast", "momentum-d2p"})
    {
        const std::vector<Release> releases = StepRun({MakeAlgorithm(name)}).Plan().Releases(0);
        ASSERT_EQ(releases.size(), expected.size()) << name;
        for (std::size_t k = 0; k < releases.size(); ++k)
        {
            EXPECT_EQ(releases[k].NoiseMultiplier(), expected[k].NoiseMultiplier()) << name;
            EXPECT_EQ(releases[k].flags, expected[k].flags) << name;
        }
    }
}

} // namespace
} // namespace dpdl
