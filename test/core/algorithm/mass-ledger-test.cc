// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

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

} // namespace
} // namespace dpdl
