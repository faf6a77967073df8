// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../base/statistics.h"
#include "dpdl/data/sampler.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

namespace dpdl
{
namespace
{

std::vector<std::uint32_t>
Numbers(std::uint32_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

std::vector<std::uint32_t>
Draw(const Sampler& sampler, const std::vector<std::uint32_t>& local, NodeId node, Round round)
{
    std::vector<std::uint32_t> batch;
    sampler.Draw(local, node, round, batch);
    return batch;
}

/// How often each set was seen.
std::vector<double>
SeenOf(const std::map<std::vector<std::uint32_t>, double>& sets)
{
    std::vector<double> counts;
    counts.reserve(sets.size());
    for (const auto& [set, seen] : sets)
    {
        counts.push_back(seen);
    }
    return counts;
}

// Every example and every pair of neighbours comes with the right frequency.
TEST(PoissonSampler, DrawsIndependentlyAtTheRate)
{
    const std::uint32_t count = 50;
    const Round rounds = 20000;
    for (const std::size_t batchSize : {1U, 10U, 45U})
    {
        const auto sampler = MakeSampler("poisson", batchSize, {9, 1});
        const double rate = sampler->Rate(count);
        EXPECT_DOUBLE_EQ(rate, static_cast<double>(batchSize) / count);
        EXPECT_DOUBLE_EQ(sampler->ExpectedSize(count), static_cast<double>(batchSize));
        std::vector<double> single(count);
        std::vector<double> pair(count);
        for (Round round = 0; round < rounds; ++round)
        {
            const auto batch = Draw(*sampler, Numbers(count), 3, round);
            ASSERT_TRUE(std::is_sorted(batch.begin(), batch.end()));
            for (std::size_t i = 0; i < batch.size(); ++i)
            {
                single[batch[i]] += 1.0 / rounds;
                pair[batch[i]] += i > 0 && batch[i - 1] + 1 == batch[i] ? 1.0 / rounds : 0.0;
            }
        }
        for (std::uint32_t i = 0; i < count; ++i)
        {
            const double both = i > 0 ? rate * rate : 0.0;
            EXPECT_NEAR(single[i], rate, 5.0 * std::sqrt(rate * (1 - rate) / rounds));
            EXPECT_NEAR(pair[i], both, 5.0 * std::sqrt(both * (1 - both) / rounds) + 1e-12);
        }
    }
}

TEST(PoissonSampler, ADeclaredNumberOfExamplesHidesTheTrueOne)
{
    const auto sampler = MakeSampler("poisson", 10, {3, 1}, 100);
    for (const std::size_t own : {1U, 99U, 100U})
    {
        EXPECT_EQ(sampler->Rate(own), 0.1);
        EXPECT_EQ(sampler->ExpectedSize(own), 10.0);
    }
    // An example is drawn or not, whatever other examples its node owns behind it.
    for (Round round = 0; round < 50; ++round)
    {
        std::vector<std::uint32_t> all = Draw(*sampler, Numbers(100), 0, round);
        all.erase(std::remove(all.begin(), all.end(), 99U), all.end());
        EXPECT_EQ(all, Draw(*sampler, Numbers(99), 0, round));
    }
    EXPECT_THROW(MakeSampler("fixed", 10, {}, 100), UsageError);
}

TEST(CyclicSampler, DrawsFromOnePartAfterAnother)
{
    constexpr std::size_t PARTS = 4;
    const auto local = Numbers(200);
    const auto sampler = MakeCyclicSampler(PARTS, 25, {3, 4});
    EXPECT_EQ(sampler->Rate(200), 0.5);
    EXPECT_EQ(sampler->ExpectedSize(200), 25.0);
    std::map<std::uint32_t, Round> partOf;
    double drawn = 0.0;
    constexpr Round ROUNDS = 800;
    for (Round round = 0; round < ROUNDS; ++round)
    {
        for (const std::uint32_t example : Draw(*sampler, local, 1, round))
        {
            EXPECT_EQ(partOf.try_emplace(example, round % PARTS).first->second, round % PARTS);
            ++drawn;
        }
    }
    EXPECT_EQ(partOf.size(), local.size());
    // Each example has 200 chances of one half.
    EXPECT_NEAR(drawn, 200.0 * 100.0, 5.0 * std::sqrt(200.0 * 200.0 * 0.25));
    // The part of an example does not depend on the others.
    const std::vector<std::uint32_t> fewer(local.begin() + 7, local.begin() + 107);
    for (Round round = 0; round < 40; ++round)
    {
        for (const std::uint32_t example :
             Draw(*MakeCyclicSampler(PARTS, 20, {3, 4}), fewer, 2, round))
        {
            EXPECT_EQ(partOf.at(example), round % PARTS);
        }
    }
    EXPECT_THROW(MakeCyclicSampler(PARTS, 51, {3, 4})->Rate(200), UsageError);
}

TEST(FixedSampler, EverySetIsEquallyLikely)
{
    const std::uint32_t count = 6;
    const Round rounds = 40000;
    for (const std::size_t batchSize : {1U, 2U, 3U, 5U})
    {
        const auto sampler = MakeSampler("fixed", batchSize, {9, 1});
        std::map<std::vector<std::uint32_t>, double> sets;
        for (Round round = 0; round < rounds; ++round)
        {
            const auto batch = Draw(*sampler, Numbers(count), 3, round);
            ASSERT_EQ(batch.size(), batchSize);
            ASSERT_EQ(std::adjacent_find(batch.begin(), batch.end(), std::greater_equal<>()),
                      batch.end());
            sets[batch] += 1.0;
        }
        const std::map<std::size_t, std::size_t> binomials{{1, 6}, {2, 15}, {3, 20}, {5, 6}};
        ASSERT_EQ(sets.size(), binomials.at(batchSize));
        const std::vector<double> counts = SeenOf(sets);
        const std::vector<double> equal(sets.size(), 1.0 / static_cast<double>(sets.size()));
        const ChiSquare fit = FitOf(counts, equal, rounds);
        EXPECT_LT(fit.value, fit.Limit()) << batchSize;
    }
}

TEST(ShuffleSampler, AnEpochTakesEveryExampleAtMostOnce)
{
    for (const auto& [count, batchSize] : {std::pair{100U, 30U}, {100U, 25U}, {7U, 7U}, {5U, 1U}})
    {
        const auto sampler = MakeSampler("shuffle", batchSize, {9, 1});
        const Round perEpoch = count / batchSize;
        for (std::uint32_t epoch = 0; epoch < 20; ++epoch)
        {
            std::set<std::uint32_t> seen;
            for (Round round = epoch * perEpoch; round < (epoch + 1) * perEpoch; ++round)
            {
                EXPECT_EQ(sampler->Epoch(round, count), epoch);
                const auto batch = Draw(*sampler, Numbers(count), 2, round);
                ASSERT_EQ(batch.size(), batchSize);
                ASSERT_TRUE(std::is_sorted(batch.begin(), batch.end()));
                seen.insert(batch.begin(), batch.end());
            }
            EXPECT_EQ(seen.size(), std::size_t{perEpoch} * batchSize) << "epoch " << epoch;
        }
    }
}

// With J = 7 and B = 3, an example lands in the first batch, the second or none.
TEST(ShuffleSampler, EveryPlaceOfThePermutationIsEquallyLikely)
{
    const std::uint32_t epochs = 20000;
    const auto sampler = MakeSampler("shuffle", 3, {9, 1});
    EXPECT_DOUBLE_EQ(sampler->Rate(7), 3.0 / 7.0);
    std::vector<double> places(7 * 3);
    std::map<std::vector<std::uint32_t>, double> firsts;
    for (std::uint32_t epoch = 0; epoch < epochs; ++epoch)
    {
        std::vector<std::size_t> place(7, 2);
        for (const Round batch : {0U, 1U})
        {
            const auto drawn = Draw(*sampler, Numbers(7), 1, 2 * epoch + batch);
            for (const std::uint32_t example : drawn)
            {
                place[example] = batch;
            }
            firsts[drawn] += batch == 0 ? 1.0 : 0.0;
        }
        for (std::size_t example = 0; example < 7; ++example)
        {
            places[3 * example + place[example]] += 1.0;
        }
    }
    for (std::size_t example = 0; example < 7; ++example)
    {
        for (const auto& [place, rate] : {std::pair{0, 3.0 / 7}, {1, 3.0 / 7}, {2, 1.0 / 7}})
        {
            EXPECT_NEAR(places[3 * example + place],
                        rate * epochs,
                        5.0 * std::sqrt(rate * (1 - rate) * epochs));
        }
    }
    ASSERT_EQ(firsts.size(), 35U);
    const std::vector<double> counts = SeenOf(firsts);
    const ChiSquare fit = FitOf(counts, std::vector<double>(35, 1.0 / 35.0), epochs);
    EXPECT_LT(fit.value, fit.Limit());
}

TEST(Sampler, BatchesAreAFunctionOfSeedNodeAndRound)
{
    for (const char* name : {"poisson", "fixed", "shuffle"})
    {
        const auto sampler = MakeSampler(name, 30, {9, 1});
        std::vector<std::uint32_t> local = Numbers(100);
        const auto later = Draw(*sampler, local, 2, 8);
        EXPECT_NE(later, Draw(*sampler, local, 2, 7)) << name;
        EXPECT_NE(later, Draw(*sampler, local, 3, 8)) << name;
        EXPECT_EQ(later, Draw(*MakeSampler(name, 30, {9, 1}), local, 2, 8)) << name;
        EXPECT_NE(later, Draw(*MakeSampler(name, 30, {9, 2}), local, 2, 8)) << name;
        std::reverse(local.begin(), local.end());
        const auto mapped = Draw(*sampler, local, 2, 8);
        ASSERT_EQ(mapped.size(), later.size()) << name;
        for (std::size_t i = 0; i < mapped.size(); ++i)
        {
            EXPECT_EQ(mapped[i], 99 - later[i]) << name;
        }
        EXPECT_EQ(Draw(*sampler, Numbers(30), 0, 5), Numbers(30)) << name;
        EXPECT_EQ(Draw(*MakeSampler(name, 1, {9, 1}), {17}, 0, 5), std::vector<std::uint32_t>{17});
        EXPECT_THROW(sampler->Rate(29), UsageError) << name;
        EXPECT_THROW(Draw(*sampler, Numbers(29), 0, 0), UsageError) << name;
    }
}

TEST(Sampler, AccountantsKnowEverySampler)
{
    for (const std::string& name : Samplers().Names())
    {
        const auto sampler = MakeSampler(name, 8, {9, 1});
        EXPECT_EQ(sampler->AccountingName(), name);
        EXPECT_EQ(sampler->Epoch(9, 20).value_or(0), name == "shuffle" ? 4U : 0U) << name;
    }
}

TEST(FullSampler, TakesAll)
{
    const auto sampler = MakeSampler("full", 64, {9, 1});
    EXPECT_EQ(Draw(*sampler, Numbers(30), 4, 5), Numbers(30));
    EXPECT_EQ(sampler->Rate(30), 1.0);
    EXPECT_EQ(sampler->ExpectedSize(30), 30.0);
}

TEST(Sampler, NamesAndSizesAreChecked)
{
    EXPECT_THROW(MakeSampler("poison", 64, {1, 1}), UsageError);
    EXPECT_THROW(MakeSampler("poisson", 0, {1, 1}), UsageError);
}

} // namespace
} // namespace dpdl
