// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/privacy/budgeted-schedule.h"
#include "dpdl/privacy/gdp.h"
#include "dpdl/privacy/privacy-filter.h"
#include "dpdl/privacy/rdp.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

constexpr double FILTER_DELTA = 1e-5;

Release
RoundStep(Round round, double rate, double mu, ReleaseFlag flags = ReleaseFlag::NONE)
{
    return {0, round, "gaussian", rate < 1.0 ? "poisson" : "full", rate, mu, 1.0, flags};
}

/// Sixty rounds whose noise falls.
std::vector<Release>
FallingNoise()
{
    std::vector<Release> releases;
    for (Round k = 0; k < 60; ++k)
    {
        releases.push_back(RoundStep(k, 0.05, 0.5 + 0.01 * k));
    }
    return releases;
}

std::shared_ptr<AccountantCache>
RdpGuarantees()
{
    return std::make_shared<AccountantCache>(Accountants().Get("rdp"),
                                             AccountingQuery{FILTER_DELTA, {}, {}});
}

/// Asks for every release of a list; returns how many were admitted before the first refusal.
std::size_t
AdmitAll(PrivacyFilter& filter, const std::vector<Release>& releases)
{
    std::size_t admitted = 0;
    for (const Release& release : releases)
    {
        admitted += filter.Admit(release) ? 1 : 0;
    }
    return admitted;
}

/// Epsilon of the first @p count releases.
double
Prefix(std::vector<Release> releases, std::size_t count)
{
    releases.erase(releases.begin() + static_cast<std::ptrdiff_t>(count), releases.end());
    return Accountants().Get("rdp")->Evaluate(releases, {FILTER_DELTA}).epsilon;
}

} // namespace

TEST(PrivacyFilter, AScheduleIsCutWhereOneMoreReleaseWouldExceedTheBudget)
{
    const std::vector<Release> schedule = FallingNoise();
    for (const double budget : {0.35, 0.5, 0.9, 1.5})
    {
        const auto shared = std::make_shared<BudgetedSchedule>(schedule, RdpGuarantees(), budget);
        const auto filter = MakeScheduleFilter(shared);
        const std::size_t admitted = AdmitAll(*filter, schedule);
        ASSERT_GT(admitted, 0u) << budget;
        ASSERT_LT(admitted, schedule.size()) << budget;
        EXPECT_LE(Prefix(schedule, admitted), budget);
        EXPECT_GT(Prefix(schedule, admitted + 1), budget);
        EXPECT_FALSE(filter->Admit(schedule.back())) << "after a refusal";
        EXPECT_EQ(filter->Certified().epsilon, Prefix(schedule, admitted));
        EXPECT_EQ(filter->Certified().accountant, "rdp");
    }
    const auto enough = std::make_shared<BudgetedSchedule>(schedule, RdpGuarantees(), 100.0);
    EXPECT_EQ(AdmitAll(*MakeScheduleFilter(enough), schedule), schedule.size());
}

TEST(PrivacyFilter, NodesThatDoTheSameShareTheSearch)
{
    const auto guarantees = RdpGuarantees();
    const auto shared = std::make_shared<BudgetedSchedule>(FallingNoise(), guarantees, 0.5);
    const std::size_t admitted = AdmitAll(*MakeScheduleFilter(shared), FallingNoise());
    const std::size_t asked = guarantees->Size();
    EXPECT_LT(asked, 12u);
    for (int node = 1; node < 50; ++node)
    {
        EXPECT_EQ(AdmitAll(*MakeScheduleFilter(shared), FallingNoise()), admitted);
    }
    EXPECT_EQ(guarantees->Size(), asked);
}

TEST(PrivacyFilter, WhoSkippedReleasesMayGoOnLonger)
{
    const std::vector<Release> schedule = FallingNoise();
    const auto shared = std::make_shared<BudgetedSchedule>(schedule, RdpGuarantees(), 0.5);
    const std::size_t whole = AdmitAll(*MakeScheduleFilter(shared), schedule);
    std::vector<Release> part(schedule.begin(), schedule.begin() + 3);
    part.insert(part.end(), schedule.begin() + 9, schedule.end());
    const auto filter = MakeScheduleFilter(shared);
    const std::size_t admitted = AdmitAll(*filter, part);
    EXPECT_LE(admitted, whole);
    EXPECT_GT(admitted + 6, whole);
    EXPECT_LE(Prefix(part, admitted), 0.5);
    EXPECT_GT(Prefix(part, admitted + 1), 0.5);
    EXPECT_EQ(filter->Certified().epsilon, Prefix(part, admitted));
}

TEST(PrivacyFilter, ARoundOfSeveralReleasesIsAdmittedAsAWhole)
{
    std::vector<Release> schedule;
    for (const Release& release : FallingNoise())
    {
        Release fields = release;
        for (const std::uint32_t stream : {0u, 1u, 2u})
        {
            fields.stream = stream;
            schedule.emplace_back(fields);
        }
    }
    const auto shared = std::make_shared<BudgetedSchedule>(schedule, RdpGuarantees(), 0.8, 3);
    const auto filter = MakeScheduleFilter(shared);
    const std::size_t admitted = AdmitAll(*filter, schedule);
    ASSERT_GT(admitted, 3u);
    ASSERT_LT(admitted, schedule.size());
    EXPECT_EQ(admitted % 3, 0u);
    EXPECT_LE(Prefix(schedule, admitted), 0.8);
    EXPECT_GT(Prefix(schedule, admitted + 3), 0.8);
    EXPECT_EQ(filter->Certified().epsilon, Prefix(schedule, admitted));
}

