// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/base/registry.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

Registry<int>
Fruit()
{
    Registry<int> fruit("fruit");
    fruit.Add({"apple", "red", "garden", {}}, 1).Add({"pear", "green", "garden", {}}, 2);
    fruit.Reserve({"quince", "yellow", "garden", {}});
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
    EXPECT_EQ(Fruit().Names(), (std::vector<std::string>{"apple", "pear", "quince"}));
    EXPECT_EQ(Fruit().AvailableNames(), (std::vector<std::string>{"apple", "pear"}));
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

TEST(Registry, RefusesAReservedNameByName)
{
    EXPECT_EQ(MessageFor("quince"), "fruit: 'quince' is not available yet");
}

TEST(Registry, TakesNoNameTwice)
{
    Registry<int> fruit = Fruit();
    EXPECT_THROW(fruit.Add({"apple", "", "", {}}, 3), UsageError);
    EXPECT_THROW(fruit.Reserve({"quince", "", "", {}}), UsageError);
    EXPECT_EQ(fruit.Get("apple"), 1);
    EXPECT_EQ(fruit.List().size(), 3U);
}

} // namespace
} // namespace dpdl
