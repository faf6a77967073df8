// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Release
Ordinary(double rate = 0.01, double multiplier = 1.0)
{
    const std::string sampler = rate == 1.0 ? "full" : "poisson";
    return {0, 0, "gaussian", sampler, rate, 0.5, 0.5 * multiplier};
}

std::vector<const Accountant*>
AllAccountants()
{
    std::vector<const Accountant*> all;
    for (const PartInfo& info : Accountants().List())
    {
        all.push_back(Accountants().Get(info.name).get());
        EXPECT_EQ(all.back()->Name(), info.name);
    }
    return all;
}

/// A release that every accountant of that name accepts.
Release
AcceptedBy(const std::string& accountant)
{
    Release fields = Ordinary(1.0);
    const bool pure =
        accountant == "basic" || accountant == "advanced" || accountant == "optimal-composition";
    fields.mechanism = pure ? "laplace" : "gaussian";
    return fields;
}

} // namespace

TEST(Accountants, FormerNamesAreReadWithAWarning)
{
    const Codec<std::string> codec = AccountantName(AnyText("a name"));
    for (const auto& [former, current] :
         {std::pair{"optimal", "optimal-composition"}, {"pure", "basic"}})
    {
        testing::internal::CaptureStderr();
        EXPECT_EQ(codec.parse("accountant", former), current);
        EXPECT_NE(testing::internal::GetCapturedStderr().find(current), std::string::npos);
        EXPECT_EQ(Accountants().Get(CurrentAccountant(former))->Name(), current);
        testing::internal::CaptureStderr();
        EXPECT_EQ(codec.parse("accountant", current), current);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    }
}

TEST(Accountant, EverySuspiciousReleaseGivesInfinity)
{
    const std::function<void(Release&)> spoil[] = {
        [](auto& f) { f.mechanism = "none"; },
        [](auto& f) { f.mechanism = "uniform"; },
        [](auto& f) { f.mechanism = ""; },
        [](auto& f) { f.sampler = "balls-in-bins"; },
        [](auto& f) { f.rate = 1.5; },
        [](auto& f) { f.rate = -0.1; },
        [](auto& f) { f.rate = NAN; },
        [](auto& f) { f.sampler = "full", f.rate = 0.5; },
        [](auto& f) { f.noise = 0.0; },
        [](auto& f) { f.noise = -1.0; },
        [](auto& f) { f.noise = NAN; },
        [](auto& f) { f.noise = INFINITY; },
        [](auto& f) { f.noise = 1e-310, f.sensitivity = 1e10; },
        [](auto& f) { f.sensitivity = INFINITY; },
        [](auto& f) { f.sensitivity = -1.0; },
        [](auto& f) { f.sensitivity = NAN; },
        [](auto& f) { f.flags = ReleaseFlag::NO_CLIP; },
        [](auto& f) { f.flags = ReleaseFlag::UNNOISED_RELEASE; },
        [](auto& f) { f.flags = ReleaseFlag::SEED_REUSE; },
        [](auto& f) { f.flags = ReleaseFlag::DATA_DEPENDENT_SCALE | ReleaseFlag::BATCH_CLIP; },
    };
    for (const Accountant* accountant : AllAccountants())
    {
        const Release good(AcceptedBy(accountant->Name()));
        EXPECT_TRUE(std::isfinite(accountant->Evaluate(ReleaseTally({good}), {1e-5}).epsilon));
        for (const auto& change : spoil)
        {
            Release fields = AcceptedBy(accountant->Name());
            change(fields);
            const Guarantee guarantee =
                accountant->Evaluate(ReleaseTally({good, fields, good}), {1e-5});
            EXPECT_TRUE(std::isinf(guarantee.epsilon) && guarantee.epsilon > 0.0);
            EXPECT_NE(guarantee.reason, "");
            EXPECT_EQ(guarantee.reason.find('\n'), std::string::npos);
        }
    }
}

TEST(Accountant, AnEmptyLedgerCostsNothing)
{
    for (const Accountant* accountant : AllAccountants())
    {
        const Guarantee guarantee = accountant->Evaluate(StepCounts(), {1e-5});
        EXPECT_EQ(guarantee.epsilon, 0.0);
        EXPECT_EQ(guarantee.delta, 1e-5);
        EXPECT_EQ(guarantee.accountant, accountant->Name());
        EXPECT_EQ(guarantee.adjacency, "add-remove");
        EXPECT_EQ(guarantee.reason, "");
        for (const double delta : {0.0, 1.0, -1e-5, double(NAN)})
        {
            EXPECT_THROW(accountant->Evaluate(StepCounts(), {delta}), UsageError);
        }
    }
}

TEST(Accountant, TheCentralLimitOfFixedBatchesIsClaimedOnly)
{
    const auto& clt = *Accountants().Get("clt");
    Release fields = Ordinary(0.02, 8.0);
    fields.sampler = "fixed";
    const std::vector<Release> run(3000, fields);
    for (const Adjacency adjacency : {Adjacency::ADD_REMOVE, Adjacency::REPLACE})
    {
        // Another example takes the place of the one that went: twice the clip bound.
        const Guarantee claimed = clt.Evaluate(run, {1e-5, adjacency});
        const std::vector<double> mu(run.size(), 0.25);
        const std::vector<double> rate(run.size(), 0.02);
        EXPECT_NEAR(claimed.epsilon / GdpEpsilon(CltFixedMu(mu, rate), 1e-5), 1.0, 1e-12);
        EXPECT_TRUE(claimed.warnings.empty());
        const double certified = Accountants().Get("pld")->Evaluate(run, {1e-5, adjacency}).epsilon;
        EXPECT_NEAR(claimed.epsilon / certified, 1.0, adjacency == Adjacency::REPLACE ? 0.05 : 0.3);
    }
    fields.noise = 0.25;
    const Guarantee refused = clt.Evaluate(ReleaseTally({fields}), {1e-5});
    ASSERT_EQ(refused.warnings.size(), 1u);
    EXPECT_NE(refused.warnings[0].find("refused as a guarantee"), std::string::npos);
    const Guarantee unknown = clt.Evaluate(ReleaseTally({Ordinary()}), {1e-5, Adjacency::REPLACE});
    EXPECT_TRUE(std::isinf(unknown.epsilon));
    EXPECT_NE(unknown.reason.find("replace"), std::string::npos);
}

} // namespace dpdl
