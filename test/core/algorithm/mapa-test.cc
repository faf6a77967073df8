// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(Mapa, HalvesStepAndClipFromStageToStage)
{
    const AlgorithmPreset preset = MakeAlgorithm("mapa", "stages=3");
    const auto at = [&preset](Round round) { return preset.schedule->At(preset, round, 10); };
    // Stages begin in rounds ceil(10 / 3) and ceil(20 / 3).
    for (const auto& [round, scale] :
         {std::pair<Round, double>{0, 1.0}, {3, 1.0}, {4, 0.5}, {6, 0.5}, {7, 0.25}, {9, 0.25}})
    {
        EXPECT_EQ(at(round).stepSize, preset.stepSize * scale) << round;
        EXPECT_EQ(at(round).clip, preset.clip * scale) << round;
        EXPECT_EQ(at(round).unit, preset.clip * scale) << round;
        EXPECT_EQ(at(round).strength, 1.0) << round;
    }
}

TEST(Mapa, OneStageIsConstD2p)
{
    StepRun staged({MakeAlgorithm("mapa", "stages=1")});
    StepRun constant({MakeAlgorithm("const-d2p")});
    EXPECT_EQ(staged.Run(), constant.Run());
    StepRun halved({MakeAlgorithm("mapa", "stages=2")});
    EXPECT_NE(halved.Run(), constant.Run());
}

TEST(Mapa, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("mapa", "stages=2")});
    run.Run();
    const double mu = run.Plan().At(0, 0).mu;
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        const double scale = round < 3 ? 1.0 : 0.5;
        const auto sum = run.Sum(z, run.BatchOf(node, round), [&](StepRun::Vector& gradient) {
            StepRun::Clip(gradient, 2.0 * scale, 0, gradient.size());
        });
        const auto noise = run.NoiseOf(node, round, 2.0 * scale / mu, z.size());
        StepRun::AddStep(z, scale / 4.0, sum, noise);
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(Mapa, EveryReleaseHasTheSameMultiplier)
{
    const StepRun run({MakeAlgorithm("mapa")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    ASSERT_EQ(releases.size(), 6U);
    for (Round round = 0; round < 6; ++round)
    {
        const Release::Fields& fields = releases[round].Get();
        EXPECT_EQ(fields.sensitivity, run.Plan().At(0, round).clip);
        EXPECT_EQ(fields.flags, ReleaseFlag::FLOAT_NOISE);
        EXPECT_EQ(releases[round].NoiseMultiplier(), releases[0].NoiseMultiplier());
    }
    EXPECT_LE(run.Plan().Guarantees()->Of(releases).epsilon, 4.0);
}

TEST(Mapa, Learns)
{
    StepRun run({MakeAlgorithm("mapa"), 60, 10, "poisson", true, 30.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
