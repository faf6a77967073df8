// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/claim.h"
#include "dpdl/privacy/published-claim.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr double DELTA = 1e-5;

/// What a claim says of the releases that a published one plans.
double
TotalOf(const Claim& claim, const ClaimedRun& run, double rate)
{
    const std::unique_ptr<ClaimTotal> total = claim.Start();
    for (const StepGroup& group : run.steps)
    {
        for (std::uint64_t i = 0; i < group.steps; ++i)
        {
            total->Add(1.0 / group.noise, rate);
        }
    }
    return total->Epsilon(DELTA);
}

ClaimedRun
Published(const std::string& name, std::map<std::string, double> parameters = {})
{
    ClaimSettings settings;
    settings.mode = Mode::PAPER;
    settings.rounds = 300;
    settings.localSamples = 2500;
    settings.epsilon = 2.0;
    settings.question.delta = DELTA;
    settings.parameters = std::move(parameters);
    return PublishedClaims().Get(name)->Run(settings, *Accountants().Get("rdp"));
}

TEST(Claim, AgreesWithWhatIsPublishedOfPlannedRuns)
{
    const double rate = 1.0 / 2500.0;
    for (const std::string name : {"const-d2p", "dyn-c-d2p", "dyn-mu-d2p", "dyn-d2p"})
    {
        const ClaimedRun run = Published(name);
        EXPECT_NEAR(TotalOf(*MakeCltClaim(), run, rate) / *run.claimed, 1.0, 1e-9) << name;
    }
    for (const std::string name : {"const-ada", "clip-d2p", "ada-d2p"})
    {
        for (const double c2 : {2.0, 1.3})
        {
            const ClaimedRun run = Published(name, {{"c2", c2}, {"noise", 0.7}});
            const auto claim = MakeMomentsClaim(c2, PaperRate::ONE_EXAMPLE);
            EXPECT_NEAR(TotalOf(*claim, run, rate) / *run.claimed, 1.0, 1e-12) << name;
        }
    }
    for (const std::string name : {"dpps", "partpsp-1", "partpsp-2", "sgpdp"})
    {
        const ClaimedRun run = Published(name);
        EXPECT_NEAR(TotalOf(*MakePureSumClaim(), run, 1.0) / *run.claimed, 1.0, 1e-12) << name;
    }
    // The published sum takes alpha from t = 0, the noise really used from t = 1 on.
    const ClaimedRun shifted = Published("adp-vrsgp");
    const auto claim = MakeMomentsClaim(2.0, PaperRate::BATCH);
    const double own = TotalOf(*claim, shifted, 64.0 / 2500.0);
    EXPECT_LT(own, *shifted.claimed);
    EXPECT_NEAR(own / *shifted.claimed, 1.0, 2e-3);
}

TEST(Claim, ScaleIsWhereTheClaimMeetsTheBudget)
{
    const ScheduleShape steps = ScheduleShape::Growing(0.01, 50, 3.0);
    for (const auto& claim :
         {MakeCltClaim(), MakeMomentsClaim(1.7, PaperRate::BATCH), MakePureSumClaim()})
    {
        for (const double epsilon : {0.3, 4.0})
        {
            const double scale = *claim->Scale(steps, epsilon, DELTA);
            const auto total = claim->Start();
            EXPECT_EQ(total->Epsilon(DELTA), 0.0);
            double spent = total->Spent();
            for (const double mu : steps.mu)
            {
                total->Add(scale * mu, 0.01);
                EXPECT_GT(total->Spent(), spent);
                spent = total->Spent();
            }
            // A scale from special functions has 24 bits, rounded down.
            EXPECT_LE(total->Epsilon(DELTA), epsilon * (1.0 + 1e-12));
            EXPECT_GE(total->Epsilon(DELTA), epsilon * (1.0 - 1e-6));
        }
        EXPECT_EQ(claim->Reason(), "");
        EXPECT_THROW(claim->Scale(steps, -1.0, DELTA), UsageError);
    }
}

TEST(Claim, WithoutAFormulaNothingFiniteIsClaimed)
{
    const auto claim = MakeNoClaim("its paper states no formula");
    EXPECT_EQ(claim->Reason(), "its paper states no formula");
    EXPECT_FALSE(claim->Scale(ScheduleShape::Constant(0.1, 5), 1.0, DELTA).has_value());
    EXPECT_TRUE(std::isinf(claim->Start()->Epsilon(DELTA)));
    EXPECT_EQ(claim->Kappa(ScheduleShape::Constant(0.1, 5)), 0.0);
}

} // namespace
} // namespace dpdl
