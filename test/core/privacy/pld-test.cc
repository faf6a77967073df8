// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/pld.h"
#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <gtest/gtest.h>

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

/// Steps of Dyn-D2P whose mu grows by a factor.
PldComposition
Growing(double rate, double first, double factor)
{
    PldComposition composition;
    for (int k = 0; k < 3500; ++k)
    {
        composition.Add(rate, first * std::pow(factor, k / 3500.0));
    }
    return composition;
}

} // namespace

TEST(Pld, BoundsTheExactValuesSharply)
{
    // rate, noise multiplier, steps, delta, exact epsilon of the direction "removed" and "added"
    const struct
    {
        double rate, sigma;
        std::uint64_t steps;
        double delta, remove, add;
    } rows[] = {{0.01, 4, 10000, 1e-5, 0.946866800764380448, 0.937036425402057883},
                {0.01, 1.1, 6000, 1e-5, 3.89974499358003453, 3.54875812152516999},
                {0.004, 1.1, 3750, 1e-5, 1.09253844971769448, 0.983110831680887068},
                {0.04, 1.5, 2250, 1e-5, 6.76878039341799, 6.178552646048036}};

    for (const auto& row : rows)
    {
        PldComposition composition;
        composition.Add(row.rate, 1.0 / row.sigma, row.steps);
        const PldBound both = composition.Bound(row.delta);
        ExpectSharp(both, row.remove);
        EXPECT_EQ(both.epsilon, both.removeEpsilon);
        EXPECT_GE(both.addEpsilon, row.add);
        ExpectSharp(composition.Bound(row.delta, Direction::REMOVE), row.remove);
        ExpectSharp(composition.Bound(row.delta, Direction::ADD), row.add);
    }
    const auto add = [](double rate, double mu, std::uint64_t steps, double delta) {
        PldComposition composition;
        composition.Add(rate, mu, steps);
        return composition.Bound(delta, Direction::ADD);
    };
    ExpectSharp(add(0.01, 1.0, 1000, 1e-5), 1.41666194803617511);
    ExpectSharp(add(0.1, 0.5, 100, 1e-6), 2.10108945105763153);
}

TEST(Pld, ExposesTheClaimsOfDynD2p)
{
    // samples per node, mu of every one of 3500 single-sample steps, exact epsilon at delta 1e-4
    const double rows[][3] = {{2500, 1.7544784461564094, 0.669252924247236},
                              {2500, 2.1327545474760288, 2.2023707399452004},
                              {2500, 2.661867836088078, 5.758082410717978},
                              {3000, 1.8516666412153975, 0.7926746383828245},
                              {3000, 2.215862491036825, 2.3754870136459676},
                              {3000, 2.729455562982924, 5.8221528244068175}};
    for (const auto& [samples, mu, exact] : rows)
    {
        ExpectSharp(Constant(1.0 / samples, mu, 3500, 1e-4), exact);
    }
    // What its Proposition 4 prescribes, with claims of 0.3, 0.7 and 3.
    ExpectSharp(Constant(1.0 / 2500, 3.2186298021938935, 3500, 1e-4), 11.771808197273069);
    ExpectSharp(Constant(1.0 / 2500, 6.83754272099292, 3500, 1e-4), 131.86700429146305);
    ExpectSharp(Constant(1.0 / 2500, 24.42916881777362, 3500, 1e-4), 2222.8364345588793);
}

TEST(Pld, ThousandsOfDifferentStepsNeedNoRounding)
{
    // rate, first mu, growth over 3500 steps, exact epsilon of either direction
    const double rows[][5] = {
        {1.0 / 2500, 1.353113824654987, 2.0, 3.6270833631534676, 0.3087239915666158},
        {1.0 / 2500, 0.3301026780961147, 10.0, 5.991527147835726, 0.20842991406521266},
        {64.0 / 2500, 0.10101960978341765, 10.0, 3.147145565249375, 2.771613932897053},
        {64.0 / 3000, 0.01833527369106905, 10.0, 0.30149501206029145, 0.29834208997183687}};
    for (const auto& [rate, first, growth, remove, add] : rows)
    {
        const PldBound bound = Growing(rate, first, growth).Bound(1e-4);
        ExpectSharp(bound, remove);
        EXPECT_GE(bound.addEpsilon, add);
    }
}

