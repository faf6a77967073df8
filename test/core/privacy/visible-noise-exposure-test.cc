// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "secret-graphs.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

std::vector<SecretPair>
AllPairs(NodeId nodes)
{
    std::vector<SecretPair> pairs;
    for (NodeId node = 0; node < nodes; ++node)
    {
        for (NodeId other = 0; other < node; ++other)
        {
            pairs.emplace_back(other, node);
        }
    }
    return pairs;
}

/// The nodes that a word has a bit of.
std::vector<NodeId>
NodesOf(std::uint32_t bits)
{
    std::vector<NodeId> nodes;
    for (NodeId node = 0; node < 32; ++node)
    {
        if ((bits >> node & 1U) != 0)
        {
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<bool>
AllBut(std::size_t nodes, std::uint32_t silent)
{
    std::vector<bool> released(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
    {
        released[node] = (silent >> node & 1U) == 0;
    }
    return released;
}

TEST(VisibleNoiseExposure, HasThePublishedValuesOfARing)
{
    const VisibleNoiseExposure sent(PairNoise(5, Circulant(5, {1}), 0.5, 2.0));
    EXPECT_NEAR(std::sqrt(sent.Of({true, true, true, true, false})[0]), 0.4283471581170175, 1e-9);
    EXPECT_NEAR(std::sqrt(sent.Of(std::vector<bool>(5, true))[0]), 0.9467838750731115, 1e-9);
}

/// By node, the largest exposure to any set of at least so many colluders that holds all who leak,
/// each by an inverse of its own, and of who leaks what hides it if all others collude.
std::vector<double>
WorstOfLeaks(const std::vector<NodeNoise>& noise,
             std::size_t colluders,
             std::uint32_t silent,
             std::uint32_t leaked)
{
    std::vector<double> worst(noise.size(), 0.0);
    const std::size_t size = std::max(colluders, NodesOf(leaked).size());
    for (std::uint32_t set = 0; set < 1U << noise.size(); ++set)
    {
        if ((set & leaked) == leaked && NodesOf(set).size() == size)
        {
            const std::vector<double> exposure = Exposure(noise, NodesOf(set), NodesOf(silent));
            for (std::size_t i = 0; i < noise.size(); ++i)
            {
                worst[i] = std::max(worst[i], exposure[i]);
            }
        }
    }
    const std::uint32_t all = (1U << noise.size()) - 1U;
    for (const NodeId node : NodesOf(leaked))
    {
        worst[node] = Exposure(noise, NodesOf(all ^ (1U << node)), NodesOf(silent))[node];
    }
    return worst;
}

TEST(VisibleNoiseExposure, IsThatOfTheWorstSetOfColludersWhoeverIsSilentOrLeaks)
{
    constexpr NodeId NODES = 7;
    for (const bool isComplete : {false, true})
    {
        auto pairs = isComplete ? AllPairs(NODES) : Circulant(NODES, {1, 2});
        if (!isComplete)
        {
            pairs.emplace_back(0, 3); // not all nodes are exposed alike
        }
        for (const std::size_t colluders : {0U, 1U, 2U, 3U})
        {
            const PairNoiseRule rule{0.5, colluders, isComplete};
            const PairNoiseScale scale = FitPairNoise(NODES, pairs, rule);
            const auto noise = PairNoise(NODES, pairs, scale.own, scale.pair);
            const VisibleNoiseExposure sent(noise, rule);
            for (const std::uint32_t leaked : {0U, 0x04U, 0x11U, 0x23U, 0x3fU, 0x7fU})
            {
                const std::uint32_t step = leaked == 0 ? 1 : 5;
                for (std::uint32_t silent = 0; silent < 1U << NODES; silent += step)
                {
                    const std::vector<double> expected =
                        WorstOfLeaks(noise, colluders, silent, leaked);
                    const std::vector<double> found =
                        sent.Of(AllBut(NODES, silent), NodesOf(leaked));
                    for (NodeId node = 0; node < NODES; ++node)
                    {
                        EXPECT_NEAR(found[node], expected[node], 1e-7 * (1.0 + expected[node]));
                        EXPECT_GE(found[node], expected[node] * (1.0 - 1e-12));
                        const bool isPromised =
                            NodesOf(leaked).size() <= colluders && (leaked >> node & 1U) == 0;
                        EXPECT_TRUE(!isPromised || found[node] <= 1.0);
                    }
                }
            }
        }
    }
}

TEST(VisibleNoiseExposure, IsThatOfItsOwnNoiseWhereTooManyNodesLeakToExamine)
{
    const auto pairs = Circulant(2200, {1, 2});
    const VisibleNoiseExposure sent(PairNoise(2200, pairs, 0.5, 2.0));
    const std::vector<double> found = sent.Of(std::vector<bool>(2200, true), {7});
    EXPECT_EQ(found, std::vector<double>(2200, 4.0));
}

TEST(VisibleNoiseExposure, IsThePlannedOneWhereTheSetsAreTooMany)
{
    const auto pairs = Circulant(60, {1, 2, 3, 5, 8, 13, 21});
    const VisibleNoiseExposure sent(PairNoise(60, pairs, 0.5, 2.0), {0.5, 5, false});
    std::vector<bool> released(60, true);
    released[3] = false;
    std::vector<double> expected(60, 1.0);
    expected[3] = 0.0;
    EXPECT_EQ(sent.Of(released), expected);
}

TEST(VisibleNoiseExposure, TreatsSomeSilentNodesAsSeenWhereTheyAreTooMany)
{
    // Of 700 nodes 420 are silent, 377 may be.
    constexpr NodeId NODES = 700;
    const auto noise = PairNoise(NODES, Circulant(NODES, {1, 7}), 1.0, 1.0);
    std::vector<bool> released(NODES, true);
    std::vector<NodeId> silent;
    for (NodeId node = 0; node < NODES; ++node)
    {
        released[node] = node % 5 < 2;
        if (!released[node])
        {
            silent.push_back(node);
        }
    }
    const std::vector<double> exact = Exposure(noise, {}, silent);
    const std::vector<double> found = VisibleNoiseExposure(noise).Of(released);
    for (NodeId node = 0; node < NODES; ++node)
    {
        EXPECT_GE(found[node], std::min(1.0, exact[node]));
        EXPECT_LE(found[node], 1.0);
    }
    EXPECT_NEAR(found[200], exact[200], 1e-6);
    EXPECT_GT(found[690], exact[690] + 0.01);
}

} // namespace
} // namespace dpdl
