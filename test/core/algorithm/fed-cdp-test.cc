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

TEST(FedCdp, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("fed-cdp", "iterations=3")});
    run.Run();
    const RoundRule& rule = run.Plan().At(0, 0);
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        for (Round number = 3 * round; number < 3 * round + 3; ++number)
        {
            const auto sum = run.Sum(z, run.BatchOf(node, number), [&](StepRun::Vector& gradient) {
                for (const ParameterTensor& tensor : run.Model().Parameters())
                {
                    const std::size_t end = tensor.offset + tensor.size;
                    StepRun::Clip(gradient, rule.clip / std::sqrt(4.0), tensor.offset, end);
                }
            });
            const auto noise = run.NoiseOf(node, number, rule.noise, z.size());
            StepRun::AddStep(z, rule.stepSize / 4.0, sum, noise);
        }
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(FedCdp, OneIterationWithoutClippingIsConstD2p)
{
    AlgorithmPreset layers = MakeAlgorithm("fed-cdp", "iterations=1");
    AlgorithmPreset constant = MakeAlgorithm("const-d2p");
    layers.clip = constant.clip = 1e4;
    layers.stepSize = constant.stepSize;
    StepRun run({layers, 6, 4, "poisson", false});
    StepRun other({constant, 6, 4, "poisson", false});
    run.Run();
    other.Run();
    EXPECT_LT(run.DistanceTo(other), 1e-6);
    // A bound that binds distinguishes them.
    layers.clip = constant.clip = 0.5;
    StepRun tight({layers, 6, 4, "poisson", false});
    StepRun whole({constant, 6, 4, "poisson", false});
    tight.Run();
    whole.Run();
    EXPECT_GT(tight.DistanceTo(whole), 1e-3);
}

TEST(FedCdp, EveryIterationIsARelease)
{
    const StepRun run({MakeAlgorithm("fed-cdp", "iterations=3")});
    const std::vector<Release> releases = run.Plan().Releases(1);
    ASSERT_EQ(releases.size(), 18U);
    for (std::size_t i = 0; i < releases.size(); ++i)
    {
        const Release::Fields& fields = releases[i].Get();
        EXPECT_EQ(fields.round, i / 3);
        EXPECT_EQ(fields.stream, i % 3);
        EXPECT_EQ(fields.sensitivity, 4.0) << "of all tensors together";
        EXPECT_EQ(fields.rate, 0.2);
        EXPECT_EQ(fields.flags, ReleaseFlag::FLOAT_NOISE);
    }
    const double epsilon = run.Plan().Guarantees()->Of(releases).epsilon;
    EXPECT_LE(epsilon, 4.0);
    EXPECT_GT(epsilon, 3.99);
}

TEST(FedCdp, Learns)
{
    StepRun run({MakeAlgorithm("fed-cdp", "iterations=2"), 30, 10, "poisson", true, 100.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
