// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/noise-source.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/pld.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace dpdl
{

namespace
{

PldBound
Constant(double rate, double mu, std::uint64_t steps, double delta)
{
    PldComposition composition;
    composition.Add(rate, mu, steps);
    return composition.Bound(delta);
}

/// Both bounds hold the exact value, and are close to each other.
void
ExpectSharp(double upper, double lower, double exact)
{
    EXPECT_GE(upper, exact);
    EXPECT_LE(lower, exact);
    EXPECT_LE(upper - lower, 2e-4 * exact + 1e-6);
}

void
ExpectSharp(const PldBound& bound, double exact)
{
    ExpectSharp(bound.epsilon, bound.lower, exact);
}

} // namespace

TEST(Pld, WithoutSamplingItIsTheExactGaussianCurve)
{
    EXPECT_EQ(Constant(1.0, 0.1, 100, 1e-5).epsilon, GdpEpsilon(1.0, 1e-5));
    // Almost always sampled: through the grid, and just below.
    const PldBound nearly = Constant(1.0 - 1e-12, 0.1, 100, 1e-5);
    ExpectSharp(nearly, 4.37717809568);
    // One step of each sort: more than the exact one alone.
    PldComposition both;
    both.Add(1.0, 1.0, 1);
    both.Add(0.01, 1.0, 1);
    EXPECT_GT(both.Bound(1e-5).epsilon, GdpEpsilon(1.0, 1e-5));
    EXPECT_LT(both.Bound(1e-5).epsilon, GdpEpsilon(std::sqrt(2.0), 1e-5));
}

TEST(Pld, IsSharpForAMillionStepsOfTinyRates)
{
    // By an inversion of the Laplace transform of the privacy loss in NumPy.
    ExpectSharp(Constant(1e-6, 1.0, 1000000, 1e-7), 0.00451764384);
    ExpectSharp(Constant(1e-5, 1.0, 1000000, 1e-7), 0.0525456439);
}

TEST(Pld, InterpolatedFamiliesEqualTheirSteps)
{
    // 40 values of mu are interpolated, 20 are not; both must agree where they overlap.
    PldComposition family;
    PldComposition halves[2];
    for (int k = 0; k < 40; ++k)
    {
        family.Add(0.01, 0.8 + 0.01 * k, 20);
        halves[k % 2].Add(0.01, 0.8 + 0.01 * k, 40);
    }
    const PldBound all = family.Bound(1e-5);
    EXPECT_LE(halves[0].Bound(1e-5).lower, all.epsilon);
    EXPECT_GE(halves[1].Bound(1e-5).epsilon, all.lower);
    EXPECT_LE(all.epsilon - all.lower, 1.1e-4 * all.epsilon);
    // A second rate for every step makes kinds of them that cannot be interpolated.
    PldComposition singles;
    for (int k = 0; k < 40; ++k)
    {
        singles.Add(0.01 + 1e-12 * k, 0.8 + 0.01 * k, 20);
    }
    EXPECT_NEAR(singles.Bound(1e-5).epsilon / all.epsilon, 1.0, 1e-4);
}

TEST(Pld, TheAccountantAnswersTheQuestion)
{
    PrivacyStep step;
    step.sampling = Amplification::POISSON;
    step.rate = 0.01;
    step.muAddRemove = 1.0;
    step.muReplace = 2.0;
    const StepCounts steps{{step, 1000}};
    const auto& pld = *Accountants().Get("pld");
    const auto& rdp = *Accountants().Get("rdp");
    EXPECT_TRUE(pld.Certified());
    AccountingQuery question;
    const Guarantee both = pld.Evaluate(steps, question);
    EXPECT_LT(both.epsilon, rdp.Evaluate(steps, question).epsilon);
    EXPECT_GT(both.error, 0.0);
    EXPECT_EQ(both.error, both.epsilon - both.lower);
    EXPECT_TRUE(both.warnings.empty());
    question.direction = Direction::ADD;
    const Guarantee add = pld.Evaluate(steps, question);
    ExpectSharp(add.epsilon, add.lower, 1.41666194803617511);
    question.direction = Direction::REMOVE;
    EXPECT_NEAR(pld.Evaluate(steps, question).epsilon, both.epsilon, 1e-4 * both.epsilon);
    question = AccountingQuery();
    question.delta = LEAST_DELTA;
    EXPECT_LT(pld.Evaluate(steps, question).epsilon, rdp.Evaluate(steps, question).epsilon);
    for (const std::string& name : Accountants().Names())
    {
        question.delta = 1e-50;
        const Guarantee beyond = Accountants().Get(name)->Evaluate(steps, question);
        EXPECT_TRUE(std::isinf(beyond.epsilon)) << name;
        EXPECT_NE(beyond.reason.find("a delta below 1e-13"), std::string::npos) << name;
    }

    // Beyond any grid: the Renyi bound, and a word about it.
    step.rate = 0.999999;
    step.muAddRemove = 1000.0;
    step.muReplace = 2000.0;
    const Guarantee beyond = pld.Evaluate({{step, 1000000}}, AccountingQuery());
    EXPECT_EQ(beyond.epsilon, rdp.Evaluate({{step, 1000000}}, AccountingQuery()).epsilon);
    EXPECT_EQ(beyond.warnings.size(), 1u);
    EXPECT_LE(beyond.lower, beyond.epsilon);

    PrivacyStep full;
    full.muAddRemove = 0.5;
    full.muReplace = 1.0;
    question = AccountingQuery();
    question.adjacency = Adjacency::REPLACE;
    EXPECT_EQ(pld.Evaluate({{full, 4}}, question).epsilon, GdpEpsilon(2.0, question.delta));
    step.noise = NoiseKind::DISCRETE_GAUSSIAN;
    const Guarantee unknown = pld.Evaluate({{step, 1}}, AccountingQuery());
    EXPECT_TRUE(std::isinf(unknown.epsilon));
    EXPECT_FALSE(unknown.reason.empty());
}

} // namespace dpdl
