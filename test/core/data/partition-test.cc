// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/data/partition.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

TEST(Partition, GivesDisjointSharesOfEqualSize)
{
    for (const std::string spec : {"even", "contiguous"})
    {
        for (const std::size_t nodes : {1U, 7U, 20U, 100U, 103U})
        {
            const Partition partition = MakePartition(spec, 103, nodes, {3, 1});
            std::set<std::uint32_t> seen;
            ASSERT_EQ(partition.size(), nodes);
            for (const auto& local : partition)
            {
                EXPECT_EQ(local.size(), 103 / nodes);
                seen.insert(local.begin(), local.end());
            }
            EXPECT_EQ(seen.size(), nodes * (103 / nodes));
            EXPECT_LT(*seen.rbegin(), 103U);
        }
    }
}

TEST(Partition, ContiguousFollowsTheFile)
{
    EXPECT_EQ(MakePartition("contiguous", 7, 3, {1, 1}), (Partition{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(Partition, EvenDependsOnTheSeedOnly)
{
    const Partition first = MakePartition("even", 1000, 10, {5, 2});
    EXPECT_EQ(first, MakePartition("even", 1000, 10, {5, 2}));
    EXPECT_NE(first, MakePartition("even", 1000, 10, {5, 3}));
    EXPECT_NE(first, MakePartition("even", 1000, 10, {6, 2}));
}

// The owner of an example is uniform: mean share number 4.5, over 2000 seeds.
TEST(Partition, EvenIsUniform)
{
    const int seeds = 2000;
    double sum = 0.0;
    for (std::uint32_t seed = 0; seed < seeds; ++seed)
    {
        const Partition partition = MakePartition("even", 50, 10, {seed, 1});
        for (std::size_t node = 0; node < 10; ++node)
        {
            for (const std::uint32_t example : partition[node])
            {
                sum += example == 17 ? static_cast<double>(node) : 0.0;
            }
        }
    }
    EXPECT_NEAR(sum / seeds, 4.5, 5.0 * std::sqrt(8.25 / seeds));
}

TEST(Partition, RefusesWhatCannotBe)
{
    EXPECT_THROW(MakePartition("even", 3, 4, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("even", 3, 0, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("even:2", 30, 4, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("evn", 30, 4, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("dirichlet:0.5", 30, 4, {1, 1}), UsageError);
}

} // namespace
} // namespace dpdl
