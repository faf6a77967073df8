// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/training/gradient-step.h"
#include "step-run.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include "dpdl/algorithm/learning-plan.h"

namespace dpdl
{
namespace
{

constexpr Round PAPER_ROUNDS = 1000;

/// alpha(T - t).
double
AlphaBack(const AlgorithmPreset& preset, Round round)
{
    return 1.0 / preset.schedule->At(preset, round, PAPER_ROUNDS).strength;
}

/// A context whose gradients are zero and whose noise is 1 in each coordinate.
class NoiseContext : public StepContext
{
  public:
    const ModelSpec& Model() const override
    {
        throw Error("not asked for");
    }

    Batch Draw(const NodeJob&, std::uint32_t) override
    {
        return {};
    }

    float* Scratch(std::size_t) override
    {
        throw Error("not asked for");
    }

    BatchResult GradientSum(const float*, const Batch&, float*) override
    {
        throw Error("not asked for");
    }

    BoundedSum ClippedSum(NodeJob&, const Batch&, const float*, const ClipRule&) override
    {
        BoundedSum::Fields fields;
        fields.values = m_sum.data();
        fields.size = m_sum.size();
        return MakeSum(fields);
    }

    BoundedSum ClipMean(const ClipRule&, float*, ClipOutcome*) override
    {
        throw Error("not asked for");
    }

    float* AddNoise(const BoundedSum&, NodeJob&, std::uint32_t, double) override
    {
        return m_noisy.data();
    }

  private:
    std::vector<double> m_sum = std::vector<double>(4);
    std::vector<float> m_noisy = std::vector<float>(4, 1.0F);
};

TEST(FusedStep, LostMemoryIsNotFused)
{
    ParameterPool pool(4);
    NoiseContext context;
    NodeJob job;
    job.round = 2; // in the middle of a block
    job.update.rounds = 15;
    job.update.stepSize = 1.0;
    job.state = pool.Acquire();
    job.memory.push_back(pool.Acquire());
    std::fill_n(job.state->Data(), 4, 0.0F);
    std::fill_n(job.memory.front()->Data(), 4, 0.0F);
    FusedStep(5, 0.5).Run(context, job);
    EXPECT_EQ(job.state->Data()[0], -1.0F);
    EXPECT_EQ(FusedStep(5, 0.5).Iterations(), 1U) << "fusing is no further release";
}

TEST(AdpVrsgp, PaperModeSolvesTheorem1OverTheNoiseReallyUsed)
{
    LearningPlanSettings settings;
    settings.algorithm = MakeAlgorithm("adp-vrsgp", "c2=1.5");
    settings.mode = Mode::PAPER;
    settings.rounds = PAPER_ROUNDS;
    settings.localSamples = 7500;
    settings.batchSize = 64.0;
    settings.samplingRate = 64.0 / 7500.0;
    settings.epsilon = 4.0;
    settings.delta = 1e-5;
    const LearningPlan plan(settings);
    // The sum of alpha(T - t)^-2 over all rounds.
    const double base = 1.5 * 64.0 / 7500.0 * std::sqrt(std::log(1e5) * 173.38574683) / 4.0;
    for (const Round round : {0u, 1u, 500u, 999u})
    {
        const RoundRule& rule = plan.At(0, round);
        const double expected = base * AlphaBack(settings.algorithm, round);
        EXPECT_NEAR(rule.noise / rule.clip, expected, 1e-8 * expected) << round;
    }
    EXPECT_NEAR(plan.ClaimedEpsilon(0, PAPER_ROUNDS), 4.0, 1e-9);
    EXPECT_EQ(plan.ClaimedRate(0), 64.0 / 7500.0);
}

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
