// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/link-copies.h"
#include "dpdl/algorithm/mass-ledger.h"
#include "dpdl/base/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

TEST(CompensatedSum, KeepsWhatRoundingTakesAway)
{
    CompensatedSum sum;
    for (const double value : {1.0, 1e100, 1.0, -1e100})
    {
        sum.Add(value);
    }
    EXPECT_EQ(sum.Value(), 2.0);
}

TEST(CompensatedSum, AddingAndRemovingManyNumbersGivesZero)
{
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    CompensatedSum sum;
    for (const double sign : {1.0, -1.0})
    {
        for (std::uint64_t i = 0; i < 10000; ++i)
        {
            sum.Add(sign * std::ldexp(stream.Uniform(i), -static_cast<int>(i % 40)));
        }
    }
    EXPECT_LT(std::fabs(sum.Value()), 1e-28);
}

TEST(MassLedger, EveryNodeStartsWithWeightOne)
{
    const MassLedger ledger(7);
    for (NodeId node = 0; node < 7; ++node)
    {
        EXPECT_EQ(ledger.Weight(node), ScaledDouble(1.0));
    }
    EXPECT_EQ(ledger.AtNodes(), 7.0);
    EXPECT_EQ(ledger.InFlight(), 0.0);
    EXPECT_EQ(ledger.Lost(), 0.0);
    EXPECT_EQ(ledger.Error(), 0.0);
}

TEST(MassLedger, MassGoesFromNodeToFlightToNodeOrLoss)
{
    MassLedger ledger(2);
    ledger.Send(ScaledDouble(0.25));
    ledger.Send(ScaledDouble(0.5));
    ledger.SetWeight(0, ScaledDouble(0.25));
    EXPECT_EQ(ledger.Weight(0), ScaledDouble(0.25));
    EXPECT_EQ(ledger.InFlight(), 0.75);
    EXPECT_EQ(ledger.Error(), 0.0);

    ledger.Take(ScaledDouble(0.5));
    ledger.SetWeight(1, ScaledDouble(1.5));
    EXPECT_EQ(ledger.InFlight(), 0.25);
    EXPECT_EQ(ledger.Error(), 0.0);

    ledger.Lose(ScaledDouble(0.25));
    EXPECT_EQ(ledger.InFlight(), 0.0);
    EXPECT_EQ(ledger.Lost(), 0.25);
    EXPECT_EQ(ledger.AtNodes(), 1.75);
    EXPECT_EQ(ledger.Error(), 0.0);
}

TEST(MassLedger, ShowsMassThatCameFromNowhere)
{
    MassLedger ledger(3);
    ledger.SetWeight(1, ScaledDouble(1.125));
    EXPECT_EQ(ledger.Error(), 0.125);
}

TEST(MassLedger, KeepsWeightsFarBelowTheRangeOfADouble)
{
    MassLedger ledger(1);
    for (int i = 0; i < 5000; ++i)
    {
        const ScaledDouble half = ledger.Weight(0) * 0.5;
        ledger.Send(half);
        ledger.SetWeight(0, half);
        ledger.Lose(half);
    }
    EXPECT_FALSE(ledger.Weight(0).IsZero());
    EXPECT_EQ(ledger.Weight(0), ScaledDouble::FromParts(1.0, -5000));
    EXPECT_EQ(ledger.Lost(), 1.0);
    EXPECT_EQ(ledger.Error(), 0.0);
}

Share
ShareOf(Round round)
{
    return {3, 5, round, 0.5, ScaledDouble(1.0 + round), nullptr, round};
}

/// What a message of a round brings.
std::vector<Share>
Take(RunningSumLink& link, Round round)
{
    std::vector<Share> taken;
    const bool brings = link.Take(round, taken);
    EXPECT_EQ(brings, !taken.empty());
    return taken;
}

std::vector<Round>
RoundsOf(const std::vector<Share>& shares)
{
    std::vector<Round> rounds;
    for (const Share& share : shares)
    {
        rounds.push_back(share.round);
    }
    return rounds;
}

TEST(RunningSumLink, AMessageBringsEveryShareThatWasLostBeforeIt)
{
    RunningSumLink link;
    for (Round round = 0; round < 5; ++round)
    {
        link.Push(ShareOf(round));
    }
    EXPECT_EQ(RoundsOf(Take(link, 2)), (std::vector<Round>{0, 1, 2}));
    EXPECT_EQ(link.Owed().size(), 2u);
    EXPECT_EQ(RoundsOf(Take(link, 4)), (std::vector<Round>{3, 4}));
    EXPECT_TRUE(link.Owed().empty());
}

TEST(RunningSumLink, AnOvertakenMessageBringsNothing)
{
    RunningSumLink link;
    link.Push(ShareOf(0));
    link.Push(ShareOf(1));
    EXPECT_EQ(Take(link, 1).size(), 2u);
    EXPECT_TRUE(Take(link, 0).empty());
    EXPECT_TRUE(Take(link, 1).empty());
}

TEST(RunningSumLink, SharesStayAsTheyWereSent)
{
    RunningSumLink link;
    link.Push(ShareOf(7));
    const std::vector<Share> taken = Take(link, 9);
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].source, 3u);
    EXPECT_EQ(taken[0].target, 5u);
    EXPECT_EQ(taken[0].weight, 0.5);
    EXPECT_EQ(taken[0].mass, ScaledDouble(8.0));
    EXPECT_EQ(taken[0].record, 7u);
}

TEST(RunningSumLink, WhateverIsLostAndOvertakenEachShareIsTakenOnce)
{
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    RunningSumLink link;
    std::vector<Round> taken;
    for (Round round = 0; round < 1000; ++round)
    {
        link.Push(ShareOf(round));
        const Round heard = round - std::min<Round>(round, stream.Integer(2 * round, 4));
        if (stream.Uniform(2 * round + 1) < 0.5)
        {
            const std::vector<Round> rounds = RoundsOf(Take(link, heard));
            taken.insert(taken.end(), rounds.begin(), rounds.end());
        }
    }
    const std::vector<Round> rest = RoundsOf(Take(link, 999));
    taken.insert(taken.end(), rest.begin(), rest.end());
    ASSERT_EQ(taken.size(), 1000u);
    for (Round round = 0; round < 1000; ++round)
    {
        EXPECT_EQ(taken[round], round);
    }
}

} // namespace
} // namespace dpdl
