// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/network-state.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace dpdl
{
namespace
{

constexpr std::size_t PACKETS = 400000;

/// Which of the packets of a link are lost.
std::vector<bool>
LostPackets(const LinkCondition& condition, NodeId source = 0, NodeId target = 1)
{
    FailureLoss loss(RandomSeed{5, 2});
    std::vector<bool> lost;
    for (std::size_t i = 0; i < PACKETS; ++i)
    {
        lost.push_back(loss.Loses(source, target, condition));
    }
    return lost;
}

double
Fraction(const std::vector<bool>& lost)
{
    double count = 0.0;
    for (const bool one : lost)
    {
        count += one ? 1.0 : 0.0;
    }
    return count / static_cast<double>(lost.size());
}

LinkCondition
Bursts(const GilbertElliott& burst)
{
    LinkCondition condition;
    condition.burst = burst;
    return condition;
}

TEST(FailureLoss, IndependentLoss)
{
    for (const double p : {0.0, 0.05, 0.6, 1.0})
    {
        LinkCondition condition;
        condition.lossProbability = p;
        const double sigma = std::sqrt(p * (1.0 - p) / static_cast<double>(PACKETS));
        EXPECT_NEAR(Fraction(LostPackets(condition)), p, 5.0 * sigma);
    }
}

TEST(FailureLoss, LongRunLossOfBursts)
{
    for (const GilbertElliott& burst : {GilbertElliott{0.02, 0.3, 0.9, 0.0},
                                        GilbertElliott{0.02, 0.3, 0.9, 0.05},
                                        GilbertElliott{0.5, 0.01, 1.0, 0.0},
                                        GilbertElliott{1.0, 1.0, 1.0, 0.0}})
    {
        const double bad = burst.toBad / (burst.toBad + burst.toGood);
        const double expected = burst.lossBad * bad + burst.lossGood * (1.0 - bad);
        EXPECT_DOUBLE_EQ(burst.LongRunLoss(), expected);
        // The states of two packets k apart have correlation c^k with c = 1 - p - r.
        const double c = 1.0 - burst.toBad - burst.toGood;
        const double ofState = std::pow(burst.lossBad - burst.lossGood, 2) * bad * (1.0 - bad);
        const double variance = expected * (1.0 - expected) + 2.0 * ofState * c / (1.0 - c);
        const double sigma = std::sqrt(std::max(variance, 0.0) / static_cast<double>(PACKETS));
        EXPECT_NEAR(Fraction(LostPackets(Bursts(burst))), expected, 5.0 * sigma + 1e-4);
    }
}

TEST(FailureLoss, LengthsOfBurstsAreGeometric)
{
    const double r = 0.3;
    const std::vector<bool> lost = LostPackets(Bursts({0.05, r, 1.0, 0.0}));
    std::map<std::size_t, double> lengths;
    double bursts = 0.0;
    std::size_t length = 0;
    for (const bool one : lost)
    {
        if (!one && length > 0)
        {
            lengths[length] += 1.0;
            bursts += 1.0;
            length = 0;
        }
        length += one ? 1 : 0;
    }
    double chiSquare = 0.0;
    double rest = bursts;
    for (std::size_t k = 1; k <= 10; ++k)
    {
        const double expected = bursts * r * std::pow(1.0 - r, static_cast<double>(k - 1));
        chiSquare += std::pow(lengths[k] - expected, 2) / expected;
        rest -= lengths[k];
    }
    const double expected = bursts * std::pow(1.0 - r, 10.0);
    chiSquare += std::pow(rest - expected, 2) / expected;
    EXPECT_GT(bursts, 10000.0);
    EXPECT_LT(chiSquare, 35.6); // 1 in 10,000 at 10 degrees of freedom
}

TEST(FailureLoss, LinksAreIndependent)
{
    LinkCondition condition;
    condition.lossProbability = 0.3;
    const std::vector<bool> one = LostPackets(condition, 0, 1);
    std::vector<bool> both = LostPackets(condition, 1, 0);
    EXPECT_EQ(one, LostPackets(condition, 0, 1));
    for (std::size_t i = 0; i < PACKETS; ++i)
    {
        both[i] = both[i] && one[i];
    }
    EXPECT_NEAR(Fraction(both), 0.09, 5.0 * std::sqrt(0.09 * 0.91 / static_cast<double>(PACKETS)));
}

TEST(FailureLoss, LossAndBurstsAddUp)
{
    LinkCondition condition = Bursts({0.1, 0.2, 1.0, 0.0});
    condition.lossProbability = 0.5;
    const double expected = 1.0 - 0.5 * (1.0 - 1.0 / 3.0);
    EXPECT_NEAR(Fraction(LostPackets(condition)), expected, 0.006);
}

} // namespace
} // namespace dpdl
