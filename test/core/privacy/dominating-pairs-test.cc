// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"
#include "schedule.h"
#include "steps.h"

#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

constexpr Adjacency ADD_REMOVE = Adjacency::ADD_REMOVE;
constexpr Adjacency REPLACE = Adjacency::REPLACE;

double
Pld(const PrivacyStep& step, std::uint64_t count, double delta, Adjacency adjacency)
{
    return Epsilon("pld", {{step, count}}, delta, adjacency);
}

/// Certified: not below a value, and close to it.
void
ExpectSharpBound(double epsilon, double exact)
{
    EXPECT_GE(epsilon, exact * (1.0 - 1e-7));
    EXPECT_LE(epsilon, exact * (1.0 + 1e-3));
}

/// The two bounds of `pld` are close, and Renyi DP is not smaller.
void
ExpectSharpBelowRenyi(const StepCounts& steps, const AccountingQuery& question)
{
    const Guarantee sharp = Accountants().Get("pld")->Evaluate(steps, question);
    const double renyi = Accountants().Get("rdp")->Evaluate(steps, question).epsilon;
    EXPECT_LE(sharp.epsilon, renyi * (1.0 + 1e-9) + 1e-9);
    EXPECT_LE(sharp.lower, sharp.epsilon);
    EXPECT_LE(sharp.epsilon - sharp.lower, 1e-3 * sharp.epsilon + 1e-6);
}

} // namespace

TEST(DominatingPairs, ReplacedExampleOfAPoissonSampleMatchesTheReference)
{
    const PrivacyStep step = Step(NoiseKind::GAUSSIAN, Amplification::POISSON, 0.01, 0.25);
    ExpectSharpBound(Pld(step, 10000, 1e-5, REPLACE), 1.99312005706);
}

TEST(DominatingPairs, BatchesOfFixedSizeMatchTheReference)
{
    const struct
    {
        double examples, claimed, batch;
        double upper; ///< extrapolated to cells of width 0
        double lower; ///< of one dataset; 0: not known
    } rows[] = {{2500, 0.3, 1, 16.61439939167746, 16.185253338509895},
                {2500, 0.3, 64, 0.6963871698118452, 0.659210609591497},
                {2500, 0.7, 64, 1.7591626899230544, 1.5772902043257826},
                {2500, 1, 1, 40.74861690067848, 39.83991357613274},
                {2500, 1, 64, 2.6707146597936373, 2.314971474440313},
                {2500, 3, 64, 11.9902165270842, 9.21997417102082},
                {3000, 0.3, 1, 18.369667415940643, 17.954465999520338},
                {3000, 0.3, 64, 0.7055330546638598, 0.6609519859445055},
                {3000, 0.7, 64, 1.8107817005230313, 1.5937508866497447},
                {3000, 1, 1, 41.3746584364976, 40.57757365606471},
                {3000, 1, 64, 2.7826122566690104, 2.359405589957787},
                {3000, 3, 64, 13.570763264106832, 10.37089850079322}};

    for (const auto& row : rows)
    {
        SCOPED_TRACE(testing::Message() << row.examples << " " << row.claimed << " " << row.batch);
        const double rate = row.batch / row.examples;
        const double mu = CltConstantMu(GdpMu(row.claimed, 1e-4), rate, 3500);
        const PrivacyStep step =
            Step(NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, rate, mu);
        const double epsilon = Pld(step, 3500, 1e-4, REPLACE);
        ExpectSharpBound(epsilon, row.upper);
        EXPECT_GE(epsilon, row.lower);
        EXPECT_GE(Epsilon("rdp", {{step, 3500}}, 1e-4, REPLACE), epsilon);
    }
}

TEST(DominatingPairs, CalibratedNoiseForFixedSizeKeepsTheClaim)
{
    const double rows[][3] = {{2500, 0.3, 1.3316984945281771},
                              {2500, 0.7, 1.139932436414327},
                              {2500, 3, 0.884326996345994},
                              {3000, 0.3, 1.2715248647729385},
                              {3000, 0.7, 1.1054425311303067},
                              {3000, 3, 0.8637697042410496}};
    for (const auto& [examples, claimed, sigma] : rows)
    {
        const PrivacyStep step = Step(NoiseKind::GAUSSIAN,
                                      Amplification::WITHOUT_REPLACEMENT,
                                      1.0 / examples,
                                      1.0 / sigma);
        EXPECT_NEAR(Pld(step, 3500, 1e-4, REPLACE) / claimed, 1.0, 1e-3);
    }
}

TEST(DominatingPairs, ComposedLaplaceNoiseMatchesHighPrecision)
{
    const struct
    {
        double shift;
        std::uint64_t count;
        double epsilon, delta;
    } rows[] = {{0.1, 1000, 5.0, 0.363251084362402},
                {0.1, 1000, 15.0, 0.000239505169351100},
                {0.01, 10000, 1.0, 0.126352023104679},
                {0.01, 10000, 4.0, 4.55847539761867e-5},
                {1.0, 1, 0.5, 0.22119921692859513},
                {2.0, 1, 1.0, 0.39346934028736658},
                {1.0, 720, 354.7205, 1e-5},
                {2.0, 720, 957.1769, 1e-5},
                {3.0, 720, 1640.1534, 1e-5}};

    for (const auto& row : rows)
    {
        SCOPED_TRACE(testing::Message() << row.shift << " " << row.count << " " << row.epsilon);
        const PrivacyStep step = Step(NoiseKind::LAPLACE, Amplification::NONE, 1.0, row.shift);
        ExpectSharpBound(Pld(step, row.count, row.delta, ADD_REMOVE), row.epsilon);
    }
}

