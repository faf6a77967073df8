// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/claim.h"
#include "schedule.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr double DELTA = 1e-5;

TEST(Claim, ScaleIsWhereTheClaimMeetsTheBudget)
{
    const ScheduleShape steps = Growing(0.01, 50, 3.0);
    for (const Claim& claim :
         {Claim{}, Claim{ClaimFormula::MOMENTS, false, 1.7}, Claim{ClaimFormula::PURE_SUM, false}})
    {
        EXPECT_EQ(claim.Epsilon(0.0, DELTA), 0.0);
        for (const double epsilon : {0.3, 4.0})
        {
            const double scale = *claim.Scale(steps, epsilon, DELTA);
            double spent = 0.0;
            for (const double mu : steps.mu)
            {
                EXPECT_GT(claim.Spent(scale * mu, 0.01), 0.0);
                spent += claim.Spent(scale * mu, 0.01);
            }
            // A scale from special functions has 24 bits, rounded down.
            EXPECT_LE(claim.Epsilon(spent, DELTA), epsilon * (1.0 + 1e-12));
            EXPECT_GE(claim.Epsilon(spent, DELTA), epsilon * (1.0 - 1e-6));
        }
        EXPECT_EQ(claim.Text().empty(), claim.Assumptions().empty());
        EXPECT_THROW(claim.Scale(steps, -1.0, DELTA), UsageError);
    }
}

TEST(Claim, WithoutAFormulaNothingFiniteIsClaimed)
{
    const Claim claim{ClaimFormula::NONE, false, 0.0, "its paper states no formula"};
    EXPECT_FALSE(claim.Scale(Growing(0.1, 5), 1.0, DELTA).has_value());
    EXPECT_TRUE(std::isinf(claim.Epsilon(claim.Spent(1.0, 0.1), DELTA)));
    EXPECT_EQ(claim.Kappa(Growing(0.1, 5)), 0.0);
}

std::vector<Release>
ReleasesOf(const ScheduleShape& shape, double scale)
{
    std::vector<Release> releases;
    for (std::size_t k = 0; k < shape.mu.size(); ++k)
    {
        releases.push_back({0, 0, "gaussian", "poisson", shape.rate[k], scale * shape.mu[k], 1.0});
    }
    return releases;
}

double
EpsilonOf(const Accountant& accountant, const ScheduleShape& shape, double scale, double delta)
{
    return accountant.Evaluate(ReleasesOf(shape, scale), {delta}).epsilon;
}

double
CalibrateScale(const Accountant& accountant,
               const ScheduleShape& shape,
               double epsilon,
               double delta)
{
    return CalibrateSteps(accountant,
                          ReleaseTally(ReleasesOf(shape, 1.0)).Steps(),
                          epsilon,
                          {delta});
}

const Accountant&
Rdp()
{
    return *Accountants().Get("rdp");
}

std::string
MessageOf(double epsilon, double delta)
{
    try
    {
        CalibrateScale(Rdp(), Growing(0.1, 10), epsilon, delta);
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(Calibration, MeetsTheTargetFromBelow)
{
    const ScheduleShape shapes[] = {Growing(64.0 / 3000, 200),
                                    Growing(1.0, 20),
                                    Growing(1e-4, 1000),
                                    Growing(0.02, 60, 5.0),
                                    {{0.0, 1.0, 3.0}, {0.5, 0.01, 0.2}}};
    for (const ScheduleShape& shape : shapes)
    {
        for (const double epsilon : {1e-3, 0.1, 1.0, 8.0, 200.0})
        {
            const double scale = CalibrateScale(Rdp(), shape, epsilon, 1e-4);
            const double reached = EpsilonOf(Rdp(), shape, scale, 1e-4);
            EXPECT_LE(reached, epsilon);
            EXPECT_GE(reached, epsilon * (1.0 - 1e-6));
        }
    }
}

// What is derived from a scale does not depend on the last digits of special functions.
TEST(Calibration, AScaleHas24BitsAndIsRoundedDown)
{
    EXPECT_EQ(WithoutLastDigits(1.0), 1.0);
    EXPECT_EQ(WithoutLastDigits(1.0 + 0x1.8p-23), 1.0 + 0x1p-23);
    EXPECT_EQ(WithoutLastDigits(std::nextafter(0x1p-300, 0.0)), 0x1.fffffep-301);
    const double scale = CalibrateScale(Rdp(), Growing(0.03, 100, 3.0), 1.0, 1e-4);
    EXPECT_EQ(WithoutLastDigits(scale), scale);
}

TEST(Calibration, TheCentralLimitHasAClosedForm)
{
    const ScheduleShape shape = Growing(0.03, 100, 3.0);
    const double scale = CalibrateScale(*Accountants().Get("clt"), shape, 1.0, 1e-4);
    EXPECT_NEAR(scale / CalibrateScaleByClt(shape, 1.0, 1e-4), 1.0, 1e-6);
}

TEST(Calibration, CountedStepsOfAnyKind)
{
    const auto& gdp = *Accountants().Get("gdp");
    PrivacyStep weak;
    weak.muAddRemove = 1.0;
    weak.muReplace = 2.0;
    PrivacyStep strong = weak;
    strong.muAddRemove = 3.0;
    strong.muReplace = 3.0;
    const StepCounts steps{{weak, 700000000}, {strong, 100000000}};
    AccountingQuery question;
    for (const double epsilon : {1e-3, 1.0, 50.0})
    {
        question.adjacency = Adjacency::ADD_REMOVE;
        const double removed = CalibrateSteps(gdp, steps, epsilon, question);
        EXPECT_NEAR(removed * std::sqrt(16e8) / GdpMu(epsilon, 1e-5), 1.0, 1e-6);
        question.adjacency = Adjacency::REPLACE;
        const double replaced = CalibrateSteps(gdp, steps, epsilon, question);
        EXPECT_NEAR(replaced * std::sqrt(37e8) / GdpMu(epsilon, 1e-5), 1.0, 1e-6);
    }
    EXPECT_THROW(CalibrateSteps(gdp, {}, 1.0, question), UsageError);
    EXPECT_THROW(CalibrateSteps(gdp, {{PrivacyStep(), 1}}, 1.0, question), UsageError);
    EXPECT_THROW(CalibrateSteps(gdp, steps, NAN, question), UsageError);
}

TEST(Calibration, MistakesNameTheOption)
{
    for (const double epsilon : {0.0, -1.0, double(NAN), double(INFINITY)})
    {
        EXPECT_NE(MessageOf(epsilon, 1e-5).find("option 'epsilon'"), std::string::npos);
    }
    for (const double delta : {0.0, -1.0, 1.0, double(NAN)})
    {
        EXPECT_NE(MessageOf(1.0, delta).find("option 'delta'"), std::string::npos);
    }
    EXPECT_EQ(MessageOf(1.0, 1e-5), "");
    EXPECT_THROW(CalibrateScale(Rdp(), {}, 1.0, 1e-5), UsageError);
    EXPECT_THROW(CalibrateScale(Rdp(), {{1.0}, {0.0}}, 1.0, 1e-5), UsageError);
    EXPECT_THROW(CalibrateScale(Rdp(), {{0.0}, {0.1}}, 1.0, 1e-5), UsageError);
    // Exact Gaussian accounting has no number for a sampled step, whatever the noise.
    EXPECT_THROW(CalibrateScale(*Accountants().Get("gdp"), {{1.0}, {0.1}}, 1.0, 1e-5), UsageError);
}
} // namespace dpdl
