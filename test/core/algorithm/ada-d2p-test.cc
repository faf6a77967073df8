// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learning-plan.h"
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

} // namespace
} // namespace dpdl
