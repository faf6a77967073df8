// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/one-run.h"
#include "dpdl/base/errors.h"

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

} // namespace dpdl
