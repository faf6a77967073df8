// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/rdp-odometer.h"
#include "dpdl/privacy/rdp.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Release
Step(double rate, double multiplier)
{
    Release::Fields fields;
    fields.mechanism = "gaussian";
    fields.sampler = rate == 1.0 ? "full" : "poisson";
    fields.rate = rate;
    fields.sensitivity = 1.0;
    fields.noise = multiplier;
    return Release(fields);
}

/// The odometer is above the optimum, by less than one percent or 0.001.
void
ExpectTight(const RdpOdometer& odometer, const RdpComposition& composition, double delta)
{
    const double best = composition.Optimise(delta).epsilon;
    const double shown = odometer.Epsilon(delta);
    EXPECT_GE(shown, best * (1.0 - 1e-10));
    EXPECT_LE(shown, best + std::max(0.01 * best, 1e-3));
}

} // namespace

TEST(RdpOdometer, CloseToTheOptimumForConstantSteps)
{
    const auto curves = std::make_shared<RdpCurves>();
    for (const double rate : {1e-4, 0.004, 0.02, 0.2, 1.0})
    {
        for (const double multiplier : {0.3, 0.6, 1.1, 3.0, 20.0})
        {
            RdpOdometer odometer(curves);
            RdpComposition composition;
            for (int k = 1; k <= 1000; ++k)
            {
                odometer.Add(Step(rate, multiplier));
                composition.Add(rate, 1.0 / multiplier);
                if (k == 1 || k == 30 || k == 1000)
                {
                    SCOPED_TRACE(testing::Message() << rate << " " << multiplier << " " << k);
                    ExpectTight(odometer, composition, 1e-5);
                }
            }
        }
    }
    EXPECT_EQ(curves->Size(), 20u); // steps without sampling need no curve
}

TEST(RdpOdometer, CloseToTheOptimumForChangingSteps)
{
    RdpOdometer odometer;
    RdpComposition composition;
    for (int k = 0; k < 300; ++k)
    {
        const double rate = 0.01 + 0.0001 * (k % 10);
        const double multiplier = 3.0 * std::pow(5.0, -k / 300.0);
        odometer.Add(Step(rate, multiplier));
        composition.Add(rate, 1.0 / multiplier);
        if (k % 60 == 0)
        {
            odometer.Add(Step(1.0, 40.0));
            composition.Add(1.0, 1.0 / 40.0);
        }
        if (k % 100 == 99)
        {
            ExpectTight(odometer, composition, 1e-4);
        }
    }
}

TEST(RdpOdometer, NeverDecreasesAndDoesNotDependOnSharing)
{
    const auto curves = std::make_shared<RdpCurves>();
    RdpOdometer shared(curves);
    RdpOdometer other(curves);
    RdpOdometer own;
    EXPECT_EQ(own.Epsilon(1e-5), 0.0);
    double previous = 0.0;
    for (int k = 0; k < 50; ++k)
    {
        const Release step = Step(0.02, 1.0 + 0.01 * k);
        other.Add(Step(0.02, 1.49 - 0.01 * k));
        shared.Add(step);
        own.Add(step);
        EXPECT_EQ(shared.Epsilon(1e-5), own.Epsilon(1e-5));
        EXPECT_GT(own.Epsilon(1e-5), previous);
        previous = own.Epsilon(1e-5);
    }
    EXPECT_NEAR(other.Epsilon(1e-5), previous, 1e-12);
}

TEST(RdpOdometer, FailsClosedForGood)
{
    RdpOdometer odometer;
    odometer.Add(Step(0.01, 1.0));
    EXPECT_TRUE(std::isfinite(odometer.Epsilon(1e-5)));
    odometer.Add(Step(0.01, 0.0));
    odometer.Add(Step(0.01, 1.0));
    EXPECT_TRUE(std::isinf(odometer.Epsilon(1e-5)));
    EXPECT_NE(odometer.Reason().find("without noise"), std::string::npos);
}

} // namespace dpdl
