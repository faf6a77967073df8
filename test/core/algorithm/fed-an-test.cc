// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(FedAn, NoiseFallsAsItsScheduleSays)
{
    const StepRun run({MakeAlgorithm("fed-an", "decay=2"), 8});
    for (Round round = 0; round < 8; ++round)
    {
        const RoundRule& rule = run.Plan().At(0, round);
        EXPECT_NEAR(run.Plan().At(0, 0).noise / rule.noise, 1.0 + 2.0 * round / 8.0, 1e-12);
        EXPECT_EQ(rule.clip, run.Plan().At(0, 0).clip);
        EXPECT_EQ(rule.stepSize, run.Plan().At(0, 0).stepSize);
        EXPECT_EQ(run.Plan().ReleasesOf(0, round).front().Get().sensitivity, rule.clip);
        EXPECT_EQ(run.Plan().ReleasesOf(0, round).front().Flags(), ReleaseFlag::FLOAT_NOISE);
    }
    EXPECT_LE(run.Plan().Guarantees()->Of(run.Plan().Releases(0)).epsilon, 4.0);
}

TEST(FedAn, WithoutDecayItIsConstD2p)
{
    StepRun still({MakeAlgorithm("fed-an", "decay=0")});
    StepRun constant({MakeAlgorithm("const-d2p")});
    EXPECT_EQ(still.Run(), constant.Run());
    StepRun decaying({MakeAlgorithm("fed-an")});
    EXPECT_NE(decaying.Run(), constant.Run());
}

TEST(FedAn, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("fed-an", "decay=3")});
    run.Run();
    const double first = run.Plan().At(0, 0).noise;
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        const auto sum = run.Sum(z, run.BatchOf(node, round), [](StepRun::Vector& gradient) {
            StepRun::Clip(gradient, 2.0, 0, gradient.size());
        });
        const auto noise = run.NoiseOf(node, round, first / (1.0 + 3.0 * round / 6.0), z.size());
        StepRun::AddStep(z, 1.0 / 4.0, sum, noise);
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(FedAn, Learns)
{
    StepRun run({MakeAlgorithm("fed-an"), 60, 10, "poisson", true, 30.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
