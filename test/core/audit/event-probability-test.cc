// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/event-probability.h"
#include "dpdl/base/errors.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

TEST(ExactEvent, ZeroGradientDeltaMatchesTheClosedForm)
{
    EXPECT_NEAR(ZeroGradientDelta(2500, 3500), 0.7534720919555402, 1e-14);
    EXPECT_NEAR(ZeroGradientDelta(3000, 2200), 0.519753412351122, 1e-14);
    EXPECT_EQ(ZeroGradientDelta(1, 3), 1.0);
    EXPECT_EQ(ZeroGradientDelta(100, 0), 0.0);
}

TEST(ExactEvent, ScalarGivesEveryDistanceAway)
{
    // The best rule without the scalar is right with probability 1 - exp(-distance/2)/2.
    for (const double distance : {0.1, 1.0, 4.0})
    {
        const ScalarGuesses guesses = PlayBroadcastScalar(distance, 20, 4000, {4, 1});
        EXPECT_EQ(guesses.withScalar, guesses.runs);
        EXPECT_NEAR(static_cast<double>(guesses.withoutScalar) / 4000.0,
                    1.0 - 0.5 * std::exp(-0.5 * distance),
                    0.03);
    }
}

TEST(NormRatio, EpsilonMatchesHighPrecision)
{
    // 50-digit evaluations of the closed form at delta = 1e-5.
    const struct
    {
        std::uint64_t dimension;
        double ratio;
        double epsilon;
    } rows[] = {{100, 1.001, 0.046092355168696926},
                {100, 1.01, 0.5880910351529176},
                {100, 2.0, 187.89942252754187},
                {7850, 1.001, 0.444139294757815},
                {7850, 1.01, 5.825407236714213},
                {7850, 2.0, 7151.6410260062258},
                {1000000, 1.001, 6.586206212450798},
                {1000000, 1.01, 159.5264734189868},
                {1000000, 2.0, 815916.21495373896},
                {11173962, 1.001, 30.642894914028428},
                {11173962, 1.01, 1315.4816636647725},
                {11173962, 2.0, 9046001.4407083976}};

    for (const auto& row : rows)
    {
        const double epsilon = NormRatioEpsilon(row.ratio, row.dimension, 1e-5);
        EXPECT_NEAR(epsilon / row.epsilon, 1.0, 1e-9) << row.dimension << " " << row.ratio;
    }
}

TEST(NormRatio, RefusesWhatIsNoRatio)
{
    for (const double ratio : {1.0, 0.5, 1.1e6, double(INFINITY), double(NAN)})
    {
        EXPECT_THROW(NormRatioEpsilon(ratio, 10, 1e-5), UsageError);
    }
}
} // namespace dpdl
