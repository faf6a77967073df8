// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/exact-event.h"

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

} // namespace dpdl
