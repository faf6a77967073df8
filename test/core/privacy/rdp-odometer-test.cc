// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
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

TEST(RdpOdometer, AcceptsEveryNoiseAndSampler)
{
    for (const Adjacency adjacency : {Adjacency::ADD_REMOVE, Adjacency::REPLACE})
    {
        for (const char* mechanism : {"gaussian", "laplace", "discrete-gaussian"})
        {
            for (const char* sampler : {"poisson", "fixed", "shuffle", "full"})
            {
                Release::Fields fields = Step(1.0, 2.0).Get();
                fields.mechanism = mechanism;
                fields.sampler = sampler;
                fields.rate = fields.sampler == "full" ? 1.0 : 0.02;
                const std::vector<Release> run(60, Release(fields));
                RdpOdometer odometer(std::make_shared<RdpCurves>(adjacency));
                for (const Release& release : run)
                {
                    odometer.Add(release);
                }
                const double best =
                    Accountants().Get("rdp")->Evaluate(run, {1e-5, adjacency}).epsilon;
                const double shown = odometer.Epsilon(1e-5);
                SCOPED_TRACE(testing::Message() << mechanism << " " << sampler);
                EXPECT_EQ(std::isinf(best), std::isinf(shown));
                EXPECT_EQ(odometer.Reason().empty(), std::isfinite(shown));
                EXPECT_GE(shown, best * (1.0 - 1e-10));
                if (std::isfinite(best))
                {
                    EXPECT_LE(shown, best + std::max(0.02 * best, 2e-3));
                }
            }
        }
    }
}

TEST(RdpOdometer, OfAnEpochOnlyTheMostRevealingReleaseCounts)
{
    for (const char* mechanism : {"gaussian", "laplace"})
    {
        RdpOdometer odometer;
        std::vector<Release> run;
        double previous = 0.0;
        for (int k = 0; k < 40; ++k)
        {
            Release::Fields fields = Step(1.0, 6.0 - (k * 7 % 10) * 0.2).Get();
            fields.mechanism = mechanism;
            fields.sampler = "shuffle";
            fields.rate = 0.1;
            fields.epoch = static_cast<std::uint32_t>(k / 10);
            run.emplace_back(fields);
            odometer.Add(run.back());
            EXPECT_GE(odometer.Epsilon(1e-5), previous);
            previous = odometer.Epsilon(1e-5);
        }
        RdpOdometer four;
        for (int epoch = 0; epoch < 4; ++epoch)
        {
            Release::Fields fields = Step(1.0, 0.5 * (6.0 - 9 * 0.2)).Get();
            fields.mechanism = mechanism;
            four.Add(Release(fields));
        }
        EXPECT_NEAR(previous / four.Epsilon(1e-5), 1.0, 1e-12);
        const double best = Accountants().Get("rdp")->Evaluate(run, 1e-5).epsilon;
        EXPECT_GE(previous, best * (1.0 - 1e-10));
        EXPECT_LE(previous, 1.02 * best);
    }
}

} // namespace dpdl
