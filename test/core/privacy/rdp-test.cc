// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

double
Epsilon(double rate, double mu, std::uint64_t steps, double delta)
{
    RdpComposition composition;
    composition.Add(rate, mu, steps);
    return composition.Optimise(delta).epsilon;
}

} // namespace

TEST(Rdp, ManyNoiseLevelsAreBoundedByInterpolation)
{
    for (const double growth : {1.5, 2.0, 10.0})
    {
        RdpComposition composition;
        for (int k = 0; k < 300; ++k)
        {
            composition.Add(0.01, 0.4 * std::pow(growth, k / 300.0));
        }
        const RdpOptimum optimum = composition.Optimise(1e-5);
        const double exact = RdpToEpsilon(composition.Rdp(optimum.order), optimum.order, 1e-5);
        EXPECT_GE(optimum.epsilon, exact * (1.0 - 1e-14));
        EXPECT_LE(optimum.epsilon, exact * (1.0 + 1e-6));
        for (const double factor : {0.98, 1.02})
        {
            const double order = 1.0 + factor * (optimum.order - 1.0);
            EXPECT_LE(optimum.epsilon, RdpToEpsilon(composition.Rdp(order), order, 1e-5));
        }
    }
}

TEST(Rdp, WeakProtectionStaysFinite)
{
    // Fixed clipping, multiplier 0.04: the optimum over orders lies just above 1.
    const double epsilon = Epsilon(1.0 / 2500, 25.0, 3500, 1e-5);
    EXPECT_GT(epsilon, 2728.8);
    EXPECT_LT(epsilon, 3400.0);
    EXPECT_TRUE(std::isfinite(Epsilon(0.01, 1e3, 1000, 1e-5)));
}

TEST(Rdp, GrowsWithMuOverAllMagnitudes)
{
    double last = 0.0;
    for (int power = -300; power <= 300; power += 4)
    {
        const double epsilon = Epsilon(1e-3, std::pow(10.0, power), 1, 1e-5);
        EXPECT_GE(epsilon, last * (1.0 - 1e-9)) << power;
        last = epsilon;
    }
    EXPECT_TRUE(std::isinf(last));
}

} // namespace dpdl
