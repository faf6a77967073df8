// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dice.h"
#include "schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace dpdl
{

namespace
{

struct Kind
{
    double rate;
    double mu;
    std::uint64_t count;
};

Kind
RandomKind(Dice& dice)
{
    return {dice.Between(1e-3, 0.5),
            1.0 / dice.Between(0.5, 10.0),
            static_cast<std::uint64_t>(dice.Between(50.0, 5000.0))};
}

double
Epsilon(const std::string& accountant, const Kind& kind, double delta)
{
    return Schedule::Constant(kind.rate, kind.mu, kind.count).Epsilon(accountant, delta);
}

/// Releases of a kind, one by one.
void
Append(std::vector<Release>& releases, const Kind& kind, std::uint64_t count)
{
    const Release one{0, 0, "gaussian", "poisson", kind.rate, kind.mu, 1.0};
    releases.insert(releases.end(), count, one);
}

/// What an accountant may be off by, in epsilon.
double
SlackOf(const std::string& accountant)
{
    return accountant == "pld" ? 1e-3 : 1e-9;
}

/// The parameter is how many are drawn.
class RandomSchedules : public testing::TestWithParam<std::uint32_t>
{
};

} // namespace

TEST(AccountingLaws, MoreOfAnythingCostsMore)
{
    for (const auto& [accountant, trials] :
         {std::pair<const char*, std::uint32_t>{"rdp", 40}, {"pld", 4}})
    {
        for (std::uint32_t trial = 0; trial < trials; ++trial)
        {
            Dice dice(0, trial);
            const Kind kind = RandomKind(dice);
            const double delta = dice.Between(1e-10, 1e-4);
            const double base = Epsilon(accountant, kind, delta);
            const double least = base * (1.0 - SlackOf(accountant)) - 1e-12;
            const double factor = 1.0 + dice.Between(0.02, 0.5);
            SCOPED_TRACE(accountant);
            EXPECT_GE(Epsilon(accountant, {kind.rate * factor, kind.mu, kind.count}, delta), least);
            EXPECT_GE(Epsilon(accountant, {kind.rate, kind.mu * factor, kind.count}, delta), least);
            EXPECT_GE(Epsilon(accountant, kind, delta / factor), least);
            const auto more = static_cast<std::uint64_t>(kind.count * factor) + 1;
            EXPECT_GE(Epsilon(accountant, {kind.rate, kind.mu, more}, delta), least);
        }
    }
}

TEST(AccountingLaws, WithoutSamplingEverythingIsGaussian)
{
    for (std::uint32_t trial = 0; trial < 40; ++trial)
    {
        Dice dice(0, trial);
        const double mu = dice.Between(1e-3, 5.0);
        const auto count = static_cast<std::uint64_t>(dice.Between(1.0, 100.0));
        const double delta = dice.Between(1e-10, 1e-2);
        const auto schedule = Schedule::Constant(1.0, mu, count);
        const double exact = GdpEpsilon(mu * std::sqrt(static_cast<double>(count)), delta);
        EXPECT_NEAR(schedule.Epsilon("gdp", delta), exact, 1e-10 * exact);
        EXPECT_GE(schedule.Epsilon("pld", delta), exact * (1.0 - 1e-12));
        EXPECT_GE(schedule.Epsilon("rdp", delta), exact * (1.0 - 1e-12));
    }
}

TEST(AccountingLaws, SplittingAndReorderingChangeNothing)
{
    for (std::uint32_t trial = 0; trial < 3; ++trial)
    {
        Dice dice(0, trial);
        const Kind first = {dice.Between(0.01, 0.3), dice.Between(0.3, 1.0), 300};
        const Kind second = {dice.Between(0.01, 0.3), dice.Between(0.3, 1.0), 200};
        std::vector<Release> releases;
        Append(releases, first, 120);
        Append(releases, second, 200);
        Append(releases, first, 180);
        Schedule counted;
        counted.Add(first.rate, first.mu, first.count);
        counted.Add(second.rate, second.mu, second.count);
        // Steps that differ in the last digits only are composed one by one.
        Schedule scattered;
        for (int k = 0; k < 20; ++k)
        {
            scattered.Add(first.rate, first.mu * (1.0 + k * 1e-13), first.count / 20);
            scattered.Add(second.rate, second.mu * (1.0 + k * 1e-13), second.count / 20);
        }
        for (const char* accountant : {"rdp", "pld"})
        {
            const double once = counted.Epsilon(accountant, 1e-6);
            const double listed = Accountants().Get(accountant)->Evaluate(releases, {1e-6}).epsilon;
            std::reverse(releases.begin(), releases.end());
            const double reversed =
                Accountants().Get(accountant)->Evaluate(releases, {1e-6}).epsilon;
            EXPECT_NEAR(listed / once, 1.0, 1e-9) << accountant;
            EXPECT_EQ(listed, reversed) << accountant;
            const double apart = scattered.Epsilon(accountant, 1e-6);
            EXPECT_NEAR(apart / once, 1.0, std::max(1e-9, SlackOf(accountant))) << accountant;
        }
    }
}

TEST(AccountingLaws, ManyDifferentStepsAreReplacedByFewWithoutLoss)
{
    // To second order only the mean of mu^2 matters, and the kinds differ by 1e-6.
    Schedule many;
    Schedule moments;
    double square = 0.0;
    for (int k = 0; k < 60; ++k)
    {
        const double mu = 0.5 * (1.0 + 1e-6 * k);
        many.Add(0.05, mu, 10);
        square += mu * mu / 60.0;
    }
    moments.Add(0.05, std::sqrt(square), 600);
    EXPECT_NEAR(many.Epsilon("pld", 1e-6) / moments.Epsilon("pld", 1e-6), 1.0, SlackOf("pld"));
}

TEST(AccountingLaws, AlmostNothingCostsAlmostNothing)
{
    for (const char* accountant : {"rdp", "pld"})
    {
        EXPECT_EQ(Schedule().Epsilon(accountant, 1e-5), 0.0);
        double previous = INFINITY;
        for (const double mu : {0.5, 0.1, 0.02, 0.004})
        {
            const double epsilon = Schedule::Constant(0.1, mu, 100).Epsilon(accountant, 1e-5);
            EXPECT_LE(epsilon, previous) << accountant;
            previous = epsilon;
        }
        EXPECT_LT(previous, 0.02) << accountant;
    }
}

TEST_P(RandomSchedules, HaveNoExceptions)
{
    for (std::uint32_t trial = 0; trial < GetParam(); ++trial)
    {
        Dice dice(0, trial);
        const bool sampled = trial % 2 == 0;
        const double delta = dice.Between(1e-12, 1e-2);
        Schedule schedule;
        double square = 0.0;
        std::vector<double> mus;
        std::vector<double> rates;
        for (std::uint32_t k = 0; k < 1 + trial % 3; ++k)
        {
            const double rate = sampled ? dice.Between(1e-5, 1.0) : 1.0;
            const double mu = dice.Between(1e-4, 20.0);
            const auto count = static_cast<std::uint64_t>(dice.Between(1.0, 1e4));
            schedule.Add(rate, mu, count);
            square += mu * mu * static_cast<double>(count);
            mus.push_back(mu);
            rates.push_back(rate);
        }
        SCOPED_TRACE(trial);
        EXPECT_GE(CltMu(mus, rates), 0.0);
        EXPECT_GE(CltKappa(mus, rates), 0.0);
        const double gaussian = GdpEpsilon(std::sqrt(square), delta);
        EXPECT_TRUE(std::isfinite(gaussian) && gaussian >= 0.0);
        EXPECT_GE(schedule.Epsilon("clt", delta), 0.0);
        if (!sampled)
        {
            for (const char* accountant : {"gdp", "pld", "rdp"})
            {
                EXPECT_GE(schedule.Epsilon(accountant, delta), gaussian * (1.0 - 1e-12));
            }
        }
        else if (trial % 8 == 0)
        {
            EXPECT_GE(schedule.Epsilon("rdp", delta), 0.0);
        }
        if (sampled && trial % 200 == 0)
        {
            const Guarantee bound = schedule.Ask("pld", delta, Direction::BOTH);
            EXPECT_GE(bound.epsilon, bound.lower);
            EXPECT_LE(bound.epsilon, schedule.Epsilon("rdp", delta) * (1.0 + 1e-12));
            // Sampling helps.
            EXPECT_LE(bound.lower, gaussian * (1.0 + 1e-9));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(First, RandomSchedules, testing::Values(2000));
INSTANTIATE_TEST_SUITE_P(Others, RandomSchedules, testing::Values(10000));

} // namespace dpdl
