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

/// An upper bound that exceeds the exact value by no more than it says.
void
ExpectSharpBound(double bound, double error, double exact)
{
    EXPECT_GE(bound, exact);
    EXPECT_LE(bound, exact + error);
    EXPECT_LT(error, 1e-4 * (1.0 + exact));
}

} // namespace

TEST(Pld, BoundsTheContourValuesSharply)
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
        const PldBound bound = Constant(row.rate, 1.0 / row.sigma, row.steps, row.delta);
        ExpectSharpBound(bound.epsilon, bound.error, row.remove);
        EXPECT_EQ(bound.epsilon, bound.removeEpsilon);
        EXPECT_GE(bound.addEpsilon, row.add);
        EXPECT_LE(bound.addEpsilon, row.add + 1e-4);
    }
    EXPECT_GE(Constant(0.01, 1.0, 1000, 1e-5).addEpsilon, 1.41666194803617511);
    EXPECT_GE(Constant(0.1, 0.5, 100, 1e-6).addEpsilon, 2.10108945105763153);
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
        const PldBound bound = Constant(1.0 / samples, mu, 3500, 1e-4);
        ExpectSharpBound(bound.epsilon, bound.error, exact);
    }
}

TEST(Pld, ComposesDifferentSteps)
{
    PldComposition composition;
    composition.Add(0.01, 1.0, 500);
    composition.Add(0.02, 0.5, 1000);
    composition.Add(0.005, 1.0 / 0.7, 300);
    const PldBound bound = composition.Bound(1e-5);
    ExpectSharpBound(bound.epsilon, bound.error, 2.4017863240017103);
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
    ExpectSharpBound(nearly.epsilon, nearly.error, 4.37717809568);
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

TEST(Pld, ManyKindsAreRoundedUp)
{
    PldComposition many;
    for (int k = 0; k < 60; ++k)
    {
        many.Add(0.01 + 1e-5 * (k % 3), 0.8 + 1e-3 * k, 5);
    }
    const PldBound exact = many.Bound(1e-5);
    const PldBound eight = many.Bound(1e-5, 8);
    const PldBound one = many.Bound(1e-5, 1);
    EXPECT_FALSE(exact.grouped);
    EXPECT_TRUE(eight.grouped);
    EXPECT_GT(eight.epsilon, exact.epsilon);
    EXPECT_GT(one.epsilon, eight.epsilon);
    EXPECT_LT(eight.epsilon, 1.02 * exact.epsilon);
    EXPECT_NEAR(one.epsilon, Constant(0.01002, 0.859, 300, 1e-5).epsilon, 1e-6);
}

TEST(Pld, TheAccountantFallsBackToRenyiForTinyDelta)
{
    Release::Fields fields;
    fields.mechanism = "gaussian";
    fields.sampler = "poisson";
    fields.rate = 0.01;
    fields.sensitivity = 1.0;
    fields.noise = 1.0;
    const std::vector<Release> releases(1000, Release(fields));
    const auto& pld = *Accountants().Get("pld");
    const auto& rdp = *Accountants().Get("rdp");
    EXPECT_TRUE(pld.Certified());
    EXPECT_EQ(pld.Evaluate(releases, 1e-20).epsilon, rdp.Evaluate(releases, 1e-20).epsilon);
    EXPECT_EQ(pld.Evaluate(releases, 1e-20).warnings.size(), 1u);
    const Guarantee usual = pld.Evaluate(releases, 1e-5);
    EXPECT_LT(usual.epsilon, rdp.Evaluate(releases, 1e-5).epsilon);
    EXPECT_GT(usual.error, 0.0);
    EXPECT_TRUE(usual.warnings.empty());
}

} // namespace dpdl
