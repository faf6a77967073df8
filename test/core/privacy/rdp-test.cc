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

// 40-digit quadrature.
const double RENYI[][4] = { // rate, noise multiplier, order, Renyi divergence
    {0.01, 4, 1.25, 4.0289215612341707e-6},   {0.01, 4, 1.5, 4.8354931756331887e-6},
    {0.01, 4, 2.5, 8.0644097584960327e-6},    {0.01, 4, 3, 9.6804485623234680e-6},
    {0.01, 4, 8.5, 2.7526850184261926e-5},    {0.01, 4, 32, 0.00010526360659081726},
    {0.01, 4, 64, 0.00021520916161842139},    {0.01, 4, 256, 3.3767822301989795},
    {0.01, 1, 1.5, 0.00012725374332744983},   {0.01, 1, 2, 0.00017181342207454793},
    {0.01, 1, 2.5, 0.00021757533228188045},   {0.01, 1, 8.5, 0.0010893888498929080},
    {0.01, 1, 17, 3.6070185164290271},        {0.01, 1, 32, 11.246275937048069},
    {0.01, 1, 256, 123.37677032308647},       {0.004, 1.1, 1.25, 1.2782769629708157e-5},
    {0.004, 1.1, 1.5, 1.5366714666437168e-5}, {0.004, 1.1, 2.5, 2.5796860968273097e-5},
    {0.004, 1.1, 3, 3.1069926388181018e-5},   {0.004, 1.1, 8.5, 9.1919383581679323e-5},
    {0.004, 1.1, 32, 7.5235679374144274},     {0.004, 1.1, 64, 20.837177837081827},
    {0.004, 1.1, 256, 100.24201026116672},    {0.0004, 0.44, 1.5, 1.6667582726982053e-5},
    {0.0004, 0.44, 2, 2.7853707532279680e-5}, {0.0004, 0.44, 2.5, 5.5023328585056287e-5},
    {0.0004, 0.44, 8.5, 13.085227193205887},  {0.0004, 0.44, 17, 35.591909791151140},
    {0.0004, 0.44, 32, 74.568193507321897},   {0.0004, 0.44, 256, 653.30229624915623},
    {0.1, 2, 1.25, 0.0017376548494981813},    {0.1, 2, 1.5, 0.0020989345957101765},
    {0.1, 2, 2.5, 0.0035940771994132279},     {0.1, 2, 3, 0.0043736583485770580},
    {0.1, 2, 8.5, 0.014867679441157625},      {0.1, 2, 32, 1.6272023010194358},
    {0.1, 2, 64, 5.6608672584151993},         {0.1, 2, 256, 29.688385161543233},
    {0.5, 0.5, 1.5, 1.4955908496765970},      {0.5, 0.5, 2, 2.6671960885860429},
    {0.5, 0.5, 2.5, 3.8494871350349096},      {0.5, 0.5, 8.5, 16.214433195365501},
    {0.5, 0.5, 17, 33.263531120655058},       {0.5, 0.5, 32, 63.284493232970379},
    {0.5, 0.5, 256, 511.30413459520256}};

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

TEST(Rdp, SampledGaussianMatchesHighPrecision)
{
    for (const auto& [rate, sigma, order, rdp] : RENYI)
    {
        EXPECT_NEAR(SampledGaussianRdp(rate, 1.0 / sigma, order) / rdp, 1.0, 1e-10)
            << rate << " " << sigma << " " << order;
    }
}

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

TEST(Rdp, ConversionMatchesContinuousOptimum)
{
    const struct
    {
        double rate, sigma;
        std::uint64_t steps;
        double delta, epsilon, order;
    } rows[] = {{0.01, 4.0, 10000, 1e-05, 1.0353840019440939, 17.219882260260764},
                {0.01, 1.1, 6000, 1e-05, 4.24659380079526, 5.597255845875635},
                {0.0256, 2.0, 3500, 0.0001, 3.307513855897057, 5.621334274035122},
                {0.004, 1.1, 14000, 1e-05, 2.411228814771805, 8.589510293444683}};

    for (const auto& row : rows)
    {
        RdpComposition composition;
        composition.Add(row.rate, 1.0 / row.sigma, row.steps);
        const RdpOptimum optimum = composition.Optimise(row.delta);
        EXPECT_NEAR(optimum.epsilon / row.epsilon, 1.0, 1e-10);
        EXPECT_NEAR(optimum.order / row.order, 1.0, 1e-3);
    }
    // A grid of orders in tenths stays above the continuous optimum.
    const double orders = RdpToEpsilon(1000 * SampledGaussianRdp(0.01, 1.0, 8.3), 8.3, 1e-5);
    EXPECT_LE(Epsilon(0.01, 1.0, 1000, 1e-5), orders);
    EXPECT_NEAR(Epsilon(0.01, 1.0, 1000, 1e-5), 2.10135, 5e-5);
    EXPECT_NEAR(Epsilon(0.04, 1.0 / 1.5, 2250, 1e-5), 7.328349914740697, 1e-9);
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

TEST(Rdp, MonotoneInRateMuStepsAndDelta)
{
    for (const double mu : {0.2, 1.0, 2.5})
    {
        const double base = Epsilon(0.01, mu, 300, 1e-5);
        EXPECT_GT(base, 0.0);
        EXPECT_GT(Epsilon(0.012, mu, 300, 1e-5), base);
        EXPECT_GT(Epsilon(0.01, 1.1 * mu, 300, 1e-5), base);
        EXPECT_GT(Epsilon(0.01, mu, 330, 1e-5), base);
        EXPECT_GT(Epsilon(0.01, mu, 300, 1e-6), base);
    }
}

TEST(Rdp, CompositionDependsOnTheMultisetOnly)
{
    RdpComposition forth;
    RdpComposition back;
    for (int k = 0; k < 40; ++k)
    {
        forth.Add(0.01 + 0.001 * (k % 5), 0.5 + 0.02 * (k % 7));
        const int j = 39 - k;
        back.Add(0.01 + 0.001 * (j % 5), 0.5 + 0.02 * (j % 7));
    }
    EXPECT_EQ(forth.Optimise(1e-5).epsilon, back.Optimise(1e-5).epsilon);

    RdpComposition split;
    split.Add(0.02, 0.8, 300);
    split.Add(0.02, 0.8, 700);
    EXPECT_EQ(split.Optimise(1e-5).epsilon, Epsilon(0.02, 0.8, 1000, 1e-5));
    EXPECT_NEAR(split.Rdp(3.3), 1000 * SampledGaussianRdp(0.02, 0.8, 3.3), 1e-12);
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
