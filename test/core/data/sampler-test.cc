// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/sampler.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

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

TEST(PoissonSampler, IsAFunctionOfSeedNodeAndRound)
{
    const auto sampler = MakeSampler("poisson", 30, {9, 1});
    const auto local = Numbers(100);
    const auto later = Draw(*sampler, local, 2, 8);
    const auto earlier = Draw(*sampler, local, 2, 7);
    EXPECT_EQ(later, Draw(*MakeSampler("poisson", 30, {9, 1}), local, 2, 8));
    EXPECT_NE(later, earlier);
    EXPECT_NE(later, Draw(*sampler, local, 3, 8));
    EXPECT_NE(later, Draw(*MakeSampler("poisson", 30, {9, 2}), local, 2, 8));
}

TEST(PoissonSampler, MapsToTheNodesExamples)
{
    const auto sampler = MakeSampler("poisson", 30, {9, 1});
    std::vector<std::uint32_t> local = Numbers(100);
    const auto positions = Draw(*sampler, local, 0, 0);
    std::reverse(local.begin(), local.end());
    const auto batch = Draw(*sampler, local, 0, 0);
    ASSERT_EQ(batch.size(), positions.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
    {
        EXPECT_EQ(batch[i], 99 - positions[i]);
    }
}

TEST(PoissonSampler, TakesAllAtRateOneAndRefusesMore)
{
    const auto sampler = MakeSampler("poisson", 30, {9, 1});
    EXPECT_EQ(Draw(*sampler, Numbers(30), 0, 0), Numbers(30));
    EXPECT_THROW(sampler->Rate(29), UsageError);
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
    EXPECT_THROW(MakeSampler("shuffle", 64, {1, 1}), UsageError);
    EXPECT_THROW(MakeSampler("poisson", 0, {1, 1}), UsageError);
}

} // namespace
} // namespace dpdl