TEST(PrivacyFilter, OnlyTheScheduledReleasePasses)
{
    const auto shared = std::make_shared<BudgetedSchedule>(FallingNoise(), RdpGuarantees(), 100.0);
    const auto stronger = MakeScheduleFilter(shared);
    EXPECT_FALSE(stronger->Admit(RoundStep(0, 0.05, 0.51)));
    EXPECT_FALSE(stronger->Admit(FallingNoise()[0])); // refused once is refused permanently
    const auto again = MakeScheduleFilter(shared);
    EXPECT_TRUE(again->Admit(FallingNoise()[0]));
    EXPECT_FALSE(again->Admit(FallingNoise()[0]));
    const auto flagged = MakeScheduleFilter(shared);
    EXPECT_FALSE(flagged->Admit(FallingNoise()[0].WithFlags(ReleaseFlag::DATA_DEPENDENT_SCALE)));
}

TEST(PrivacyFilter, TheRenyiFilterHoldsWhateverIsChosenNext)
{
    for (const double budget : {0.5, 1.0, 5.0})
    {
        const auto filter =
            MakeRenyiFilter(budget, AccountingQuery{FILTER_DELTA, {}, {}}, RoundStep(0, 0.1, 0.4));
        EXPECT_EQ(filter->Certified().epsilon, 0.0);
        RdpComposition spent;
        Round round = 0;
        // The next step looks back at the last ones: a schedule that was not known beforehand.
        double mu = 0.1;
        while (filter->Admit(RoundStep(round, 0.1, mu, ReleaseFlag::ADAPTIVE_SCHEDULE)))
        {
            spent.Add(0.1, mu);
            mu = mu > 0.3 ? 0.1 : 2.0 * mu;
            ASSERT_LT(++round, 100000u);
        }
        EXPECT_GT(round, 3u);
        EXPECT_LE(spent.Optimise(FILTER_DELTA).epsilon, budget);
        EXPECT_GT(spent.Optimise(FILTER_DELTA).epsilon, 0.3 * budget);
        EXPECT_EQ(filter->Certified().epsilon, budget);
        EXPECT_FALSE(filter->Admit(RoundStep(round, 0.1, 1e-9)));
    }
}

TEST(PrivacyFilter, TheGaussianFilterSpendsTheExactBudget)
{
    for (const double budget : {0.1, 1.0, 5.0})
    {
        const double mu = GdpMu(budget, FILTER_DELTA) / 10.0;
        const auto filter = MakeGaussianFilter(budget, AccountingQuery{FILTER_DELTA, {}, {}});
        std::vector<Release> releases;
        for (Round k = 0; k < 200; ++k)
        {
            releases.push_back(
                RoundStep(k, 1.0, mu * (1.0 - 1e-12), ReleaseFlag::ADAPTIVE_SCHEDULE));
        }
        EXPECT_EQ(AdmitAll(*filter, releases), 100u);
        const auto replace =
            MakeGaussianFilter(budget,
                               AccountingQuery{FILTER_DELTA, Adjacency::REPLACE, Direction::BOTH});
        EXPECT_EQ(AdmitAll(*replace, releases), 25u);
        EXPECT_EQ(replace->Certified().adjacency, "replace");
        EXPECT_FALSE(MakeGaussianFilter(budget, AccountingQuery{FILTER_DELTA, {}, {}})
                         ->Admit(RoundStep(0, 0.5, mu)));
    }
}

TEST(PrivacyFilter, WhatAFilterCannotAccountForIsRefused)
{
    for (const ReleaseFlag flag : {ReleaseFlag::DATA_DEPENDENT_SCALE,
                                   ReleaseFlag::UNNOISED_RELEASE,
                                   ReleaseFlag::SEED_REUSE,
                                   ReleaseFlag::NO_CLIP})
    {
        const Release release = RoundStep(0, 1.0, 1e-3, flag);
        EXPECT_FALSE(
            MakeRenyiFilter(1.0, AccountingQuery{FILTER_DELTA, {}, {}}, release)->Admit(release));
        EXPECT_FALSE(
            MakeGaussianFilter(1.0, AccountingQuery{FILTER_DELTA, {}, {}})->Admit(release));
    }
    Release fields = RoundStep(0, 0.5, 1e-3);
    fields.sampler = "fixed";
    const Release fixed(fields);
    EXPECT_FALSE(MakeRenyiFilter(1.0, AccountingQuery{FILTER_DELTA, {}, {}}, fixed)->Admit(fixed));
    fields.mechanism = "laplace";
    const Release laplace(fields);
    EXPECT_FALSE(
        MakeRenyiFilter(1.0, AccountingQuery{FILTER_DELTA, {}, {}}, laplace)->Admit(laplace));
    EXPECT_THROW(MakeRenyiFilter(0.0, AccountingQuery{FILTER_DELTA, {}, {}}, fixed), UsageError);
    EXPECT_THROW(MakeGaussianFilter(1.0, AccountingQuery{1.0, {}, {}}), UsageError);
}

TEST(PrivacyFilter, AnAdaptiveScheduleIsWorthNothingWithoutOne)
{
    const std::vector<Release> releases{RoundStep(0, 1.0, 0.1, ReleaseFlag::ADAPTIVE_SCHEDULE)};
    const Guarantee guarantee = Accountants().Get("rdp")->Evaluate(releases, {FILTER_DELTA});
    EXPECT_TRUE(std::isinf(guarantee.epsilon));
    EXPECT_NE(guarantee.reason.find("filter"), std::string::npos);
}

} // namespace dpdl
