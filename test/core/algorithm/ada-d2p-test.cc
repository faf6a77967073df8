// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/privacy/published-claim.h"
#include "step-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

const std::string NAMES[] = {"ada-d2p", "clip-d2p", "const-ada"};

LearningPlanSettings
PaperSettings(const AlgorithmPreset& preset, std::size_t localSamples, Round rounds, double epsilon)
{
    LearningPlanSettings settings;
    settings.algorithm = preset;
    settings.mode = Mode::PAPER;
    settings.rounds = rounds;
    settings.localSamples = localSamples;
    settings.batchSize = 1.0;
    settings.samplingRate = 1.0 / static_cast<double>(localSamples);
    settings.epsilon = epsilon;
    settings.delta = 1e-5;
    return settings;
}

TEST(AdaD2p, GoldenClaimsOfTheNoiseOfThePaper)
{
    struct Row
    {
        std::size_t localSamples;
        Round rounds;
        const char* sigma;
        double claimed; // epsilon / c2
    };

    for (const Row& row : {Row{2500, 3500, "0.04", 2.007},
                           Row{2500, 3500, "0.02", 4.015},
                           Row{2500, 3500, "0.002", 40.15},
                           Row{2500, 3500, "0.001", 80.30},
                           Row{3000, 2200, "0.05", 1.061},
                           Row{3000, 2200, "0.02", 2.652}})
    {
        for (const std::string& name : NAMES)
        {
            for (const double c2 : {1.0, 2.0})
            {
                const std::string hyper =
                    std::string("noiseMultiplier=") + row.sigma + ",c2=" + std::to_string(c2);
                const AlgorithmPreset preset = MakeAlgorithm(name, hyper);
                const LearningPlan plan(PaperSettings(preset, row.localSamples, row.rounds, 1.0));
                EXPECT_NEAR(plan.ClaimedEpsilon(0, row.rounds) / c2, row.claimed, 6e-3) << name;
                EXPECT_DOUBLE_EQ(plan.At(0, 0).noise, std::stod(row.sigma) * plan.At(0, 0).unit);
                EXPECT_FALSE(plan.Of(0).Budget().has_value());
            }
        }
    }
}

TEST(AdaD2p, PaperModeSolvesTheFormulaForTheNoise)
{
    for (const std::string& name : NAMES)
    {
        for (const double epsilon : {0.5, 4.0})
        {
            const LearningPlan plan(PaperSettings(MakeAlgorithm(name), 2500, 3500, epsilon));
            const double sigma = 2.0 * std::sqrt(3500.0 * std::log(1e5)) / (2500.0 * epsilon);
            EXPECT_NEAR(plan.At(0, 7).noise / plan.At(0, 7).unit, sigma, 1e-12 * sigma) << name;
            EXPECT_NEAR(plan.ClaimedEpsilon(0, 3500), epsilon, 1e-12) << name;
            ClaimSettings planned;
            planned.mode = Mode::PAPER;
            planned.rounds = 3500;
            planned.localSamples = 2500;
            planned.epsilon = epsilon;
            const ClaimedRun run =
                PublishedClaims().Get(name)->Run(planned, *Accountants().Get("pld"));
            EXPECT_NEAR(run.steps.front().noise, sigma, 1e-12 * sigma);
            EXPECT_NEAR(*run.claimed, plan.ClaimedEpsilon(0, 3500), 1e-12);
            EXPECT_EQ(run.flags, MakeAlgorithm(name).flags);
        }
    }
}

TEST(AdaD2p, OnlyTheOneThatClipsIsCertified)
{
    for (const std::string& name : NAMES)
    {
        StepRun::Settings settings{MakeAlgorithm(name)};
        const StepRun run(settings);
        const Guarantee guarantee = run.Plan().Guarantees()->Of(run.Plan().Releases(0));
        EXPECT_EQ(std::isfinite(guarantee.epsilon), name == "clip-d2p") << name;
        EXPECT_EQ(guarantee.reason.find("computed from private data") != std::string::npos,
                  name != "clip-d2p")
            << guarantee.reason;
        EXPECT_TRUE(std::isfinite(run.Plan().ClaimedEpsilon(0, run.Plan().Rounds()))) << name;
    }
}

TEST(AdaD2p, NoiseIsAMultipleOfTheGradientsOwnNorm)
{
    for (const std::string batch : {"poisson", "fixed"})
    {
        StepRun::Settings settings{MakeAlgorithm("ada-d2p", "noiseMultiplier=0.3")};
        settings.preset.stepSize = 0.5;
        settings.sampler = batch;
        StepRun run(settings);
        run.Run();
        const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
            const auto sum = run.Sum(z, run.BatchOf(node, round), [](StepRun::Vector&) {});
            double squares = 0.0;
            for (const double value : sum)
            {
                squares += value * value;
            }
            const auto noise = run.NoiseOf(node, round, 0.3 * std::sqrt(squares), z.size());
            for (std::size_t i = 0; i < z.size(); ++i)
            {
                z[i] -= 0.5 * (sum[i] + noise[i]) / 4.0;
            }
        });
        EXPECT_LT(run.DistanceTo(replay), 1e-5) << batch;
    }
}

TEST(AdaD2p, TheOthersAddTheSameNoiseWhateverTheGradientIs)
{
    for (const std::string name : {"clip-d2p", "const-ada"})
    {
        const bool clips = name == "clip-d2p";
        StepRun::Settings settings{MakeAlgorithm(name, "noiseMultiplier=0.3")};
        settings.preset.stepSize = 0.5;
        StepRun run(settings);
        run.Run();
        const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
            const auto sum = run.Sum(z, run.BatchOf(node, round), [&](StepRun::Vector& gradient) {
                if (clips)
                {
                    StepRun::Clip(gradient, 2.0, 0, gradient.size());
                }
            });
            const auto noise = run.NoiseOf(node, round, 0.3 * (clips ? 2.0 : 8.5), z.size());
            for (std::size_t i = 0; i < z.size(); ++i)
            {
                z[i] -= 0.5 * (sum[i] + noise[i]) / 4.0;
            }
        });
        EXPECT_LT(run.DistanceTo(replay), 1e-5) << name;
    }
}

} // namespace
} // namespace dpdl
