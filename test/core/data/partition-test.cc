// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "dpdl/data/partition.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

using Labels = std::vector<double>;

/// Labels 0 to 9 in a fixed disorder, each equally often where ten divides the number.
Labels
TenClasses(std::size_t examples)
{
    Labels labels(examples);
    for (std::size_t i = 0; i < examples; ++i)
    {
        labels[i] = static_cast<double>(i * 7 % 10);
    }
    return labels;
}

/// How many different labels each node holds.
std::vector<std::size_t>
ClassesByNode(const Partition& partition, const Labels& labels)
{
    std::vector<std::size_t> numbers;
    for (const std::vector<std::uint32_t>& local : partition)
    {
        std::set<std::uint8_t> seen;
        for (const std::uint32_t example : local)
        {
            seen.insert(labels[example]);
        }
        numbers.push_back(seen.size());
    }
    return numbers;
}

TEST(Partition, GivesDisjointSharesOfEqualSize)
{
    for (const std::string spec : {"even", "contiguous", "by-class:1"})
    {
        for (const std::size_t nodes : {1U, 7U, 20U, 100U, 103U})
        {
            const Partition partition = MakePartition(spec, TenClasses(103), nodes, {3, 1});
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
    EXPECT_EQ(MakePartition("contiguous", Labels(7), 3, {1, 1}),
              (Partition{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(Partition, ByClassGivesWholeShardsOfSortedLabels)
{
    const Labels labels = TenClasses(4000);
    for (const std::size_t shards : {1U, 2U, 4U})
    {
        const std::string spec = "by-class:" + std::to_string(shards);
        const Partition partition = MakePartition(spec, labels, 20, {3, 1});
        std::set<std::uint32_t> owned;
        for (const std::vector<std::uint32_t>& local : partition)
        {
            EXPECT_EQ(local.size(), 200U);
            owned.insert(local.begin(), local.end());
        }
        EXPECT_EQ(owned.size(), 4000U);
        // Twenty nodes and ten classes: no shard crosses from one label to the next.
        for (const std::size_t classes : ClassesByNode(partition, labels))
        {
            EXPECT_LE(classes, shards);
        }
    }
}

TEST(Partition, ByClassLeavesTheRestOutBetweenTheShards)
{
    const Labels labels = TenClasses(1007);
    const Partition partition = MakePartition("by-class:2", labels, 10, {3, 1});
    std::vector<int> owned(10, 0);
    for (const std::vector<std::uint32_t>& local : partition)
    {
        EXPECT_EQ(local.size(), 100U);
        for (const std::uint32_t example : local)
        {
            ++owned[labels[example]];
        }
    }
    const auto [least, most] = std::minmax_element(owned.begin(), owned.end());
    EXPECT_LE(*most - *least, 2);
}

// With a shard an example the order of the labels is gone: the owner of an example is uniform, as
// in an even partition. Mean 4.5, over 2000 seeds.
TEST(Partition, OwnersAreUniform)
{
    const int seeds = 2000;
    for (const std::string spec : {"even", "by-class:5"})
    {
        double sum = 0.0;
        for (std::uint32_t seed = 0; seed < seeds; ++seed)
        {
            const Partition partition = MakePartition(spec, TenClasses(50), 10, {seed, 1});
            for (std::size_t node = 0; node < 10; ++node)
            {
                const auto& local = partition[node];
                sum += static_cast<double>(node) *
                       static_cast<double>(std::count(local.begin(), local.end(), 17U));
            }
        }
        EXPECT_NEAR(sum / seeds, 4.5, 5.0 * std::sqrt(8.25 / seeds)) << spec;
    }
}

/// Number of examples of each label at each node.
std::vector<std::vector<double>>
CountsByNode(const Partition& partition, const Labels& labels)
{
    std::vector<std::vector<double>> counts(partition.size(), std::vector<double>(10));
    for (std::size_t node = 0; node < partition.size(); ++node)
    {
        for (const std::uint32_t example : partition[node])
        {
            counts[node][labels[example]] += 1.0;
        }
    }
    return counts;
}

TEST(Partition, DirichletGivesEveryExampleToOneNode)
{
    const Labels labels = TenClasses(1003);
    for (const std::string a : {"0.001", "0.1", "1", "100", "1e6"})
    {
        for (const std::size_t nodes : {1U, 2U, 7U, 40U})
        {
            const Partition partition = MakePartition("dirichlet:" + a, labels, nodes, {3, 1});
            ASSERT_EQ(partition.size(), nodes);
            std::vector<int> owners(labels.size(), 0);
            for (const std::vector<std::uint32_t>& local : partition)
            {
                for (const std::uint32_t example : local)
                {
                    ++owners[example];
                }
            }
            EXPECT_EQ(owners, std::vector<int>(labels.size(), 1)) << a << " " << nodes;
        }
    }
}

TEST(Partition, DirichletIsNearlyEvenForLargeAAndOneSidedForSmallA)
{
    const Labels labels = TenClasses(10000);
    for (const auto& counts :
         CountsByNode(MakePartition("dirichlet:1e6", labels, 5, {3, 1}), labels))
    {
        for (const double count : counts)
        {
            EXPECT_NEAR(count, 200.0, 3.0); // deviation of a proportion: 4e-4
        }
    }
    // Nearly all of a class goes to one node: hardly a class is shared.
    std::size_t owned = 0;
    for (const std::size_t classes :
         ClassesByNode(MakePartition("dirichlet:0.001", labels, 5, {3, 1}), labels))
    {
        owned += classes;
    }
    EXPECT_GE(owned, 10U);
    EXPECT_LE(owned, 12U);
}

// A proportion has mean 1/n and variance (n - 1) / (n^2 (n A + 1)), and the classes are
// independent: over 300 seeds, ten classes and four nodes. The fourth central moment of these
// proportions is below four times the square of the second, which bounds the error of the variance.
TEST(Partition, DirichletHasTheMomentsOfItsLaw)
{
    const Labels labels = TenClasses(10000);
    constexpr double NODES = 4.0;
    constexpr int SEEDS = 300;
    for (const double a : {0.1, 1.0, 10.0})
    {
        double first = 0.0;
        double squares = 0.0;
        double products = 0.0;
        for (std::uint32_t seed = 1; seed <= SEEDS; ++seed)
        {
            const auto counts =
                CountsByNode(MakePartition("dirichlet:" + std::to_string(a), labels, 4, {seed, 1}),
                             labels);
            for (std::size_t c = 0; c < 10; ++c)
            {
                const double share = counts[1][c] / 1000.0 - 1.0 / NODES;
                first += share;
                squares += share * share;
                products += share * (counts[1][(c + 1) % 10] / 1000.0 - 1.0 / NODES);
            }
        }
        const double n = 10.0 * SEEDS;
        const double variance = (NODES - 1.0) / (NODES * NODES * (NODES * a + 1.0));
        EXPECT_NEAR(first / n, 0.0, 5.0 * std::sqrt(variance / n)) << a;
        EXPECT_NEAR(squares / n, variance, 5.0 * variance * std::sqrt(3.0 / n)) << a;
        EXPECT_NEAR(products / n, 0.0, 5.0 * variance / std::sqrt(n)) << a;
    }
}

TEST(Partition, DependsOnTheSeedOnly)
{
    const Labels labels = TenClasses(1000);
    for (const std::string spec : {"even", "by-class:2", "dirichlet:0.5"})
    {
        const Partition first = MakePartition(spec, labels, 10, {5, 2});
        EXPECT_EQ(first, MakePartition(spec, labels, 10, {5, 2})) << spec;
        EXPECT_NE(first, MakePartition(spec, labels, 10, {5, 3})) << spec;
        EXPECT_NE(first, MakePartition(spec, labels, 10, {6, 2})) << spec;
    }
}

TEST(Partition, RefusesWhatCannotBe)
{
    const Labels three(3);
    const Labels thirty(30);
    EXPECT_THROW(MakePartition("even", three, 4, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("even", three, 0, {1, 1}), UsageError);
    EXPECT_THROW(MakePartition("by-class:1", three, 4, {1, 1}), UsageError);
    for (const std::string& spec :
         Pieces("even:2 evn dirichlet dirichlet: dirichlet:0 dirichlet:-1 dirichlet:1e7 "
                "dirichlet:inf by-class by-class: by-class:0 by-class:8 by-class:two by-class:-1"))
    {
        EXPECT_THROW(MakePartition(spec, thirty, 4, {1, 1}), UsageError) << spec;
    }
}

} // namespace
} // namespace dpdl