TEST(Pld, ExposesTheClaimsOfAdpVrsgp)
{
    // noise parameter epsilon / c2, exact epsilon
    const double rows[][2] = {{0.5, 0.5991592811539345},
                              {1.0, 2.8677647173556258},
                              {2.0, 21.765030796757024},
                              {4.0, 159.95043881274924}};
    const double rate = 64.0 / 7500;
    const double norm = rate * std::sqrt(std::log(1e5) * 173.66606295800);
    for (const auto& [r, exact] : rows)
    {
        PldComposition composition;
        for (int t = 1; t <= 1000; ++t)
        {
            composition.Add(rate, r / (norm * std::pow(std::floor(t / 5.0) + 10.0, 0.2)));
        }
        ExpectSharp(composition.Bound(1e-5), exact);
    }
}

TEST(Pld, LargeLosses)
{
    // noise multiplier, epsilon by a fine grid: an upper bound, too high by less than 2e-5
    const double rows[][2] = {{0.001, 4499502.2379425755},
                              {0.002, 1124712.6097496196},
                              {0.01, 44883.91039078818},
                              {0.02, 11155.525451672043},
                              {0.03, 4912.729908559726}};
    for (const auto& [sigma, epsilon] : rows)
    {
        const PldBound bound = Constant(1.0 / 2500, 1.0 / sigma, 3500, 1e-5);
        EXPECT_GE(bound.epsilon, epsilon * (1.0 - 2e-5));
        EXPECT_LE(bound.lower, epsilon);
        EXPECT_LE(bound.epsilon - bound.lower, 2e-4 * epsilon);
    }
}

TEST(Pld, SingleStepsEqualTheirClosedForm)
{
    const auto above = [](double x) { return 0.5 * std::erfc(x * std::sqrt(0.5)); };
    const auto point = [](double rate, double mu, double ratio) {
        return (std::log((ratio - 1.0) / rate + 1.0) + 0.5 * mu * mu) / mu;
    };
    for (const double rate : {1e-4, 0.01, 0.5})
    {
        for (const double mu : {0.05, 1.0, 1.0 / 0.3})
        {
            PldComposition composition;
            composition.Add(rate, mu);
            for (const double part : {0.1, 0.5, 0.9})
            {
                const double remove = std::log1p(rate * std::expm1(part * mu * (mu + 3.0)));
                double x = point(rate, mu, std::exp(remove));
                const double removed =
                    (1.0 - rate - std::exp(remove)) * above(x) + rate * above(x - mu);
                ExpectSharp(composition.Bound(removed, Direction::REMOVE), remove);

                const double add = -part * std::log1p(-rate);
                x = point(rate, mu, std::exp(-add));
                const double added = (1.0 - std::exp(add) * (1.0 - rate)) * above(-x) -
                                     std::exp(add) * rate * above(mu - x);
                if (added > 1e-12)
                {
                    ExpectSharp(composition.Bound(added, Direction::ADD), add);
                }
            }
        }
    }
}

