// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/claim.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr double DELTA = 1e-5;

TEST(Claim, ScaleIsWhereTheClaimMeetsTheBudget)
{
    const ScheduleShape steps = ScheduleShape::Growing(0.01, 50, 3.0);
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
        EXPECT_EQ(claim.Text().empty(), claim.Premises().empty());
        EXPECT_THROW(claim.Scale(steps, -1.0, DELTA), UsageError);
    }
}

TEST(Claim, WithoutAFormulaNothingFiniteIsClaimed)
{
    const Claim claim{ClaimFormula::NONE, false, 0.0, "its paper states no formula"};
    EXPECT_FALSE(claim.Scale(ScheduleShape::Constant(0.1, 5), 1.0, DELTA).has_value());
    EXPECT_TRUE(std::isinf(claim.Epsilon(claim.Spent(1.0, 0.1), DELTA)));
    EXPECT_EQ(claim.Kappa(ScheduleShape::Constant(0.1, 5)), 0.0);
}

} // namespace
} // namespace dpdl
