// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/score-test.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

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
