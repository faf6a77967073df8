// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "laplace-pair.h"
#include "pure-composition.h"
#include "steps.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

PrivacyStep
Laplace(double shift, Amplification sampling = Amplification::NONE, double rate = 1.0)
{
    return {NoiseKind::LAPLACE, sampling, rate, shift, 2.0 * shift};
}

} // namespace

TEST(PureComposition, OptimalEpsilonInvertsDelta)
{
    for (const double step : {0.001, 0.1, 1.0, 5.0})
    {
        for (const std::uint64_t count : {1u, 2u, 15u, 1000u, 100000u})
        {
            for (const double delta : {1e-2, 1e-5, 1e-12, 1e-60})
            {
                const double epsilon = OptimalEpsilon({{step, count}}, delta);
                ASSERT_GE(epsilon, 0.0);
                ASSERT_LE(epsilon, step * static_cast<double>(count));
                const double more = OptimalDelta(step, count, epsilon * (1.0 - 1e-12));
                const double less = OptimalDelta(step, count, epsilon * (1.0 + 1e-12));
                EXPECT_LE(less, delta) << step << " " << count << " " << delta;
                EXPECT_TRUE(epsilon == 0.0 || more >= delta)
                    << step << " " << count << " " << delta;
            }
        }
    }
}

TEST(PureComposition, AdvancedOfUnequalStepsAndItsLimit)
{
    EXPECT_NEAR(AdvancedEpsilon({{0.1, 40}, {0.100000000001, 60}}, 1e-5), 5.85023509, 1e-7);
    EXPECT_DOUBLE_EQ(AdvancedEpsilon({{1.0, 2}}, 1e-5), 2.0);
    EXPECT_DOUBLE_EQ(AdvancedEpsilon({{900.0, 2}}, 1e-5), 1800.0);
}

TEST(PureComposition, EachTheoremIsAtLeastAsGoodAsTheOneBefore)
{
    for (const double step : {0.01, 0.3, 2.0, 800.0})
    {
        for (const std::uint64_t count : {1u, 30u, 3000u})
        {
            const PureSteps equal{{step, count}};
            const PureSteps unequal{{0.9 * step, count}, {step, count}};
            for (const PureSteps& steps : {equal, unequal})
            {
                const double optimal = OptimalEpsilon(steps, 1e-6);
                const double advanced = AdvancedEpsilon(steps, 1e-6);
                EXPECT_LE(optimal, advanced * (1.0 + 1e-12));
                EXPECT_LE(advanced, BasicEpsilon(steps) * (1.0 + 1e-12));
                EXPECT_GT(optimal, 0.0);
            }
            EXPECT_GE(OptimalEpsilon(unequal, 1e-6), OptimalEpsilon(equal, 1e-6));
        }
    }
}

TEST(PureComposition, SampledStepsHaveTheLargestLossOfTheirPair)
{
    for (const double rate : {0.01, 0.6})
    {
        for (const double shift : {0.2, 3.0})
        {
            const PrivacyStep poisson = Laplace(shift, Amplification::POISSON, rate);
            const LaplacePair pair(rate, shift, LaplacePair::Side::REMOVE);
            EXPECT_NEAR(PureEpsilon(poisson, Adjacency::ADD_REMOVE), pair.Range(0.1).highest, 1e-8);
            const PrivacyStep fixed = Laplace(shift, Amplification::WITHOUT_REPLACEMENT, rate);
            const double replaced = std::log1p(rate * std::expm1(2.0 * shift));
            EXPECT_NEAR(PureEpsilon(poisson, Adjacency::REPLACE), replaced, 1e-14);
            EXPECT_NEAR(PureEpsilon(fixed, Adjacency::REPLACE), replaced, 1e-14);
            EXPECT_NEAR(PureEpsilon(fixed, Adjacency::ADD_REMOVE), replaced, 1e-14);
        }
    }
    EXPECT_NEAR(PureEpsilon(Laplace(2000.0, Amplification::POISSON, 0.1), Adjacency::ADD_REMOVE),
                2000.0 + std::log(0.1),
                1e-9);
}

TEST(PureComposition, TheAccountantsGiveTheseNumbers)
{
    const StepCounts steps{{Laplace(0.1), 100}};
    const Adjacency addRemove = Adjacency::ADD_REMOVE;
    EXPECT_NEAR(Epsilon("basic", steps, 1e-5, addRemove), 10.0, 1e-12);
    EXPECT_NEAR(Epsilon("basic", steps, 1e-5, Adjacency::REPLACE), 20.0, 1e-12);
    EXPECT_NEAR(Epsilon("advanced", steps, 1e-5, addRemove), 5.8502350929445575, 1e-11);
    EXPECT_NEAR(Epsilon("optimal-composition", steps, 0.020140178428191532, addRemove), 2.0, 1e-9);
    const StepCounts gaussian{{PrivacyStep{NoiseKind::GAUSSIAN, {}, 1.0, 1.0, 2.0}, 1}};
    for (const char* name : {"basic", "advanced", "optimal-composition"})
    {
        const Guarantee refused = Accountants().Get(name)->Evaluate(gaussian, AccountingQuery());
        EXPECT_TRUE(std::isinf(refused.epsilon));
        EXPECT_NE(refused.reason.find("Laplace"), std::string::npos);
        EXPECT_TRUE(Accountants().Get(name)->Certified());
    }
    StepCounts two = steps;
    two[Laplace(0.2)] = 3;
    EXPECT_EQ(
        Accountants().Get("optimal-composition")->Evaluate(two, AccountingQuery()).warnings.size(),
        1u);
}

} // namespace dpdl
