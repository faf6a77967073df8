// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"
#include "mirrored-pair.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{

namespace
{

void
ExpectRelative(double value, double expected, double tolerance)
{
    EXPECT_NEAR(value / expected, 1.0, tolerance) << "value " << value << ", expected " << expected;
}

} // namespace

TEST(Gdp, ConversionsInvertEachOther)
{
    for (const double epsilon : {1e-6, 1e-3, 0.1, 1.0, 10.0, 300.0})
    {
        for (const double delta : {1e-200, 1e-12, 1e-5, 0.3})
        {
            const double mu = GdpMu(epsilon, delta);
            ExpectRelative(GdpLogDelta(epsilon, mu), std::log(delta), 1e-10);
            // Where delta hardly depends on epsilon the inverse is ill-conditioned.
            EXPECT_NEAR(GdpEpsilon(mu, delta), epsilon, 1e-9 * epsilon + 1e-14);
        }
    }
}

TEST(Gdp, MonotoneInEveryArgument)
{
    double previous = 1.0;
    for (double epsilon = 0.0; epsilon < 60.0; epsilon += 0.37)
    {
        const double delta = GdpLogDelta(epsilon, 1.3);
        EXPECT_LT(delta, previous);
        previous = delta;
    }
    for (double mu = 1e-4; mu < 50.0; mu *= 1.3)
    {
        EXPECT_LT(GdpLogDelta(2.0, mu), GdpLogDelta(2.0, 1.3 * mu) + 1e-300);
        EXPECT_LE(GdpEpsilon(mu, 1e-5), GdpEpsilon(1.3 * mu, 1e-5));
        EXPECT_LE(GdpEpsilon(mu, 1e-4), GdpEpsilon(mu, 1e-5));
    }
}

TEST(Gdp, BranchesJoin)
{
    // The formula changes at mu = 0.05 and at epsilon/mu - mu/2 = 5 and -5.
    for (const double epsilon : {0.0, 0.01, 0.2, 0.24})
    {
        ExpectRelative(GdpLogDelta(epsilon, 0.05 * (1 - 1e-13)), GdpLogDelta(epsilon, 0.05), 1e-11);
    }
    for (const double a : {-5.0, 5.0})
    {
        const double mu = 12.0;
        const double epsilon = (a + 0.5 * mu) * mu;
        ExpectRelative(std::exp(GdpLogDelta(epsilon - 1e-12, mu)),
                       std::exp(GdpLogDelta(epsilon + 1e-12, mu)),
                       1e-11);
    }
}

TEST(Gdp, Limits)
{
    EXPECT_EQ(std::exp(GdpLogDelta(1.0, 0.0)), 0.0);
    EXPECT_EQ(GdpEpsilon(0.0, 1e-5), 0.0);
    EXPECT_EQ(GdpEpsilon(0.3, 0.5), 0.0);
    EXPECT_TRUE(std::isinf(GdpEpsilon(INFINITY, 1e-5)));
    EXPECT_TRUE(std::isinf(GdpMu(INFINITY, 1e-5)));
    EXPECT_NEAR(std::exp(GdpLogDelta(1.0, 1e4)), 1.0, 1e-15);
    EXPECT_TRUE(std::isfinite(GdpLogDelta(1e6, 0.05)));
    EXPECT_TRUE(std::isfinite(GdpLogDelta(1.0, 1e-8)));
}

TEST(GdpClt, ScaleInvertsTotal)
{
    std::vector<double> shape;
    std::vector<double> rate;
    for (int k = 0; k < 100; ++k)
    {
        shape.push_back(0.1 + 0.05 * (k % 9));
        rate.push_back(k % 3 == 0 ? 0.01 : 0.05);
    }
    const double scale = CltScale(0.7, shape, rate);
    for (double& mu : shape)
    {
        mu *= scale;
    }
    EXPECT_NEAR(CltMu(shape, rate), 0.7, 1e-12);
    EXPECT_EQ(CltMu({1e3}, {0.0}), 0.0) << "a step without data";
}

TEST(GdpClt, FixedBatchesHaveTheVarianceOfTheirPair)
{
    // For small rates the claimed mu^2 is the second moment of the pair in excess of 1.
    const double rate = 1e-12;
    for (const double mu : {0.01, 0.3, 1.0, 2.5})
    {
        const MirroredGaussianPair pair(rate, mu, MirroredGaussianPair::Rival::STILL);
        const double claimed = CltFixedMu({mu}, {rate});
        EXPECT_NEAR(claimed * claimed / std::expm1(pair.LogMoment(2.0)), 1.0, 1e-6) << mu;
    }
    EXPECT_EQ(CltKappa({}, {}), 0.0);
    EXPECT_TRUE(std::isinf(CltKappa({30.0}, {0.1})));
    EXPECT_EQ(CltFixedMu({}, {}), 0.0);
    EXPECT_EQ(CltFixedMu({1.0}, {0.0}), 0.0);
    EXPECT_TRUE(std::isinf(CltFixedMu({30.0}, {0.1})));
    EXPECT_NEAR(CltFixedMu({0.5, 0.5}, {0.1, 0.1}),
                std::sqrt(2.0) * CltFixedMu({0.5}, {0.1}),
                1e-15);
}

} // namespace dpdl
