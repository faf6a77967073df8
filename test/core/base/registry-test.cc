// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/base/registry.h"
#include "dpdl/base/slot-pool.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace dpdl
{
namespace
{

Registry<int>
Fruit()
{
    Registry<int> fruit("fruit");
    fruit.Add({"apple", "red", "garden", {}}, 1).Add({"pear", "green", "garden", {}}, 2);
    return fruit;
}

std::string
MessageFor(const std::string& name)
{
    return UsageMessage([&] { Fruit().Get(name); });
}

TEST(Registry, FindsWhatWasEntered)
{
    EXPECT_EQ(Fruit().Get("apple"), 1);
    EXPECT_EQ(Fruit().Get("pear"), 2);
    EXPECT_EQ(Fruit().Names(), (std::vector<std::string>{"apple", "pear"}));
    EXPECT_EQ(Fruit().NameOf(2), "pear");
    EXPECT_EQ(Fruit().NameOf(7), "");
}

TEST(Registry, OffersTheNearestName)
{
    EXPECT_EQ(MessageFor("aple"),
              "fruit: 'aple' is not accepted; expected one of apple, pear "
              "(did you mean 'apple'?)");
}

TEST(Registry, OffersWhatBeginsAlikeAmongEquallyNearNames)
{
    EXPECT_EQ(NearestName("node", {"mode", "nodes"}), "nodes");
    EXPECT_EQ(NearestName("node", {"nodes", "mode"}), "nodes");
}

TEST(Registry, OffersNothingWhenNothingIsNear)
{
    EXPECT_EQ(MessageFor("xyzzy").find("did you mean"), std::string::npos);
}

TEST(Registry, TakesNoNameTwice)
{
    Registry<int> fruit = Fruit();
    EXPECT_THROW(fruit.Add({"apple", "", "", {}}, 3), UsageError);
    EXPECT_EQ(fruit.Get("apple"), 1);
    EXPECT_EQ(fruit.List().size(), 2U);
}

TEST(SlotNumbers, GivesTheNewestFreeNumberAgain)
{
    SlotNumbers numbers;
    EXPECT_EQ(numbers.Acquire(), 0u);
    EXPECT_EQ(numbers.Acquire(), 1u);
    EXPECT_EQ(numbers.Acquire(), 2u);
    numbers.Release(0);
    numbers.Release(1);
    EXPECT_EQ(numbers.Held(), 1u);
    EXPECT_EQ(numbers.Acquire(), 1u);
    EXPECT_EQ(numbers.Acquire(), 0u);
    EXPECT_EQ(numbers.Acquire(), 3u);
    numbers.Clear();
    EXPECT_EQ(numbers.Held(), 0u);
    EXPECT_EQ(numbers.Acquire(), 0u);
}

TEST(SlotPool, KeepsValuesUnderNumbersThatAreUsedAgain)
{
    SlotPool<std::string> pool;
    const std::uint32_t first = pool.Add("a");
    const std::uint32_t second = pool.Add("b");
    pool[first] += "c";
    EXPECT_EQ(pool.Size(), 2u);
    EXPECT_EQ(pool.Take(first), "ac");
    EXPECT_EQ(pool.Size(), 1u);
    EXPECT_EQ(pool.Add("d"), first);
    EXPECT_EQ(pool[second], "b");
}

TEST(SlotPool, KeepsNothingAliveThatWasTakenOrCleared)
{
    SlotPool<std::shared_ptr<int>> pool;
    const auto value = std::make_shared<int>(7);
    const std::uint32_t number = pool.Add(value);
    EXPECT_EQ(pool.Take(number), value);
    EXPECT_EQ(value.use_count(), 1);
    pool.Add(value);
    pool.Clear();
    EXPECT_EQ(value.use_count(), 1);
    EXPECT_EQ(pool.Size(), 0u);
}

TEST(SlotPool, VisitsWhatIsHeldInTheOrderOfNumbers)
{
    SlotPool<int> pool;
    for (int i = 0; i < 5; ++i)
    {
        pool.Add(i);
    }
    pool.Take(3);
    pool.Take(1);
    pool.Add(10);
    std::vector<int> seen;
    pool.ForEach([&seen](int value) { seen.push_back(value); });
    EXPECT_EQ(seen, (std::vector<int>{0, 10, 2, 4}));
}

} // namespace
} // namespace dpdl
