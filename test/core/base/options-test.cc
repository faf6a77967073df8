// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/base/options.h"

#include <gtest/gtest.h>
#include <optional>

namespace dpdl
{
namespace
{

/// What is asked of a kitchen.
enum class Dish
{
    SOUP,
    CAKE,
};

/// An order.
struct Order
{
    std::optional<double> litres;
    std::uint64_t eggs{0};
    std::string form{"ring"};
    bool cold{false};
};

OptionTable<Order>
Kitchen()
{
    OptionTable<Order> table;
    const Choices<std::string> forms{{"round", "ring"}, {"long", "box"}};
    const auto positive = [](double value) { return value > 0.0; };
    table.Add("litres", Number("a number > 0", positive), &Order::litres, "how much")
        .For(FormsOf(Dish::SOUP))
        .Needed(FormsOf(Dish::SOUP))
        .Default("1");
    table.Add("eggs", WholeNumber(1, 12), &Order::eggs, "how many")
        .Accepts("a number of eggs")
        .Default("")
        .For(FormsOf(Dish::CAKE));
    table.Add("form", OneOf(forms), &Order::form, "of the tin").For(FormsOf(Dish::CAKE));
    table.Add("cold", Switch(true), &Order::cold, "not heated");
    return table;
}

Order
Read(Dish dish, const std::vector<std::string>& arguments)
{
    Order order;
    const OptionTable<Order> options = Kitchen();
    const GivenOptions given = options.Split(arguments);
    options.Check(given, dish, "here");
    options.Read(given, order);
    return order;
}

std::string
MessageFor(Dish dish, const std::vector<std::string>& arguments)
{
    return UsageMessage([&]() { Read(dish, arguments); });
}

TEST(Options, PutsValuesIntoARequest)
{
    const Order soup = Read(Dish::SOUP, {"--cold", "--litres=2.5"});
    EXPECT_EQ(soup.litres, 2.5);
    EXPECT_TRUE(soup.cold);
    const Order cake = Read(Dish::CAKE, {"--eggs=12", "--form=long"});
    EXPECT_EQ(cake.eggs, 12U);
    EXPECT_EQ(cake.form, "box");
    EXPECT_FALSE(cake.cold);
}

TEST(Options, NamesWhatIsWrongAndWhatWouldBeAccepted)
{
    const std::string refused = " is not accepted; expected ";
    EXPECT_EQ(MessageFor(Dish::SOUP, {"litres=1"}),
              "argument: 'litres=1'" + refused + "options of the form --name=value");
    EXPECT_EQ(MessageFor(Dish::SOUP, {"--litres"}),
              "argument: '--litres'" + refused + "--litres=VALUE, a number > 0");
    EXPECT_EQ(MessageFor(Dish::SOUP, {"--cold=1"}),
              "argument: '--cold=1'" + refused + "--cold without a value");
    EXPECT_EQ(MessageFor(Dish::SOUP, {"--cold", "--cold"}),
              "argument: '--cold'" + refused + "every option once");
    EXPECT_EQ(MessageFor(Dish::CAKE, {"--egs=1"}),
              "option: 'egs'" + refused + "one of litres, eggs, form, cold (did you mean 'eggs'?)");
    EXPECT_EQ(MessageFor(Dish::SOUP, {"--litres=0"}),
              "option 'litres': '0'" + refused + "a number > 0");
    EXPECT_EQ(MessageFor(Dish::CAKE, {"--eggs=13"}),
              "option 'eggs': '13'" + refused + "a whole number from 1 to 12");
    EXPECT_EQ(MessageFor(Dish::CAKE, {"--form=square"}),
              "form: 'square'" + refused + "one of round, long");
}

TEST(Options, TellsWhichOptionsGoTogether)
{
    EXPECT_EQ(MessageFor(Dish::CAKE, {"--litres=1"}),
              "option 'litres': '1' is not accepted; expected here only: eggs, form, cold");
    EXPECT_EQ(MessageFor(Dish::SOUP, {}),
              "option 'litres' is missing here; expected --litres=VALUE, a number > 0");
    EXPECT_EQ(MessageFor(Dish::CAKE, {}), "accepted");
}

TEST(Options, ShowsWhatReadsBack)
{
    Order order;
    const OptionTable<Order> options = Kitchen();
    EXPECT_EQ(options.Find("litres")->show(order), "") << "not given";
    for (const auto& [name, text] : {std::pair{"litres", "0.5"}, {"eggs", "7"}, {"form", "long"}})
    {
        options.Find(name)->set(order, text);
        EXPECT_EQ(options.Find(name)->show(order), text) << name;
    }
    EXPECT_EQ(options.Find("salt"), nullptr);
}

TEST(Options, ItemsOfAListAddUp)
{
    struct Shopping
    {
        std::vector<std::string> items;
    };

    OptionTable<Shopping> table;
    table.AddList("buy", "a thing", &Shopping::items, "what is missing");
    Shopping shopping;
    const OptionRow<Shopping>& row = *table.Find("buy");
    EXPECT_TRUE(row.isList);
    row.set(shopping, "milk");
    row.set(shopping, "salt");
    EXPECT_EQ(row.show(shopping), "milk; salt");
    row.set(shopping, "");
    EXPECT_TRUE(shopping.items.empty());
}

TEST(Options, HelpHasARangeAndADefault)
{
    EXPECT_EQ(Kitchen().Help(),
              "  --litres=...\n      how much; a number > 0; default: 1\n"
              "  --eggs=...\n      how many; a number of eggs\n"
              "  --form=...\n      of the tin; round, long; default: round\n"
              "  --cold\n      not heated\n");
    Order usual;
    usual.form = "box";
    EXPECT_NE(Kitchen()
                  .Help("\n      accepts: ", usual)
                  .find("of the tin\n      accepts: round, long; default: long\n"),
              std::string::npos);
}

} // namespace
} // namespace dpdl
