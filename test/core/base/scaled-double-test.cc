// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/scaled-double.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(ScaledDouble, AgreesWithDoubleWhereDoubleReaches)
{
    for (const double a : {0.0, 1e-30, 0.3, 1.0, 7.5, 1e20})
    {
        for (const double b : {1e-25, 0.1, 1.0, 3.0, 1e18})
        {
            EXPECT_DOUBLE_EQ((ScaledDouble(a) + ScaledDouble(b)).ToDouble(), a + b);
            EXPECT_DOUBLE_EQ((ScaledDouble(a) * b).ToDouble(), a * b);
            EXPECT_DOUBLE_EQ(ScaledDouble(a) / ScaledDouble(b), a / b);
            EXPECT_EQ(ScaledDouble(a) < ScaledDouble(b), a < b);
        }
    }
}

// Half of the mass lost in each of 10^5 rounds: a double is zero after 1075 of them.
TEST(ScaledDouble, NeverUnderflows)
{
    ScaledDouble w(1.0);
    for (int round = 0; round < 100000; ++round)
    {
        w *= 0.5;
    }
    EXPECT_FALSE(w.IsZero());
    EXPECT_EQ(w.ToDouble(), 0.0);
    EXPECT_DOUBLE_EQ(w * 3.0 / w, 3.0);
    EXPECT_TRUE(ScaledDouble() < w);
}

TEST(ScaledDouble, SurvivesTheRoundTripThroughItsParts)
{
    const ScaledDouble w = ScaledDouble(0.7) * 1e-300 * 1e-300;
    EXPECT_TRUE(ScaledDouble::FromParts(w.Mantissa(), w.Exponent()) == w);
    EXPECT_GE(w.Mantissa(), 0.5);
    EXPECT_LT(w.Mantissa(), 1.0);
}

} // namespace
} // namespace dpdl
