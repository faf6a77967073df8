// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/privacy/accountant.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{
namespace
{

constexpr double INF = std::numeric_limits<double>::infinity();

/// The setting of the golden values: Dyn-D2P, J examples, p = 1/J, delta = 1e-4.
LearningPlanSettings
PaperSettings(std::size_t localSamples, double epsilon, double muGrowth)
{
    LearningPlanSettings settings;
    settings.algorithm = {true, 0.05, 7.0, 5.0, muGrowth};
    settings.mode = Mode::PAPER;
    settings.rounds = 3500;
    settings.localSamples = localSamples;
    settings.batchSize = 1.0;
    settings.samplingRate = 1.0 / static_cast<double>(localSamples);
    settings.epsilon = epsilon;
    return settings;
}

LearningPlanSettings
SoundSettings(double clipDecay, double muGrowth, double batchSize)
{
    LearningPlanSettings settings;
    settings.algorithm.isPrivate = true;
    settings.algorithm.stepSize = 1.0;
    settings.algorithm.clip = 2.0;
    settings.algorithm.clipDecay = clipDecay;
    settings.algorithm.muGrowth = muGrowth;
    settings.rounds = 60;
    settings.localSamples = 500;
    settings.batchSize = batchSize;
    settings.samplingRate = batchSize / 500.0;
    settings.epsilon = 2.0;
    settings.accountant = "rdp"; // the fastest
    return settings;
}

TEST(LearningPlan, GoldenStrengthsAndTheClaimThatTheyMeet)
{
    const double growths[] = {1.0, 10.0, 5.0, 2.5, 2.0, 1.25};

    struct Row
    {
        double epsilon;
        double mu[6]; // by growth
    };

    for (const Row& row : {Row{0.3, {1.754478, 0.248373, 0.478491, 0.897451, 1.085186, 1.543668}},
                           Row{0.7, {2.132755, 0.282599, 0.549988, 1.050251, 1.281384, 1.866283}},
                           Row{1.0, {2.275059, 0.295357, 0.576412, 1.106169, 1.353114, 1.986397}},
                           Row{3.0, {2.661868, 0.330103, 0.647879, 1.255868, 1.544512, 2.309478}}})
    {
        for (int i = 0; i < 6; ++i)
        {
            const LearningPlan plan(PaperSettings(2500, row.epsilon, growths[i]));
            // Six digits are published; the strength has 24 bits, rounded down.
            EXPECT_NEAR(plan.At(0, 0).mu, row.mu[i], 8e-7) << row.epsilon << " " << growths[i];
            EXPECT_LE(plan.ClaimedEpsilon(0, 3500), row.epsilon) << growths[i];
            EXPECT_GE(plan.ClaimedEpsilon(0, 3500), row.epsilon * (1.0 - 1e-6)) << growths[i];
        }
    }
}

TEST(LearningPlan, ClaimGrowsWithTheRounds)
{
    const LearningPlan plan(PaperSettings(2500, 1.0, 5.0));
    EXPECT_EQ(plan.ClaimedEpsilon(0, 0), 0.0);
    double previous = 0.0;
    for (const Round rounds : {1u, 10u, 1000u, 2000u, 3500u})
    {
        EXPECT_GT(plan.ClaimedEpsilon(0, rounds), previous) << rounds;
        previous = plan.ClaimedEpsilon(0, rounds);
    }
}

TEST(LearningPlan, SoundPlansSpendTheCertifiedBudgetAndNoMore)
{
    const auto accountant = Accountants().Get("rdp");
    for (const double growth : {1.0, 1.5, 5.0})
    {
        for (const double batch : {8.0, 500.0})
        {
            const LearningPlan plan(SoundSettings(3.0, growth, batch));
            const Guarantee guarantee = accountant->Evaluate(plan.Releases(0), {1e-4});
            EXPECT_LE(guarantee.epsilon, 2.0) << growth << " " << batch;
            EXPECT_GT(guarantee.epsilon, 2.0 * (1.0 - 1e-6)) << growth << " " << batch;
            EXPECT_NEAR(plan.At(0, 30).mu / plan.At(0, 0).mu, std::sqrt(growth), 1e-12);
            EXPECT_NEAR(plan.At(0, 30).clip, 2.0 / std::sqrt(3.0), 1e-12);
        }
    }
}

TEST(LearningPlan, ReleasesSayWhatARoundDoes)
{
    const LearningPlan plan(SoundSettings(3.0, 1.5, 8.0));
    for (const Round round : {0u, 59u})
    {
        const Release fields = plan.ReleasesOf(4, round).front();
        EXPECT_EQ(fields.node, 4u);
        EXPECT_EQ(fields.round, round);
        EXPECT_EQ(fields.mechanism, "gaussian");
        EXPECT_EQ(fields.sampler, "poisson");
        EXPECT_EQ(fields.rate, 8.0 / 500.0);
        EXPECT_EQ(fields.sensitivity, plan.At(0, round).clip);
        EXPECT_EQ(fields.noise, plan.At(0, round).noise);
        EXPECT_EQ(fields.flags, ReleaseFlag::FLOAT_NOISE);
        EXPECT_EQ(plan.At(0, round).grid, 0.0);
        EXPECT_EQ(plan.At(0, round).noise, plan.At(0, round).clip / plan.At(0, round).mu);
        EXPECT_NEAR(plan.ReleasesOf(4, round).front().Mu(), plan.At(0, round).mu, 1e-12);
    }
}

TEST(LearningPlan, ReleasesSayHowTheBatchWasDrawn)
{
    LearningPlanSettings settings = SoundSettings(3.0, 1.5, 8.0);
    for (const std::string name : {"poisson", "fixed", "shuffle"})
    {
        settings.sampler = MakeSampler(name, 8, {});
        const LearningPlan plan(settings);
        for (const Round round : {0u, 30u, 59u})
        {
            const Release fields = plan.ReleasesOf(0, round).front();
            EXPECT_EQ(fields.sampler, name);
            EXPECT_EQ(fields.rate, 8.0 / 500.0);
            EXPECT_EQ(fields.epoch.value_or(0), 0u) << "an epoch has 62 rounds";
        }
    }
    // A batch of fixed size that holds all examples today would not hold them all with one more.
    settings.samplingRate = 1.0;
    settings.sampler = MakeSampler("fixed", 500, {});
    EXPECT_EQ(LearningPlan(settings).ReleasesOf(0, 0).front().sampler, "fixed");
    settings.sampler = MakeSampler("shuffle", 8, {});
    settings.localSamples = 24;
    settings.samplingRate = 8.0 / 24.0;
    EXPECT_EQ(LearningPlan(settings).ReleasesOf(0, 59).front().epoch, 19u);
}

// The rounding is paid for: the release is as private as calibrated, not a bit less.
TEST(LearningPlan, DiscreteNoiseIsFittedToTheCalibratedStrength)
{
    LearningPlanSettings settings = SoundSettings(3.0, 1.5, 8.0);
    const LearningPlan floats(settings);
    settings.parameters = 26010;
    settings.noiseSource = MakeNoiseSource("discrete-gaussian", {});
    const LearningPlan plan(settings);
    for (const Round round : {0u, 59u})
    {
        const RoundRule& rule = plan.At(0, round);
        const Release release = plan.ReleasesOf(0, round).front();
        // Integer orders alone make the bound a little wider than that of continuous noise.
        EXPECT_LE(rule.mu, floats.At(0, round).mu * (1.0 + 1e-6));
        EXPECT_GT(rule.mu, floats.At(0, round).mu * 0.97);
        EXPECT_GT(rule.grid, 0.0);
        EXPECT_EQ(std::fmod(rule.noise, rule.grid), 0.0);
        EXPECT_NEAR(rule.sensitivity, rule.clip + rule.grid * std::sqrt(26010.0), 1e-15);
        EXPECT_NEAR(rule.noise / floats.At(0, round).noise, 1.015, 0.015);
        EXPECT_EQ(release.mechanism, "discrete-gaussian");
        EXPECT_EQ(release.sensitivity, rule.sensitivity);
        EXPECT_EQ(release.flags, ReleaseFlag::NONE);
        EXPECT_LE(release.Mu(), rule.mu * (1.0 + 1e-15));
        EXPECT_GT(release.Mu(), rule.mu * 0.999);
    }
    EXPECT_LE(plan.Guarantees()->Of(plan.Releases(0)).epsilon, 2.0);
    EXPECT_GT(plan.Guarantees()->Of(plan.Releases(0)).epsilon, 2.0 * (1.0 - 1e-4));
    settings.noise = false;
    const LearningPlan silent(settings);
    EXPECT_EQ(silent.At(0, 0).grid, 0.0);
    EXPECT_EQ(silent.At(0, 0).sensitivity, silent.At(0, 0).clip);
    EXPECT_EQ(silent.ReleasesOf(0, 0).front().mechanism, "none");
}

TEST(LearningPlan, ABatchClippedAsAWholeGetsTwiceTheNoise)
{
    LearningPlanSettings settings = SoundSettings(3.0, 1.5, 500.0);
    const LearningPlan single(settings);
    settings.flags = ReleaseFlag::BATCH_CLIP;
    const LearningPlan whole(settings);
    EXPECT_EQ(whole.ReleasesOf(0, 7).front().flags,
              ReleaseFlag::BATCH_CLIP | ReleaseFlag::FLOAT_NOISE);
    EXPECT_NEAR(whole.At(0, 7).noise / single.At(0, 7).noise, 2.0, 1e-6);
    EXPECT_LE(Accountants().Get("rdp")->Evaluate(whole.Releases(0), {1e-4}).epsilon, 2.0);
}

TEST(LearningPlan, FlagsThatRuleOutAGuaranteeChangeNoNoise)
{
    LearningPlanSettings settings = SoundSettings(3.0, 1.5, 8.0);
    const LearningPlan clean(settings);
    settings.algorithm.flags = ReleaseFlag::DATA_DEPENDENT_SCALE;
    settings.flags = ReleaseFlag::REALISED_BATCH_SIZE;
    const LearningPlan flagged(settings);
    EXPECT_EQ(flagged.At(0, 7).noise, clean.At(0, 7).noise);
    EXPECT_EQ(flagged.ReleasesOf(0, 7).front().flags,
              ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::REALISED_BATCH_SIZE |
                  ReleaseFlag::FLOAT_NOISE);
    const Guarantee guarantee = flagged.Guarantees()->Of(flagged.Releases(0));
    EXPECT_EQ(guarantee.epsilon, INF);
    EXPECT_NE(guarantee.reason.find("private data"), std::string::npos);
}

TEST(LearningPlan, ReplacedExamplesNeedTwiceTheNoiseOfFullBatches)
{
    LearningPlanSettings settings = SoundSettings(1.0, 1.0, 500.0);
    settings.accountant = "gdp";
    const LearningPlan removed(settings);
    settings.adjacency = Adjacency::REPLACE;
    const LearningPlan replaced(settings);
    EXPECT_NEAR(replaced.At(0, 0).noise / removed.At(0, 0).noise, 2.0, 1e-6);
    const Guarantee guarantee = replaced.Guarantees()->Of(replaced.Releases(0));
    EXPECT_LE(guarantee.epsilon, 2.0);
    EXPECT_EQ(guarantee.adjacency, "replace");
}

TEST(LearningPlan, TheAccountantHasToBeCertifiedAndToKnowTheSteps)
{
    LearningPlanSettings settings = SoundSettings(1.0, 1.0, 8.0);
    for (const char* name : {"clt", "gdp", "none"})
    {
        settings.accountant = name;
        EXPECT_THROW(LearningPlan{settings}, UsageError) << name;
    }
    settings.mode = Mode::PAPER;
    settings.accountant = "gdp"; // calibrates nothing here, and certifies nothing
    const LearningPlan paper(settings);
    EXPECT_EQ(paper.Guarantees()->Of(paper.Releases(0)).epsilon, INF);
}

TEST(LearningPlan, RefusesABudgetOutOfRange)
{
    for (const auto& [epsilon, delta] :
         {std::pair{0.0, 1e-4}, {-1.0, 1e-4}, {INF, 1e-4}, {1.0, 0.0}, {1.0, 1.0}})
    {
        for (const Mode mode : {Mode::PAPER, Mode::SOUND})
        {
            LearningPlanSettings settings = SoundSettings(3.0, 1.5, 8.0);
            settings.mode = mode;
            settings.epsilon = epsilon;
            settings.delta = delta;
            EXPECT_THROW(LearningPlan{settings}, UsageError) << epsilon << " " << delta;
        }
    }
}

} // namespace
} // namespace dpdl
