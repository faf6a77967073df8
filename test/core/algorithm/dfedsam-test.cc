// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Dfedsam, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("dfedsam", "iterations=3,radius=0.7")});
    run.Run();
    const RoundRule& rule = run.Plan().At(0, 0);
    std::vector<StepRun::Vector> last(StepRun::NODES);
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        StepRun::Vector& direction = last[node];
        for (Round number = 3 * round; number < 3 * round + 3; ++number)
        {
            StepRun::Vector point = z;
            double square = 0.0;
            for (const double value : direction)
            {
                square += value * value;
            }
            for (std::size_t i = 0; i < direction.size(); ++i)
            {
                point[i] += 0.7 * direction[i] / std::sqrt(square);
            }
            direction = run.Sum(point, run.BatchOf(node, number), [&](StepRun::Vector& gradient) {
                StepRun::Clip(gradient, rule.clip, 0, gradient.size());
            });
            const auto noise = run.NoiseOf(node, number, rule.noise, z.size());
            StepRun::AddStep(direction, -1.0, noise, StepRun::Vector(noise.size(), 0.0));
            StepRun::AddStep(z, rule.stepSize / 4.0, direction, StepRun::Vector(z.size(), 0.0));
        }
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(Dfedsam, OneIterationWithoutRadiusIsConstD2p)
{
    AlgorithmPreset constant = MakeAlgorithm("const-d2p");
    constant.stepSize = MakeAlgorithm("dfedsam").stepSize;
    StepRun run({MakeAlgorithm("dfedsam", "iterations=1,radius=0")});
    StepRun other({constant});
    EXPECT_EQ(run.Run(), other.Run());
    StepRun sharp({MakeAlgorithm("dfedsam", "iterations=1,radius=1")});
    EXPECT_NE(sharp.Run(), other.Run());
}

TEST(Dfedsam, EveryIterationIsARelease)
{
    const StepRun run({MakeAlgorithm("dfedsam")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    ASSERT_EQ(releases.size(), 30U);
    for (const Release& release : releases)
    {
        EXPECT_EQ(release.Get().sensitivity, 2.0);
        EXPECT_EQ(release.Flags(), ReleaseFlag::FLOAT_NOISE);
    }
    const double epsilon = run.Plan().Guarantees()->Of(releases).epsilon;
    EXPECT_LE(epsilon, 4.0);
    EXPECT_GT(epsilon, 3.99);
}

TEST(Dfedsam, Learns)
{
    StepRun run({MakeAlgorithm("dfedsam", "iterations=2"), 30, 10, "poisson", true, 100.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
