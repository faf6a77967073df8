// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

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

} // namespace dpdl
