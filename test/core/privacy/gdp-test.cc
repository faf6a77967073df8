// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{

namespace
{

// 40-digit evaluations of the closed form.
const double DELTAS[][3] = { // epsilon, mu, delta
    {0, 1, 0.38292492254802621},
    {1, 1, 0.12693673750664395},
    {1, 0.3, 5.4887496446129394e-5},
    {3, 0.8, 7.0160581669743048e-5},
    {10, 2, 9.9402028161181528e-6},
    {1e-6, 1e-3, 0.00039844266247126821},
    {50, 3, 4.8222454228509732e-53},
    {200, 10, 1.4622051775690748e-51},
    {5, 10, 0.99999378402591973},
    {30, 1, 4.7093263180975222e-193},
    {1e-10, 1e-8, 3.9396222736892657e-9}};

const double LOG_DELTAS[][3] = { // epsilon, mu, log delta
    {0.3, 0.01, -462.17983641902203},
    {100, 1, -4960.2545538174207},
    {1000, 10, -4520.3244923321997},
    {5, 0.05, -5010.6256235113475}};

const double MUS[][3] = { // epsilon, delta, mu
    {0.1, 1e-4, 0.040802827291346241},  {0.1, 1e-5, 0.032520784056203910},
    {0.1, 1e-10, 0.018448041589280555}, {0.3, 1e-4, 0.10771595582827626},
    {0.3, 1e-5, 0.088983452873811808},  {0.3, 1e-10, 0.053388178914469922},
    {0.5, 1e-4, 0.16967017400665432},   {0.5, 1e-5, 0.14221055866926122},
    {0.5, 1e-10, 0.087441326907196728}, {0.7, 1e-4, 0.22882794697495242},
    {0.7, 1e-5, 0.19355491095965250},   {0.7, 1e-10, 0.12094314604798334},
    {1, 1e-4, 0.31390245831182955},     {1, 1e-5, 0.26805112321129422},
    {1, 1e-10, 0.17042226932725367},    {2, 1e-4, 0.57658456156358382},
    {2, 1e-5, 0.50155168916965662},     {2, 1e-10, 0.33049181493286778},
    {3, 1e-4, 0.81755636125135544},     {3, 1e-5, 0.71911743522179272},
    {3, 1e-10, 0.48490651401483390},    {8, 1e-4, 1.8413662729459301},
    {8, 1e-5, 1.6660305978457182},      {8, 1e-10, 1.1990562522659641},
    {10, 1e-4, 2.1965222743921061},     {10, 1e-5, 2.0004456204306324},
    {10, 1e-10, 1.4640345980348285}};

const double EPSILONS[][3] = { // mu, delta, epsilon
    {0.05, 1e-4, 0.12604313589949728},
    {0.05, 1e-5, 0.16004203445813213},
    {0.1, 1e-4, 0.27592424120278181},
    {0.1, 1e-5, 0.34066936468432641},
    {0.1, 1e-10, 0.57464030752631765},
    {0.5, 1e-5, 1.9930914044151196},
    {0.5, 1e-10, 3.0994303302431961},
    {1, 1e-4, 3.8044359093373860},
    {1, 1e-10, 6.5479240668649510},
    {2, 1e-4, 8.8768694636633417},
    {2, 1e-5, 9.9972561464343004},
    {5, 1e-4, 30.350305453234240},
    {5, 1e-5, 33.103732335922465},
    {5, 1e-10, 43.662903869019912},
    {10, 1e-5, 91.817289624663745},
    {10, 1e-10, 112.84032670423223}};

void
ExpectRelative(double value, double expected, double tolerance)
{
    EXPECT_NEAR(value / expected, 1.0, tolerance) << "value " << value << ", expected " << expected;
}

} // namespace

TEST(Gdp, DeltaMatchesHighPrecision)
{
    for (const auto& [epsilon, mu, delta] : DELTAS)
    {
        ExpectRelative(std::exp(GdpLogDelta(epsilon, mu)), delta, 1e-12);
    }
    for (const auto& [epsilon, mu, logDelta] : LOG_DELTAS)
    {
        ExpectRelative(GdpLogDelta(epsilon, mu), logDelta, 1e-12);
    }
}

TEST(Gdp, RootsMatchHighPrecision)
{
    for (const auto& [epsilon, delta, mu] : MUS)
    {
        ExpectRelative(GdpMu(epsilon, delta), mu, 1e-10);
    }
    for (const auto& [mu, delta, epsilon] : EPSILONS)
    {
        ExpectRelative(GdpEpsilon(mu, delta), epsilon, 1e-10);
    }
}

TEST(Gdp, AnalyticGaussianMechanism)
{
    // Smallest noise for sensitivity 1 (Balle and Wang 2018).
    ExpectRelative(1.0 / GdpMu(1.0, 1e-6), 4.2246788893268353, 1e-10);
    ExpectRelative(1.0 / GdpMu(8.0, 1e-5), 0.60022907219895156, 1e-10);
    EXPECT_EQ(GdpMu(std::numeric_limits<double>::infinity(), 1e-5),
              std::numeric_limits<double>::infinity());
}

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
    EXPECT_NEAR(std::exp(GdpLogDelta(1.0, 1e4)), 1.0, 1e-15);
    EXPECT_TRUE(std::isfinite(GdpLogDelta(1e6, 0.05)));
    EXPECT_TRUE(std::isfinite(GdpLogDelta(1.0, 1e-8)));
}

} // namespace dpdl
