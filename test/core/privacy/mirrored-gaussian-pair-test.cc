// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "mirrored-pair.h"
#include "pair-laws.h"
#include "poisson-gaussian-pair.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace dpdl
{

namespace
{

using Rival = MirroredGaussianPair::Rival;

const double RATES[] = {1e-3, 0.02, 0.4, 0.97};
const double SHIFTS[] = {0.1, 0.7, 2.5};

double
Density(double x)
{
    return std::exp(-0.5 * x * x) / std::sqrt(8.0 * std::atan(1.0));
}

/// (1 - rate) N(0, 1) + rate N(mean, 1) at x
double
Mixture(double rate, double mean, double x)
{
    return (1.0 - rate) * Density(x) + rate * Density(x - mean);
}

double
Above(double rate, double mean, double x)
{
    return 0.5 * ((1.0 - rate) * std::erfc(x * std::sqrt(0.5)) +
                  rate * std::erfc((x - mean) * std::sqrt(0.5)));
}

/// H_{e^epsilon} of two mixtures whose ratio rises with x, by bisection: an independent path.
double
HockeyStick(double rate, double mu, double rival, double epsilon)
{
    double low = -60.0;
    double high = 60.0;
    for (int i = 0; i < 200; ++i)
    {
        const double x = 0.5 * (low + high);
        const double logRatio =
            std::log((1.0 - rate + rate * std::exp(mu * x - 0.5 * mu * mu)) /
                     (1.0 - rate + rate * std::exp(rival * x - 0.5 * rival * rival)));
        (logRatio > epsilon ? high : low) = x;
    }
    return Above(rate, mu, high) - std::exp(epsilon) * Above(rate, rival, high);
}

} // namespace

TEST(MirroredGaussianPair, KeepsTheLawsOfPairs)
{
    for (const double rate : RATES)
    {
        for (const double mu : SHIFTS)
        {
            SCOPED_TRACE(testing::Message() << rate << " " << mu);
            ExpectPairLaws(MirroredGaussianPair(rate, mu, Rival::OPPOSITE), 0.004);
            ExpectPairLaws(MirroredGaussianPair(rate, mu, Rival::STILL), 0.004);
        }
    }
}

TEST(MirroredGaussianPair, LooksTheSameInBothDirections)
{
    for (const Rival rival : {Rival::STILL, Rival::OPPOSITE})
    {
        const MirroredGaussianPair pair(0.05, 1.3, rival);
        const PairOnGrid grid(pair, 0.01);
        const double atom = 1.0 - std::exp(-0.03) + std::exp(-0.03) * grid.Delta(0.03);
        EXPECT_NEAR(grid.Delta(-0.03), atom, 1e-13);
        EXPECT_NEAR(pair.LogMoment(3.5), pair.LogMoment(-2.5), 1e-15);
    }
}

TEST(MirroredGaussianPair, MatchesThePrivacyCurveOfOneStep)
{
    for (const double rate : RATES)
    {
        for (const double mu : SHIFTS)
        {
            const PairOnGrid opposite(MirroredGaussianPair(rate, mu, Rival::OPPOSITE), 0.01);
            const PairOnGrid still(MirroredGaussianPair(rate, mu, Rival::STILL), 0.01);
            for (const double epsilon : {0.0, 0.01, 0.1, 0.5})
            {
                const double swapped = HockeyStick(rate, mu, -mu, epsilon);
                EXPECT_NEAR(opposite.Delta(epsilon), swapped, 1e-13 + 1e-12 * swapped);
                const double moved = HockeyStick(rate, mu, 0.0, epsilon);
                EXPECT_NEAR(still.Delta(epsilon), moved, 1e-13 + 1e-12 * moved);
            }
        }
    }
}

TEST(MirroredGaussianPair, MomentsMatchIntegralsOverTheLine)
{
    const auto integral = [](const auto& f, double from, double to) {
        return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f,
                                                                             from,
                                                                             to,
                                                                             15,
                                                                             1e-14);
    };
    for (const double rate : RATES)
    {
        for (const double mu : SHIFTS)
        {
            for (const double order : {1.5, 4.0})
            {
                const auto opposite = [=](double x) {
                    return std::exp(order * std::log(Mixture(rate, mu, x)) +
                                    (1.0 - order) * std::log(Mixture(rate, -mu, x)));
                };
                const double whole =
                    std::log(integral(opposite, -12.0, 0.0) + integral(opposite, 0.0, 22.0));
                EXPECT_NEAR(MirroredGaussianPair(rate, mu, Rival::OPPOSITE).LogMoment(order),
                            whole,
                            1e-12 + 1e-11 * whole);
                const auto still = [=](double x) {
                    const double q = Density(x);
                    const double r = Mixture(rate, mu, x) / q;
                    return q * (std::pow(r, order) + std::pow(r, 1.0 - order) - 1.0 - r);
                };
                const double upper = std::log1p(integral(still, 0.5 * mu, 22.0));
                EXPECT_NEAR(MirroredGaussianPair(rate, mu, Rival::STILL).LogMoment(order),
                            upper,
                            1e-12 + 1e-11 * upper);
            }
        }
    }
}

TEST(MirroredGaussianPair, WithoutRivalItDominatesBothDirectionsOfPoissonSampling)
{
    for (const double rate : RATES)
    {
        const MirroredGaussianPair mirrored(rate, 1.1, Rival::STILL);
        const MirroredGaussianPair opposite(rate, 1.1, Rival::OPPOSITE);
        const PairOnGrid cells(mirrored, 0.01);
        for (const auto side : {PoissonGaussianPair::Side::REMOVE, PoissonGaussianPair::Side::ADD})
        {
            const PoissonGaussianPair pair(rate, 1.1, side);
            const PairOnGrid one(pair, 0.01);
            for (const double epsilon : {0.0, 0.05, 0.3})
            {
                EXPECT_GE(cells.Delta(epsilon), one.Delta(epsilon) - 1e-14);
            }
            for (const double order : {1.1, 2.0, 8.0})
            {
                EXPECT_GE(mirrored.LogMoment(order), pair.LogMoment(order) - 1e-14);
                EXPECT_GE(opposite.LogMoment(order), mirrored.LogMoment(order));
            }
        }
    }
}

TEST(MirroredGaussianPair, MomentsStayFiniteAndGrowWithOrderAndShift)
{
    for (const Rival rival : {Rival::STILL, Rival::OPPOSITE})
    {
        double previous = 0.0;
        for (const double mu : {1e-4, 0.01, 1.0, 20.0, 60.0, 1000.0})
        {
            const MirroredGaussianPair pair(0.01, mu, rival);
            double last = 0.0;
            for (const double order : {1.001, 1.3, 2.0, 21.0, 300.0, 4000.0})
            {
                const double moment = pair.LogMoment(order);
                EXPECT_TRUE(std::isfinite(moment)) << mu << " " << order;
                EXPECT_GT(moment, last) << mu << " " << order;
                last = moment;
            }
            EXPECT_GT(last, previous);
            previous = last;
        }
    }
}

} // namespace dpdl
