// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"

#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{

TEST(CltTotal, IsTheFormulaAtEveryStep)
{
    CltTotal total;
    EXPECT_EQ(total.Mu(), 0.0);
    std::vector<double> mu;
    std::vector<double> rate;
    for (int k = 0; k < 50; ++k)
    {
        mu.push_back(0.02 * k);
        rate.push_back(k % 4 == 0 ? 0.0 : 0.01 * k);
        total.Add(mu.back(), rate.back());
        EXPECT_EQ(total.Mu(), CltMu(mu, rate)) << k;
    }
}

TEST(CltTotal, AStepWithoutDataCostsNothingHoweverWeakItsNoise)
{
    CltTotal total;
    total.Add(1e3, 0.0);
    EXPECT_EQ(total.Mu(), 0.0);
}

} // namespace dpdl
