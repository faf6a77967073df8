// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/contour.h"
#include "dpdl/privacy/gdp.h"
#include "schedule.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

TEST(Contour, NothingCostsNothing)
{
    ContourInversion contour;
    contour.Add(0.0, 1.0, 10);
    contour.Add(0.5, 0.0, 10);
    contour.Add(0.5, 1.0, 0);
    EXPECT_EQ(contour.Epsilon(1e-5), 0.0);
    EXPECT_EQ(contour.LogDelta(0.0), -INFINITY);
}

TEST(Contour, BothDirectionsAreTheLargerOne)
{
    const auto contour = Schedule::Constant(0.01, 1.0, 1000).Contour();
    const double remove = contour.Epsilon(1e-5, Direction::REMOVE).value();
    const double add = contour.Epsilon(1e-5, Direction::ADD).value();
    EXPECT_GT(remove, add);
    EXPECT_EQ(contour.Epsilon(1e-5), remove);
}

TEST(Contour, AVanishingDeltaIsAsAccurateAsAnyOther)
{
    const auto contour = Schedule::Constant(1.0, 0.5, 16).Contour();
    for (const double epsilon : {0.0, 1.0, 10.0, 40.0, 70.0})
    {
        const double exact = GdpLogDelta(epsilon, 2.0);
        EXPECT_NEAR(contour.LogDelta(epsilon).value(), exact, 1e-11 * std::abs(exact));
    }
}

TEST(Contour, ABoundedLossIsNeverExceeded)
{
    // Added examples reveal at most -log(1 - q) per step.
    const auto contour = Schedule::Constant(0.1, 2.0, 10).Contour();
    EXPECT_EQ(contour.LogDelta(1.06, Direction::ADD), -INFINITY);
}

TEST(Contour, AnAlmostConcentratedLossIsRefused)
{
    const auto schedule = Schedule::Constant(1e-4, 20.0, 20);
    EXPECT_FALSE(schedule.Contour().Epsilon(1e-10, Direction::ADD).has_value());
    const Guarantee guarantee = schedule.Ask("laplace-inversion", 1e-10, Direction::ADD);
    EXPECT_EQ(guarantee.epsilon, INFINITY);
    EXPECT_NE(guarantee.reason, "");
}

TEST(Contour, TheAccountantTellsAValueAndNoBound)
{
    EXPECT_FALSE(Accountants().Get("laplace-inversion")->Certified());
    const Guarantee guarantee =
        Schedule::Constant(0.01, 1.0, 1000).Ask("laplace-inversion", 1e-5, Direction::BOTH);
    EXPECT_EQ(guarantee.lower, guarantee.epsilon);
    PrivacyStep step;
    step.sampling = Amplification::POISSON;
    step.rate = 0.1;
    step.muAddRemove = 1.0;
    step.muReplace = 2.0;
    const auto& accountant = *Accountants().Get("laplace-inversion");
    EXPECT_EQ(accountant.Evaluate({{step, 9}}, {1e-5, Adjacency::REPLACE, Direction::BOTH}).epsilon,
              INFINITY);
    step.sampling = Amplification::WITHOUT_REPLACEMENT;
    EXPECT_NE(accountant.Evaluate({{step, 9}}, AccountingQuery()).reason, "");
    step.sampling = Amplification::POISSON;
    step.noise = NoiseKind::LAPLACE;
    EXPECT_NE(accountant.Evaluate({{step, 9}}, AccountingQuery()).reason, "");
}

} // namespace dpdl
