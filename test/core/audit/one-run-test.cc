// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/binomial-bounds.h"
#include "dpdl/audit/one-run.h"
#include "dpdl/base/errors.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

TEST(OneRun, BoundsMatchAnotherImplementation)
{
    EXPECT_NEAR(OneRunPValue({1000, 600, 560}, 2.0, 1e-5), 0.000449691583525559, 1e-15);
    EXPECT_NEAR(OneRunEpsilon({1000, 600, 600}, 1e-5, 0.05), 5.270399463514697, 1e-10);
    EXPECT_NEAR(OneRunEpsilon({100, 100, 100}, 1e-5, 0.05), 3.490215955326397, 1e-10);
    EXPECT_NEAR(OneRunEpsilon({10000, 1000, 900}, 1e-5, 0.05), 2.015194485406982, 1e-10);
    EXPECT_NEAR(OneRunEpsilon({1000, 100, 95}, 0.0, 0.05), 2.172434043192899, 1e-10);
    EXPECT_EQ(OneRunEpsilon({1000, 200, 200}, 1e-4, 0.001), 0.0);
}

TEST(OneRun, PValueGrowsWithEpsilonAndDelta)
{
    const GuessCounts counts{2000, 300, 260};
    double previous = 0.0;
    for (const double epsilon : {0.0, 0.5, 1.0, 2.0, 5.0})
    {
        const double p = OneRunPValue(counts, epsilon, 1e-6);
        EXPECT_GT(p, previous);
        EXPECT_LE(OneRunPValue(counts, epsilon, 1e-7), p);
        previous = p;
    }
    EXPECT_EQ(OneRunPValue({100, 50, 0}, 1.0, 1e-5), 1.0);
    EXPECT_EQ(OneRunEpsilon({100, 0, 0}, 1e-5, 0.05), 0.0);
}

TEST(OneRun, GuessesAreTheHighestAndTheLowestScores)
{
    const ScoreSample scores{{5.0, 4.0, 1.0}, {3.0, 0.0, -1.0}};
    const GuessCounts counts = CountGuesses(scores, 3, 2);
    EXPECT_EQ(counts.canaries, 6U);
    EXPECT_EQ(counts.guesses, 5U);
    EXPECT_EQ(counts.correct, 4U);
    EXPECT_THROW(CountGuesses(scores, 4, 3), UsageError);
}

TEST(OneRun, TiesNeverHelp)
{
    const ScoreSample scores{{1.0, 1.0}, {1.0, 1.0}};
    EXPECT_EQ(CountGuesses(scores, 2, 0).correct, 0U);
    EXPECT_EQ(CountGuesses(scores, 0, 2).correct, 0U);
}

TEST(OneRun, CoinsDecideHowManyCanariesAreIn)
{
    const CanaryGame game({{1.0, 3.0, 0}});
    const ScoreSample scores = PlayOneRun(game, 1000, {5, 1});
    EXPECT_EQ(scores.with.size() + scores.without.size(), 1000U);
    EXPECT_NEAR(static_cast<double>(scores.with.size()), 500.0, 70.0);
}

TEST(Confidence, MatchesHighPrecision)
{
    EXPECT_EQ(BinomialLowerBound(0, 1000, 0.025), 0.0);
    EXPECT_NEAR(BinomialUpperBound(0, 1000, 0.025), 0.003682083896865671, 1e-15);
    EXPECT_NEAR(BinomialLowerBound(5, 1000, 0.025), 0.00162541951756276, 1e-15);
    EXPECT_NEAR(BinomialUpperBound(5, 1000, 0.025), 0.011629470559812147, 1e-14);
    EXPECT_NEAR(BinomialLowerBound(1000, 1000, 0.025), 0.9963179161031344, 1e-14);
    EXPECT_EQ(BinomialUpperBound(1000, 1000, 0.025), 1.0);
    EXPECT_NEAR(BinomialLowerBound(3, 100000, 0.0005), 1.4970523492341263e-06, 1e-17);
    EXPECT_NEAR(BinomialUpperBound(3, 100000, 0.0005), 0.00013933261449425194, 1e-16);
}

TEST(Confidence, BoundsMirrorEachOther)
{
    for (const std::uint64_t hits : {0, 1, 7, 50, 99, 100})
    {
        EXPECT_NEAR(BinomialLowerBound(hits, 100, 0.01),
                    1.0 - BinomialUpperBound(100 - hits, 100, 0.01),
                    1e-12);
        EXPECT_LE(BinomialLowerBound(hits, 100, 0.01), static_cast<double>(hits) / 100.0);
        EXPECT_LE(BinomialLowerBound(hits, 100, 0.001), BinomialLowerBound(hits, 100, 0.01));
    }
}

TEST(Confidence, MissesNoMoreOftenThanStated)
{
    // The chance that the lower bound exceeds the truth, summed over all outcomes.
    for (const double truth : {0.003, 0.2, 0.77})
    {
        double missed = 0.0;
        double probability = std::pow(1.0 - truth, 40);
        for (std::uint64_t hits = 0; hits <= 40; ++hits)
        {
            missed += BinomialLowerBound(hits, 40, 0.05) > truth ? probability : 0.0;
            probability *= truth / (1.0 - truth) * static_cast<double>(40 - hits) /
                           static_cast<double>(hits + 1);
        }
        EXPECT_LE(missed, 0.05);
    }
}
} // namespace dpdl
