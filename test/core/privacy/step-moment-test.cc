// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dominating-pair.h"
#include "dpdl/privacy/rdp.h"
#include "moment-composition.h"
#include "normal-tail.h"
#include "steps.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

const NoiseKind NOISES[] = {NoiseKind::GAUSSIAN, NoiseKind::LAPLACE, NoiseKind::DISCRETE_GAUSSIAN};
const Amplification SAMPLINGS[] = {Amplification::NONE,
                                   Amplification::POISSON,
                                   Amplification::WITHOUT_REPLACEMENT};
const Adjacency ADJACENCIES[] = {Adjacency::ADD_REMOVE, Adjacency::REPLACE};

/// log E[r^order] of a Poisson-sampled discrete Gaussian, summed over the integers.
double
DiscreteLogMoment(double rate, int shift, double sigma, double order, bool remove)
{
    double norm = 0.0;
    double sum = 0.0;
    for (int x = -400; x <= 400; ++x)
    {
        const double logStill = -0.5 * x * x / (sigma * sigma);
        const double logMoved = 0.5 * (2.0 * x * shift - shift * shift) / (sigma * sigma);
        const double power = remove ? order : 1.0 - order;
        norm += std::exp(logStill);
        sum += std::exp(logStill + power * LogMixture(rate, logMoved));
    }
    return std::log(sum / norm);
}

double
Epsilon(const char* accountant, const StepCounts& steps, Adjacency adjacency, double delta = 1e-5)
{
    return Accountants().Get(accountant)->Evaluate(steps, {delta, adjacency}).epsilon;
}

} // namespace

TEST(StepMoment, BoundsBothDirectionsOfThePairs)
{
    for (const NoiseKind noise : {NoiseKind::GAUSSIAN, NoiseKind::LAPLACE})
    {
        for (const Amplification sampling : SAMPLINGS)
        {
            for (const Adjacency adjacency : ADJACENCIES)
            {
                for (const double mu : {0.1, 1.0, 3.0})
                {
                    const PrivacyStep step = Step(noise, sampling, 0.07, mu);
                    const StepMoment moment(step, adjacency);
                    const DirectedPairs pairs = PairsOf(step, adjacency);
                    for (const double order : {1.2, 2.0, 6.5, 90.0})
                    {
                        const double add = pairs.add->LogMoment(order);
                        EXPECT_GE(moment.At(order), add - 1e-12 * (1.0 + add));
                        EXPECT_NEAR(moment.At(order),
                                    pairs.remove->LogMoment(order),
                                    1e-13 + 1e-11 * add);
                    }
                }
            }
        }
    }
}

TEST(StepMoment, BoundsTheSampledDiscreteGaussian)
{
    for (const double rate : {0.01, 0.3})
    {
        for (const int shift : {1, 4})
        {
            for (const double sigma : {0.9, 3.0})
            {
                const PrivacyStep step =
                    Step(NoiseKind::DISCRETE_GAUSSIAN, Amplification::POISSON, rate, shift / sigma);
                const StepMoment moment(step, Adjacency::ADD_REMOVE);
                for (const double order : {1.1, 2.0, 2.5, 3.0, 7.3})
                {
                    const double remove = DiscreteLogMoment(rate, shift, sigma, order, true);
                    const double add = DiscreteLogMoment(rate, shift, sigma, order, false);
                    EXPECT_GE(moment.At(order), remove * (1.0 - 1e-10));
                    EXPECT_GE(moment.At(order), add * (1.0 - 1e-10));
                }
                // Fine noise is nearly the continuous one.
                const double two = DiscreteLogMoment(rate, shift, sigma, 2.0, true);
                if (sigma > 1.0)
                {
                    EXPECT_NEAR(moment.At(2.0) / two, 1.0, 1e-6);
                }
            }
        }
    }
}

TEST(StepMoment, RefusesTheReplacedSampledDiscreteGaussian)
{
    const PrivacyStep step = Step(NoiseKind::DISCRETE_GAUSSIAN, Amplification::POISSON, 0.1, 1.0);
    EXPECT_NE(WhyNoMoment(step, Adjacency::REPLACE), "");
    EXPECT_EQ(WhyNoMoment(step, Adjacency::ADD_REMOVE), "");
    EXPECT_TRUE(std::isinf(Epsilon("rdp", {{step, 1}}, Adjacency::REPLACE)));
}

