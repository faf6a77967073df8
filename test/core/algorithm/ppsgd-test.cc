// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr std::size_t SHARED = 15; // the first layer's parameters

TEST(Ppsgd, FollowsItsRecursionAndKeepsThePersonalPart)
{
    StepRun run({MakeAlgorithm("ppsgd", "alpha=2")});
    const std::vector<std::vector<float>> states = run.Run();
    const RoundRule& rule = run.Plan().At(0, 0);
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        auto mean = run.Sum(z, run.BatchOf(node, round), [](StepRun::Vector& gradient) {
            for (double& value : gradient)
            {
                value /= 4.0;
            }
        });
        StepRun::Clip(mean, rule.clip, 0, SHARED);
        for (std::size_t i = SHARED; i < mean.size(); ++i)
        {
            mean[i] /= 2.0;
        }
        const auto noise = run.NoiseOf(node, round, rule.noise, SHARED);
        StepRun::AddStep(z, rule.stepSize, mean, noise);
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
    for (std::size_t i = 0; i < states[0].size(); ++i)
    {
        EXPECT_EQ(states[0][i] == states[1][i], i < SHARED) << i;
    }
}

TEST(Ppsgd, OneSharedExampleARoundIsConstD2pWithoutNoise)
{
    AlgorithmPreset shared = MakeAlgorithm("ppsgd", "sharedLayers=2");
    AlgorithmPreset constant = MakeAlgorithm("const-d2p");
    shared.stepSize = constant.stepSize;
    shared.clip = constant.clip = 0.5;
    StepRun run({shared, 6, 1, "fixed", false});
    StepRun other({constant, 6, 1, "fixed", false});
    run.Run();
    other.Run();
    EXPECT_LT(run.DistanceTo(other), 1e-6);
}

// As with option share, which replaces the algorithm's own number of parts.
TEST(Ppsgd, EverythingThatTravelsIsClippedAndNoised)
{
    AlgorithmPreset wide = MakeAlgorithm("ppsgd");
    wide.sharedLayers = 2;
    StepRun run({wide});
    StepRun other({MakeAlgorithm("ppsgd", "sharedLayers=2")});
    StepRun narrow({MakeAlgorithm("ppsgd")});
    EXPECT_EQ(run.Run(), other.Run());
    EXPECT_NE(run.Run(), narrow.Run());
}

// The personal part makes every gradient of the shared one depend on every example.
TEST(Ppsgd, ReleasesAreOfTheWholeNodeWithoutAmplification)
{
    const StepRun run({MakeAlgorithm("ppsgd")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    ASSERT_EQ(releases.size(), 6U);
    for (const Release& release : releases)
    {
        const Release::Fields& fields = release.Get();
        EXPECT_EQ(fields.sampler, "full");
        EXPECT_EQ(fields.rate, 1.0);
        EXPECT_EQ(fields.sensitivity, 1.0);
        EXPECT_EQ(fields.flags, ReleaseFlag::BATCH_CLIP | ReleaseFlag::FLOAT_NOISE);
        EXPECT_NEAR(release.Mu(), 2.0 / fields.noise, 1e-12);
    }
    const double epsilon = run.Plan().Guarantees()->Of(releases).epsilon;
    EXPECT_LE(epsilon, 4.0);
    EXPECT_GT(epsilon, 3.99);
    // The budget buys the same noise however small the batches are.
    const StepRun large({MakeAlgorithm("ppsgd"), 6, 20, "full"});
    EXPECT_EQ(large.Plan().At(0, 0).noise, run.Plan().At(0, 0).noise);
}

// What the certificate rests on, with other pictures at both nodes and without noise.
TEST(Ppsgd, OtherDataMoveWhatIsSharedByAtMostTwiceTheClipBoundARound)
{
    for (const double clip : {0.01, 0.1})
    {
        AlgorithmPreset preset = MakeAlgorithm("ppsgd");
        preset.clip = clip;
        StepRun run({preset, 8, 4, "poisson", false, 4.0, 0});
        StepRun other({preset, 8, 4, "poisson", false, 4.0, 1});
        run.Run();
        other.Run();
        const double bound = 8.0 * 2.0 * preset.stepSize * clip;
        EXPECT_LE(run.SharedDistanceTo(other), bound);
        EXPECT_GT(run.SharedDistanceTo(other), bound / 50.0) << "the bound is worth testing";
    }
}

TEST(Ppsgd, Learns)
{
    StepRun run({MakeAlgorithm("ppsgd"), 40, 10, "poisson", true, 300.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
