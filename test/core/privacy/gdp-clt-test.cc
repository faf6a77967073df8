// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp.h"
#include "mirrored-pair.h"
#include "schedule.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

TEST(GdpClt, TotalOfPublishedBudgets)
{
    const double rows[][3] = {// epsilon, mu_total at delta 1e-4 and 1e-5
                              {0.3, 0.10771596, 0.08898345},
                              {0.7, 0.22882795, 0.19355491},
                              {1, 0.31390246, 0.26805112},
                              {2, 0.57658456, 0.50155169},
                              {3, 0.81755636, 0.71911744},
                              {4, 1.04306098, 0.92493090},
                              {6, 1.45960146, 1.30952584},
                              {8, 1.84136627, 1.66603060}};
    for (const auto& [epsilon, loose, tight] : rows)
    {
        EXPECT_NEAR(GdpMu(epsilon, 1e-4), loose, 1e-8);
        EXPECT_NEAR(GdpMu(epsilon, 1e-5), tight, 1e-8);
    }
}

TEST(GdpClt, ScaleInvertsTotal)
{
    std::vector<double> shape;
    std::vector<double> rate;
    for (int k = 0; k < 100; ++k)
    {
        shape.push_back(0.1 + 0.05 * (k % 9));
        rate.push_back(k % 3 == 0 ? 0.01 : 0.05);
    }
    const double scale = CltScale(0.7, shape, rate);
    for (double& mu : shape)
    {
        mu *= scale;
    }
    EXPECT_NEAR(CltMu(shape, rate), 0.7, 1e-12);
}

TEST(GdpClt, FixedBatchesHaveTheVarianceOfTheirPair)
{
    // For small rates the claimed mu^2 is the second moment of the pair in excess of 1.
    const double rate = 1e-12;
    for (const double mu : {0.01, 0.3, 1.0, 2.5})
    {
        const MirroredGaussianPair pair(rate, mu, MirroredGaussianPair::Rival::STILL);
        const double claimed = CltFixedMu({mu}, {rate});
        EXPECT_NEAR(claimed * claimed / std::expm1(pair.LogMoment(2.0)), 1.0, 1e-6) << mu;
    }
    EXPECT_EQ(CltKappa({}, {}), 0.0);
    EXPECT_TRUE(std::isinf(CltKappa({30.0}, {0.1})));
    EXPECT_EQ(CltFixedMu({}, {}), 0.0);
    EXPECT_EQ(CltFixedMu({1.0}, {0.0}), 0.0);
    EXPECT_TRUE(std::isinf(CltFixedMu({30.0}, {0.1})));
    EXPECT_NEAR(CltFixedMu({0.5, 0.5}, {0.1, 0.1}),
                std::sqrt(2.0) * CltFixedMu({0.5}, {0.1}),
                1e-15);
}

} // namespace dpdl