TEST(MomentComposition, AgreesWithTheFastPathOfGaussianSteps)
{
    for (const double mu : {0.2, 1.0, 4.0})
    {
        const PrivacyStep sampled = Step(NoiseKind::GAUSSIAN, Amplification::POISSON, 0.01, mu);
        const PrivacyStep full = Step(NoiseKind::GAUSSIAN, Amplification::NONE, 1.0, 0.1 * mu);
        const StepCounts steps{{sampled, 1000}, {full, 3}};
        RdpComposition fast;
        fast.Add(0.01, mu, 1000);
        fast.Add(1.0, 0.1 * mu, 3);
        const MomentComposition general(steps, Adjacency::ADD_REMOVE);
        EXPECT_NEAR(general.Rdp(2.7) / fast.Rdp(2.7), 1.0, 1e-12);
        const double expected = fast.Optimise(1e-5).epsilon;
        EXPECT_NEAR(general.Optimise(1e-5).epsilon / expected, 1.0, 1e-8);
        EXPECT_FALSE(general.Rounded());
    }
}

TEST(MomentComposition, ManyKindsAreRoundedUpALittle)
{
    StepCounts many;
    for (int k = 0; k < 400; ++k)
    {
        many[Step(NoiseKind::GAUSSIAN, Amplification::POISSON, 0.01, 0.5 + 0.001 * k)] = 2;
    }
    RdpComposition exact;
    for (const auto& [step, count] : many)
    {
        exact.Add(step.rate, step.muAddRemove, count);
    }
    const MomentComposition rounded(many, Adjacency::ADD_REMOVE);
    EXPECT_TRUE(rounded.Rounded());
    const double expected = exact.Optimise(1e-5).epsilon;
    EXPECT_GE(rounded.Optimise(1e-5).epsilon, expected);
    EXPECT_LE(rounded.Optimise(1e-5).epsilon, 1.005 * expected);
}

TEST(MomentComposition, LawsHoldForEveryKindOfStep)
{
    for (const NoiseKind noise : NOISES)
    {
        for (const Amplification sampling : SAMPLINGS)
        {
            for (const Adjacency adjacency : ADJACENCIES)
            {
                const PrivacyStep step = Step(noise, sampling, 0.02, 0.4);
                if (!WhyNoMoment(step, adjacency).empty())
                {
                    continue;
                }
                SCOPED_TRACE(testing::Message() << int(noise) << int(sampling) << int(adjacency));
                const double base = Epsilon("rdp", {{step, 100}}, adjacency);
                EXPECT_GT(base, 0.0);
                EXPECT_GT(Epsilon("rdp", {{step, 110}}, adjacency), base);
                EXPECT_GT(Epsilon("rdp", {{step, 100}}, adjacency, 1e-6), base);
                PrivacyStep larger = Step(noise, sampling, 0.02, 0.44);
                EXPECT_GT(Epsilon("rdp", {{larger, 100}}, adjacency), base);
                if (sampling != Amplification::NONE)
                {
                    larger = Step(noise, sampling, 0.022, 0.4);
                    EXPECT_GT(Epsilon("rdp", {{larger, 100}}, adjacency), base);
                    EXPECT_LT(base, Epsilon("rdp", {{Step(noise, {}, 1.0, 0.4), 100}}, adjacency));
                }
                EXPECT_GE(Epsilon("rdp", {{step, 100}}, Adjacency::REPLACE), base);
            }
        }
    }
}

TEST(MomentComposition, LaplaceNoiseStaysBelowItsPureBound)
{
    for (const double shift : {0.05, 1.0, 20.0})
    {
        for (const std::uint64_t count : {1u, 50u, 720u})
        {
            const StepCounts steps{
                {Step(NoiseKind::LAPLACE, Amplification::NONE, 1.0, shift), count}};
            const double pure = Epsilon("basic", steps, Adjacency::ADD_REMOVE);
            EXPECT_LE(Epsilon("rdp", steps, Adjacency::ADD_REMOVE), pure * (1.0 + 1e-3));
        }
    }
}

} // namespace dpdl
