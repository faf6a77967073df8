// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(ADp2Sgd, SendsWhatItHasBeforeTheStep)
{
    AlgorithmPreset constant = MakeAlgorithm("const-d2p");
    constant.order = GossipOrder::SEND_FIRST;
    StepRun run({MakeAlgorithm("a-dp2-sgd")});
    StepRun other({constant});
    EXPECT_EQ(run.Run(), other.Run());
}

TEST(ADp2Sgd, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("a-dp2-sgd")});
    run.Run();
    const double deviation = run.Plan().At(0, 0).noise;
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        const auto sum = run.Sum(z, run.BatchOf(node, round), [](StepRun::Vector& gradient) {
            StepRun::Clip(gradient, 2.0, 0, gradient.size());
        });
        const auto noise = run.NoiseOf(node, round, deviation, z.size());
        StepRun::AddStep(z, 1.0 / 4.0, sum, noise);
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(ADp2Sgd, ReleasesOneGradientARound)
{
    const StepRun run({MakeAlgorithm("a-dp2-sgd")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    ASSERT_EQ(releases.size(), 6U);
    for (const Release& release : releases)
    {
        EXPECT_EQ(release.Get().sensitivity, 2.0);
        EXPECT_EQ(release.Flags(), ReleaseFlag::FLOAT_NOISE);
    }
    EXPECT_LE(run.Plan().Guarantees()->Of(releases).epsilon, 4.0);
}

TEST(ADp2Sgd, Learns)
{
    StepRun run({MakeAlgorithm("a-dp2-sgd"), 60, 10, "poisson", true, 30.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