TEST(Pld, ComposesReplacedExamplesAndLaplaceNoise)
{
    PrivacyStep step;
    step.sampling = Amplification::POISSON;
    step.rate = 0.01;
    step.muAddRemove = 0.25;
    step.muReplace = 0.5;
    PldComposition replaced(Adjacency::REPLACE);
    replaced.Add(step, 10000);
    ExpectSharp(replaced.Bound(1e-5), 1.99312005706);

    // samples, batch, mu, exact epsilon of the pair that dominates batches of fixed size
    const double rows[][4] = {{2500, 1, 1.7544784461564094, 16.61439939167746},
                              {2500, 64, 0.20508695875319893, 2.6707146597936373},
                              {3000, 64, 0.5919332485787988, 13.570763264106832}};
    for (const auto& [samples, batch, mu, exact] : rows)
    {
        step.sampling = Amplification::WITHOUT_REPLACEMENT;
        step.rate = batch / samples;
        step.muAddRemove = mu;
        step.muReplace = 2.0 * mu;
        PldComposition fixed(Adjacency::REPLACE);
        fixed.Add(step, 3500);
        ExpectSharp(fixed.Bound(1e-4), exact);
    }

    // pure epsilon of a step, steps, epsilon, exact delta
    const double laplace[][4] = {{0.1, 1000, 5.0, 0.363251084362402},
                                 {0.1, 1000, 15.0, 0.000239505169351100},
                                 {0.01, 10000, 1.0, 0.126352023104679},
                                 {0.01, 10000, 4.0, 4.55847539761867e-5}};
    for (const auto& [pure, steps, epsilon, delta] : laplace)
    {
        step = PrivacyStep();
        step.noise = NoiseKind::LAPLACE;
        step.muAddRemove = pure;
        step.muReplace = 2.0 * pure;
        PldComposition composition;
        composition.Add(step, static_cast<std::uint64_t>(steps));
        ExpectSharp(composition.Bound(delta), epsilon);
    }
}

TEST(Pld, TinyDeltas)
{
    // exact delta of epsilon 1, 2 and 3
    const double rows[][2] = {{1.0, 4.243484252482163e-06},
                              {2.0, 2.646093277e-16},
                              {3.0, 1.204758013e-32}};
    for (const auto& [epsilon, delta] : rows)
    {
        ExpectSharp(Constant(0.01, 0.25, 10000, delta), epsilon);
    }
    ExpectSharp(Constant(1.0 - 1e-12, 1.0, 1, 1e-10), 6.547924066864951);
}

TEST(Pld, ComposesDifferentSteps)
{
    PldComposition composition;
    composition.Add(0.01, 1.0, 500);
    composition.Add(0.02, 0.5, 1000);
    composition.Add(0.005, 1.0 / 0.7, 300);
    const PldBound bound = composition.Bound(1e-5);
    ExpectSharp(bound, 2.4017863240017103);
    ExpectSharp(composition.Bound(1e-5, Direction::ADD), 1.8031355071495903);
    EXPECT_GE(bound.addEpsilon, 1.8031355071495903);

    PldComposition reversed;
    reversed.Add(0.005, 1.0 / 0.7, 300);
    reversed.Add(0.02, 0.5, 400);
    reversed.Add(0.01, 1.0, 500);
    reversed.Add(0.02, 0.5, 600);
    EXPECT_EQ(reversed.Bound(1e-5).epsilon, bound.epsilon);
}

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

TEST(Pld, MonotoneAndBelowRenyi)
{
    const double base = Constant(0.01, 1.0, 300, 1e-5).epsilon;
    EXPECT_GT(Constant(0.012, 1.0, 300, 1e-5).epsilon, base);
    EXPECT_GT(Constant(0.01, 1.1, 300, 1e-5).epsilon, base);
    EXPECT_GT(Constant(0.01, 1.0, 330, 1e-5).epsilon, base);
    EXPECT_GT(Constant(0.01, 1.0, 300, 1e-6).epsilon, base);
    RdpComposition renyi;
    renyi.Add(0.01, 1.0, 300);
    EXPECT_LT(base, renyi.Optimise(1e-5).epsilon);
    EXPECT_EQ(PldComposition().Bound(1e-5).epsilon, 0.0);
    EXPECT_EQ(Constant(0.0, 1.0, 10, 1e-5).epsilon, 0.0);
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
    question.delta = 1e-25;
    EXPECT_LT(pld.Evaluate(steps, question).epsilon, rdp.Evaluate(steps, question).epsilon);

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
