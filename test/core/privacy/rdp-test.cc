// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

/// The binomial sum for integer orders, without its cancelling terms: an independent path.
double
IntegerOrderRdp(double rate, double mu, int order)
{
    double sum = 0.0;
    for (int k = 2; k <= order; ++k)
    {
        const double logBinomial =
            std::lgamma(order + 1.0) - std::lgamma(k + 1.0) - std::lgamma(order - k + 1.0);
        sum += std::exp(logBinomial + k * std::log(rate) + (order - k) * std::log1p(-rate)) *
               std::expm1(0.5 * k * (k - 1) * mu * mu);
    }
    return std::log1p(sum) / (order - 1);
}

double
Epsilon(double rate, double mu, std::uint64_t steps, double delta)
{
    RdpComposition composition;
    composition.Add(rate, mu, steps);
    return composition.Optimise(delta).epsilon;
}

} // namespace

TEST(Rdp, SampledGaussianMatchesBinomialSum)
{
    for (const double rate : {1e-4, 0.003, 0.1, 0.6, 0.99})
    {
        for (const double mu : {0.01, 0.1, 0.5, 1.5, 4.0})
        {
            for (const int order : {2, 3, 5, 8})
            {
                const double expected = IntegerOrderRdp(rate, mu, order);
                EXPECT_NEAR(SampledGaussianRdp(rate, mu, order) / expected, 1.0, 1e-10)
                    << rate << " " << mu << " " << order;
            }
        }
    }
}

TEST(Rdp, EpsilonInvertsLogDelta)
{
    for (const double order : {1.1, 2.0, 30.0})
    {
        const double epsilon = RdpToEpsilon(0.7, order, 1e-5);
        const double logDelta =
            (order - 1.0) * (0.7 - epsilon + std::log1p(-1.0 / order)) - std::log(order);
        EXPECT_NEAR(logDelta, std::log(1e-5), 1e-12);
    }
}

TEST(Rdp, WithoutSamplingItBoundsTheExactCurve)
{
    for (const double mu : {0.001, 0.1, 1.0, 5.0, 50.0})
    {
        EXPECT_DOUBLE_EQ(SampledGaussianRdp(1.0, mu, 7.5), 7.5 * mu * mu / 2.0);
        const double exact = GdpEpsilon(mu, 1e-5);
        const double bound = Epsilon(1.0, mu, 1, 1e-5);
        EXPECT_GE(bound, exact);
        EXPECT_LE(bound, 1.3 * exact + 1e-3);
    }
}

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

TEST(Rdp, NothingCostsNothing)
{
    EXPECT_EQ(RdpComposition().Optimise(1e-5).epsilon, 0.0);
    EXPECT_EQ(Epsilon(0.0, 1.0, 10, 1e-5), 0.0);
    EXPECT_EQ(Epsilon(0.5, 0.0, 10, 1e-5), 0.0);
    EXPECT_LT(Epsilon(0.01, 1e-6, 10, 1e-5), 1e-5);
}

TEST(Rdp, WeakProtectionStaysFinite)
{
    // Fixed clipping, multiplier 0.04: the optimum over orders lies just above 1.
    const double epsilon = Epsilon(1.0 / 2500, 25.0, 3500, 1e-5);
    EXPECT_GT(epsilon, 2728.8);
    EXPECT_LT(epsilon, 3400.0);
    EXPECT_TRUE(std::isfinite(Epsilon(0.01, 1e3, 1000, 1e-5)));
}

} // namespace dpdl
