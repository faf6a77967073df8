// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../privacy/schedule.h"
#include "dpdl/audit/audit-answer.h"
#include "dpdl/audit/canary-game.h"
#include "dpdl/audit/event-probability.h"
#include "dpdl/audit/one-run.h"

#include <gtest/gtest.h>

// What audits of the published mechanisms have to find: claims that are known to be false are
// refuted, claims that are true are left alone.

namespace dpdl
{

namespace
{

constexpr std::uint32_t LOCAL_SAMPLES = 2500;
constexpr std::uint32_t ROUNDS = 3500;
constexpr double DELTA = 1e-4;

/// Poisson-sampled steps of one mu. @param factor 2 where the others pull the other way
std::vector<CanaryStep>
Steps(double mu, double rate, double factor = 1.0)
{
    return std::vector<CanaryStep>(ROUNDS, {rate, factor * mu, 0});
}

/// Dyn-D2P with constant mu: the game of one uniformly drawn example a round.
ScoreTest
PlayLiteral(double mu, std::size_t runs, std::uint32_t seed, double confidence)
{
    const CanaryGame game(Steps(mu, 1.0 / LOCAL_SAMPLES, 2.0));
    return TestScores(game.Play(runs, {seed, 1}), DELTA, confidence);
}

double
PublishedMu(double rate, double epsilon)
{
    return CalibrateScaleByClt(Growing(rate, ROUNDS), epsilon, DELTA);
}

} // namespace

TEST(ExpectedOutcome, AdaD2pMessageStaysUnchangedIfAndOnlyIfTheGradientIsZero)
{
    EXPECT_EQ(CountUnchangedMessages(0.0, 0.04, 0.05, 100, 1000, {1, 1}), 1000U);
    EXPECT_EQ(CountUnchangedMessages(1.0, 0.04, 0.05, 100, 1000, {1, 1}), 0U);
}

TEST(ExpectedOutcome, DppsBroadcastScalarTakesTheNoiseAway)
{
    const ScalarGuesses guesses = PlayBroadcastScalar(1.0, 100, 1000, {1, 1});
    EXPECT_EQ(guesses.withScalar, 1000U);
    EXPECT_NEAR(static_cast<double>(guesses.withoutScalar), 697.0, 45.0);
    // Another simulation, three standard errors of the difference.
    EXPECT_NEAR(static_cast<double>(guesses.withoutScalar) / 1000.0, 0.701, 0.061);
    // No 1-DP mechanism lets anyone be right more often than e/(1+e) of the time.
    EXPECT_LT(static_cast<double>(guesses.withoutScalar), 731.0 + 45.0);
}

TEST(ExpectedOutcome, DynD2pAsWrittenBreaksItsClaim)
{
    for (const double claimed : {0.3, 1.0, 3.0})
    {
        const ScoreTest test =
            PlayLiteral(PublishedMu(1.0 / LOCAL_SAMPLES, claimed), 2000, 1, 0.999);
        if (claimed < 3.0)
        {
            EXPECT_GT(test.epsilon.value, claimed);
        }
        EXPECT_GT(test.mu.value, GdpMu(claimed, DELTA));
        EXPECT_LT(test.epsilon.value, 16.19); // the least that the true epsilon is
    }
}

TEST(ExpectedOutcome, DynD2pWithCorrectedNoiseRaisesNoFalseAlarm)
{
    // The noise multiplier that makes the claim of 1 true for one uniformly drawn example.
    const double mu = 1.0 / 1.07776;
    for (std::uint32_t seed = 1; seed <= 20; ++seed)
    {
        const double observed = PlayLiteral(mu, 1000, seed, 0.999).epsilon.value;
        EXPECT_LE(observed, 1.0) << "seed " << seed;
    }
}

TEST(ExpectedOutcome, GaussianMechanismIsMeasuredTightly)
{
    const CanaryGame game({{1.0, 1.0, 0}});
    const ScoreTest test = TestScores(game.Play(200000, {1, 1}), 1e-5, 0.95);
    EXPECT_GE(test.mu.value, 0.9);
    EXPECT_LE(test.mu.value, 1.0);
    EXPECT_LE(test.epsilon.value, GdpEpsilon(1.0, 1e-5));
}

TEST(ExpectedOutcome, DynD2pWithItsTrueBatchPasses)
{
    const double rate = 64.0 / LOCAL_SAMPLES;
    for (const double claimed : {1.0, 3.0})
    {
        const CanaryGame game(Steps(PublishedMu(rate, claimed), rate));
        const ScoreTest test = TestScores(game.Play(4000, {1, 1}), DELTA, 0.999);
        EXPECT_LE(test.epsilon.value, claimed);
        EXPECT_LE(test.mu.value, GdpMu(claimed, DELTA));
        EXPECT_GT(test.mu.value, 0.0);
    }
}

TEST(ExpectedOutcome, ClipD2pBreaksItsFormula)
{
    // sigma = c2 sqrt(K ln(1/delta)) / (J epsilon) with c2 = 2 and sigma = 0.04.
    const double delta = 1e-5;
    const double sigma = 0.04;
    const double claimed =
        2.0 * std::sqrt(ROUNDS * std::log(1.0 / delta)) / (LOCAL_SAMPLES * sigma);
    EXPECT_NEAR(claimed, 4.015, 0.001);
    const CanaryGame game(Steps(1.0 / sigma, 1.0 / LOCAL_SAMPLES));
    const ScoreTest test = TestScores(game.Play(2000, {1, 1}), delta, 0.999);
    const Verdict verdict({claimed, 2728.9, test.epsilon.value, 0.999});
    EXPECT_EQ(verdict.Finding(), Finding::CLAIM_FALSE);
}

TEST(ExpectedOutcome, OneRunStaysBelowTheTruth)
{
    // True epsilon 5.76 where 3 is claimed; one run with 2000 canaries sees some of it.
    const CanaryGame game(Steps(PublishedMu(1.0 / LOCAL_SAMPLES, 3.0), 1.0 / LOCAL_SAMPLES));
    const GuessCounts counts = CountGuesses(PlayOneRun(game, 2000, {1, 1}), 40, 0);
    const double observed = OneRunEpsilon(counts, DELTA, 0.05);
    EXPECT_GT(observed, 0.3);
    EXPECT_LT(observed, 5.758);
}

TEST(ExpectedOutcome, ObservedStaysBelowCertifiedForCleanMechanisms)
{
    const Accountant& pld = *Accountants().Get("pld");
    for (const double rate : {0.005, 0.1, 1.0})
    {
        for (const double noise : {0.7, 2.0})
        {
            const std::string sampler = rate < 1.0 ? "poisson" : "full";
            const std::vector<Release> releases(60, {0, 0, "gaussian", sampler, rate, 1.0, noise});
            const double certified = pld.Evaluate(releases, {DELTA}).epsilon;
            const CanaryGame game(CanarySteps(releases, Adjacency::ADD_REMOVE));
            const double observed =
                TestScores(game.Play(20000, {1, 1}), DELTA, 0.999).epsilon.value;
            EXPECT_LE(observed, certified) << rate << " " << noise;
        }
    }
}

} // namespace dpdl
