// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/gdp-clt.h"
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

TEST(GdpClt, DynD2pTables)
{
    const double growths[] = {10.0, 5.0, 2.5, 2.0, 1.25};
    const double rows[][7] = {// epsilon, mu_bar, mu_0 per growth; J = 2500, K = 3500
                              {0.3, 1.754478, 0.248373, 0.478491, 0.897451, 1.085186, 1.543668},
                              {0.7, 2.132755, 0.282599, 0.549988, 1.050251, 1.281384, 1.866283},
                              {1, 2.275059, 0.295357, 0.576412, 1.106169, 1.353114, 1.986397},
                              {3, 2.661868, 0.330103, 0.647879, 1.255868, 1.544512, 2.309478}};
    for (const auto& row : rows)
    {
        const double total = GdpMu(row[0], 1e-4);
        EXPECT_NEAR(CltConstantMu(total, 1.0 / 2500, 3500), row[1], 1e-6);
        for (int g = 0; g < 5; ++g)
        {
            EXPECT_NEAR(CltInitialMu(total, 1.0 / 2500, 3500, growths[g]), row[2 + g], 1e-6);
        }
    }
    const double other[][4] = {// epsilon, mu_bar and mu_0 for K = 3500, mu_bar for K = 2200
                               {0.3, 1.851667, 0.497125, 1.969989},
                               {0.7, 2.215862, 0.565437, 2.317673},
                               {1, 2.353468, 0.590923, 2.449827},
                               {3, 2.729456, 0.660362, 2.813186}};
    for (const auto& [epsilon, muBar, muFirst, shorter] : other)
    {
        const double total = GdpMu(epsilon, 1e-4);
        EXPECT_NEAR(CltConstantMu(total, 1.0 / 3000, 3500), muBar, 1e-6);
        EXPECT_NEAR(CltInitialMu(total, 1.0 / 3000, 3500, 5.0), muFirst, 1e-6);
        EXPECT_NEAR(CltConstantMu(total, 1.0 / 3000, 2200), shorter, 1e-6);
    }
}

TEST(GdpClt, HighPrecisionInversions)
{
    const double rows[][6] = {
        // J, B, epsilon, mu_bar, mu_0 for growth 2 and 10
        {2500, 1, 0.3, 1.7544784461564087, 1.08518577821571, 0.248373161757357},
        {2500, 64, 0.3, 0.071032646982199046, 0.0482817587496018, 0.0152992011816288},
        {2500, 64, 0.7, 0.15023800300804446, 0.102049274617602, 0.0321703451152125},
        {2500, 1, 1, 2.2750593381362890, 1.35311382365499, 0.295356588511620},
        {2500, 64, 1, 0.20508695875319892, 0.139200509713903, 0.0436357616915516},
        {2500, 64, 3, 0.50569338595841876, 0.340447170695545, 0.101019609783418},
        {3000, 1, 0.3, 1.8516666412153969, 1.13651760200884, 0.257250764496306},
        {3000, 64, 0.3, 0.085192002981141408, 0.0579010783341201, 0.0183352736910690},
        {3000, 64, 0.7, 0.17984367966234963, 0.122112768198735, 0.0383862135122705},
        {3000, 1, 1, 2.3534676268650872, 1.39227990611225, 0.302385042950122},
        {3000, 64, 1, 0.24499242289045632, 0.166170680334345, 0.0518258620602962},
        {3000, 64, 3, 0.59193324857879870, 0.397097024038495, 0.115400165921227}};
    for (const auto& [samples, batch, epsilon, muBar, two, ten] : rows)
    {
        const double total = GdpMu(epsilon, 1e-4);
        const double rate = batch / samples;
        EXPECT_NEAR(CltConstantMu(total, rate, 3500) / muBar, 1.0, 1e-10);
        EXPECT_NEAR(CltInitialMu(total, rate, 3500, 2.0) / two, 1.0, 1e-10);
        EXPECT_NEAR(CltInitialMu(total, rate, 3500, 10.0) / ten, 1.0, 1e-10);
    }
}

TEST(GdpClt, PublishedSchedule)
{
    const double first = CltInitialMu(GdpMu(1.0, 1e-4), 1.0 / 2500, 3500, 5.0);
    EXPECT_NEAR(first, 0.5764121750, 1e-9);
    const auto sigma = [first](double k) { return 7.0 / first * std::pow(25.0, -k / 3500); };
    EXPECT_NEAR(sigma(0), 12.14408769, 1e-7);
    EXPECT_NEAR(sigma(1750), 2.42881754, 1e-8);
    EXPECT_NEAR(sigma(3499), 0.48621046, 1e-8);
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

TEST(GdpClt, KappaTellsWhereTheLimitHolds)
{
    // Single samples: far outside. Batches of 64: inside.
    const double totals[] = {GdpMu(0.3, 1e-4),
                             GdpMu(0.7, 1e-4),
                             GdpMu(1.0, 1e-4),
                             GdpMu(3.0, 1e-4)};
    const double single[] = {1.82, 15.8, 40.1, 699.0};
    const double batch[] = {0.0036, 0.0077, 0.0107, 0.030};
    for (int i = 0; i < 4; ++i)
    {
        for (const double size : {1.0, 64.0})
        {
            const double p = size / 2500;
            const double mu = CltConstantMu(totals[i], p, 3500);
            const double kappa =
                CltKappa(std::vector<double>(3500, mu), std::vector<double>(3500, p));
            const double expected = size == 1.0 ? single[i] : batch[i];
            EXPECT_NEAR(kappa / expected, 1.0, 0.02);
        }
    }
    EXPECT_EQ(CltKappa({}, {}), 0.0);
    EXPECT_TRUE(std::isinf(CltKappa({30.0}, {0.1})));
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
    EXPECT_EQ(CltFixedMu({}, {}), 0.0);
    EXPECT_EQ(CltFixedMu({1.0}, {0.0}), 0.0);
    EXPECT_TRUE(std::isinf(CltFixedMu({30.0}, {0.1})));
    EXPECT_NEAR(CltFixedMu({0.5, 0.5}, {0.1, 0.1}),
                std::sqrt(2.0) * CltFixedMu({0.5}, {0.1}),
                1e-15);
}

} // namespace dpdl