TEST(DominatingPairs, SharperKnowledgeNeverCostsMore)
{
    for (const NoiseKind noise : {NoiseKind::GAUSSIAN, NoiseKind::LAPLACE})
    {
        for (const Amplification sampling :
             {Amplification::POISSON, Amplification::WITHOUT_REPLACEMENT})
        {
            const PrivacyStep sampled = Step(noise, sampling, 0.03, 0.8);
            const PrivacyStep full = Step(noise, Amplification::NONE, 1.0, 0.8);
            for (const Adjacency adjacency : {ADD_REMOVE, REPLACE})
            {
                SCOPED_TRACE(testing::Message() << int(noise) << int(sampling) << int(adjacency));
                const double epsilon = Pld(sampled, 200, 1e-6, adjacency);
                EXPECT_GT(epsilon, 0.0);
                EXPECT_LE(epsilon,
                          Epsilon("rdp", {{sampled, 200}}, 1e-6, adjacency) * (1.0 + 1e-9));
                EXPECT_LT(epsilon, Pld(full, 200, 1e-6, adjacency));
                EXPECT_LE(epsilon, Pld(sampled, 200, 1e-6, REPLACE) * (1.0 + 1e-9));
                if (noise == NoiseKind::LAPLACE)
                {
                    EXPECT_LE(epsilon,
                              Epsilon("optimal-composition", {{sampled, 200}}, 1e-6, adjacency));
                }
            }
        }
        const PrivacyStep poisson = Step(noise, Amplification::POISSON, 0.03, 0.8);
        const PrivacyStep fixed = Step(noise, Amplification::WITHOUT_REPLACEMENT, 0.03, 0.8);
        EXPECT_LE(Pld(poisson, 200, 1e-6, ADD_REMOVE), Pld(fixed, 200, 1e-6, ADD_REMOVE));
        EXPECT_LE(Pld(poisson, 200, 1e-6, REPLACE), Pld(fixed, 200, 1e-6, REPLACE) * (1 + 1e-6));
    }
}

TEST(DominatingPairs, EverySampledStepHasSharpBoundsBelowRenyi)
{
    for (const NoiseKind noise : {NoiseKind::GAUSSIAN, NoiseKind::LAPLACE})
    {
        for (const Amplification sampling :
             {Amplification::POISSON, Amplification::WITHOUT_REPLACEMENT})
        {
            for (const double rate : {1e-4, 0.3})
            {
                for (const double sigma : {0.3, 1.0, 5.0})
                {
                    for (const std::uint64_t count : {1u, 10000u})
                    {
                        const StepCounts steps{{Step(noise, sampling, rate, 1.0 / sigma), count}};
                        SCOPED_TRACE(testing::Message() << int(noise) << int(sampling) << " "
                                                        << rate << " " << sigma << " " << count);
                        ExpectSharpBelowRenyi(steps, {1e-4, ADD_REMOVE});
                        ExpectSharpBelowRenyi(steps, {1e-10, ADD_REMOVE});
                        ExpectSharpBelowRenyi(steps, {1e-10, REPLACE});
                    }
                }
            }
        }
    }
}

TEST(DominatingPairs, GrowWithMuRateStepsAndDelta)
{
    for (const NoiseKind noise : {NoiseKind::GAUSSIAN, NoiseKind::LAPLACE})
    {
        for (const Adjacency adjacency : {ADD_REMOVE, REPLACE})
        {
            const Amplification fixed = Amplification::WITHOUT_REPLACEMENT;
            const double base = Pld(Step(noise, fixed, 0.02, 0.5), 100, 1e-5, adjacency);
            EXPECT_GT(Pld(Step(noise, fixed, 0.022, 0.5), 100, 1e-5, adjacency), base);
            EXPECT_GT(Pld(Step(noise, fixed, 0.02, 0.55), 100, 1e-5, adjacency), base);
            EXPECT_GT(Pld(Step(noise, fixed, 0.02, 0.5), 120, 1e-5, adjacency), base);
            EXPECT_GT(Pld(Step(noise, fixed, 0.02, 0.5), 100, 1e-6, adjacency), base);
        }
    }
}

TEST(DominatingPairs, MixedStepsComposeInAnyOrder)
{
    const PrivacyStep gaussian = Step(NoiseKind::GAUSSIAN, Amplification::POISSON, 0.02, 0.9);
    const PrivacyStep laplace = Step(NoiseKind::LAPLACE, Amplification::NONE, 1.0, 0.05);
    const PrivacyStep fixed =
        Step(NoiseKind::GAUSSIAN, Amplification::WITHOUT_REPLACEMENT, 0.01, 0.6);
    for (const Adjacency adjacency : {ADD_REMOVE, REPLACE})
    {
        const StepCounts all{{gaussian, 100}, {laplace, 20}, {fixed, 50}};
        const double epsilon = Epsilon("pld", all, 1e-5, adjacency);
        EXPECT_GT(epsilon, Epsilon("pld", {{gaussian, 100}, {laplace, 20}}, 1e-5, adjacency));
        EXPECT_LE(epsilon, Epsilon("rdp", all, 1e-5, adjacency));
    }
}

} // namespace dpdl
