// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/observation/message-flow.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

using Row = MessageFlow::Row;

Delivery
Message(Round round, NodeId source, NodeId target, double weight, DeliveryFate fate)
{
    Delivery row;
    row.round = round;
    row.source = source;
    row.target = target;
    row.weight = weight;
    row.fate = fate;
    if (fate == DeliveryFate::DELIVERED)
    {
        row.usedInRound = round;
    }
    return row;
}

/// Two nodes that send each other half, for two rounds; the message of round 0 from 0 to 1 is lost.
std::vector<Delivery>
OneLost()
{
    return {Message(0, 0, 1, 0.5, DeliveryFate::LOST),
            Message(0, 1, 0, 0.5, DeliveryFate::DELIVERED),
            Message(1, 0, 1, 0.5, DeliveryFate::DELIVERED),
            Message(1, 1, 0, 0.5, DeliveryFate::DELIVERED)};
}

FlowSettings
Settings(const std::vector<Delivery>& deliveries)
{
    FlowSettings settings;
    settings.nodes = 2;
    settings.rounds = 2;
    settings.deliveries = &deliveries;
    settings.noise = {1.0, 1.0, 1.0, 1.0};
    return settings;
}

void
ExpectRow(const Row& row, const Row& expected)
{
    ASSERT_LE(row.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(i < row.size() ? row[i] : 0.0, expected[i], 1e-15) << i;
    }
}

TEST(MessageFlow, FollowsALossByHand)
{
    const std::vector<Delivery> deliveries = OneLost();
    const MessageFlow flow(Settings(deliveries));
    EXPECT_EQ(flow.Columns(), 4u);
    EXPECT_EQ(flow.ColumnOf(1, 0), 1u);
    ExpectRow(flow.Sent(0, 0), {1.0, 0.0, 0.0, 0.0});
    ExpectRow(flow.Sent(1, 0), {0.0, 1.0, 0.0, 0.0});
    // w = (1, 0.5): node 0 mixed halves of both, node 1 is left with its own.
    ExpectRow(flow.Sent(0, 1), {0.5, 0.5, 1.0, 0.0});
    ExpectRow(flow.Sent(1, 1), {0.0, 1.0, 0.0, 1.0});
    // The masses are 0.5 and 0.25 at both nodes.
    ExpectRow(flow.Final(0), {1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 3});
    ExpectRow(flow.Final(1), {1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 3});
}

TEST(MessageFlow, MassIsMixedWhereAndWhenTheTraceSays)
{
    std::vector<Delivery> deliveries = OneLost();
    deliveries[0].usedInRound = 1;
    // A repaired message brings the state and the weight of the round in which it left.
    ExpectRow(MessageFlow(Settings(deliveries)).Final(1), {0.6, 0.4, 0.4, 0.2});
    deliveries[0].fate = DeliveryFate::REFUNDED;
    deliveries[0].usedInRound = 0;
    const MessageFlow refunded(Settings(deliveries));
    ExpectRow(refunded.Sent(0, 1), {2.0 / 3, 1.0 / 3, 1.0, 0.0});
    deliveries.push_back(deliveries[1]);
    deliveries.back().fate = DeliveryFate::DUPLICATE;
    ExpectRow(MessageFlow(Settings(deliveries)).Sent(0, 1), {2.0 / 3, 1.0 / 3, 1.0, 0.0});
}

TEST(MessageFlow, ScalesColumnsByTheirNoiseAndLeavesOutTheKnown)
{
    const std::vector<Delivery> deliveries = OneLost();
    FlowSettings settings = Settings(deliveries);
    settings.noise = {3.0, 0.0, 0.0, 5.0};
    const MessageFlow flow(settings);
    EXPECT_EQ(flow.Columns(), 2u);
    EXPECT_EQ(flow.ColumnOf(1, 0), MessageFlow::NONE);
    EXPECT_EQ(flow.ColumnOf(1, 1), 1u);
    ExpectRow(flow.Sent(0, 1), {1.5, 0.0});
    ExpectRow(flow.Final(0), {1.0, 5.0 / 3});
}

TEST(MessageFlow, WeightsFarBelowADoubleStillCount)
{
    std::vector<Delivery> deliveries;
    constexpr Round ROUNDS = 3000;
    for (Round round = 0; round < ROUNDS; ++round)
    {
        deliveries.push_back(Message(round, 0, 1, 0.5, DeliveryFate::LOST));
    }
    FlowSettings settings = Settings(deliveries);
    settings.rounds = ROUNDS;
    settings.noise.assign(2 * ROUNDS, 0.0);
    settings.noise[0] = 1.0;
    ExpectRow(MessageFlow(settings).Final(0), {1.0});
    settings.byWeight = false;
    settings.noise.back() = 1.0;
    settings.noise[2 * (ROUNDS - 1)] = 1.0;
    EXPECT_THROW(MessageFlow{settings}, UsageError);
}

TEST(MessageFlow, DeliveriesThatCannotHaveHappenedAreRefused)
{
    std::vector<Delivery> deliveries = OneLost();
    deliveries.push_back(Message(0, 0, 1, 0.6, DeliveryFate::DELIVERED));
    EXPECT_THROW(MessageFlow{Settings(deliveries)}, UsageError);
    deliveries = OneLost();
    deliveries[2].usedInRound = 0;
    EXPECT_THROW(MessageFlow{Settings(deliveries)}, UsageError);
    deliveries = OneLost();
    deliveries[1].weight = 1.0;
    deliveries[1].usedInRound.reset();
    EXPECT_THROW(MessageFlow{Settings(deliveries)}, UsageError);
}

} // namespace
} // namespace dpdl
