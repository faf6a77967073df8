// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/base/command-options.h"

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
    std::string form;
    bool cold{false};
};

using Options = CommandOptions<Order, Dish>;

Options
Kitchen()
{
    const auto positive = [](double value) { return value > 0.0; };
    const std::vector<std::pair<std::string, std::string>> forms{{"round", "ring"},
                                                                 {"long", "box"}};
    return Options(
        {{"litres",
          "a number > 0",
          "how much",
          "1",
          {Dish::SOUP},
          {Dish::SOUP},
          RealSetter("litres", "a number > 0", positive, &Order::litres)},
         {"eggs",
          "a number of eggs",
          "how many",
          "",
          {Dish::CAKE},
          {},
          CountSetter("eggs", 1, 12, [](Order& order) -> std::uint64_t& { return order.eggs; })},
         {"form",
          "round, long",
          "of the tin",
          "round",
          {Dish::CAKE},
          {},
          [forms](Order& order, const std::string& text) {
              order.form = ChoiceOf("form", text, forms);
          }},
         {"cold",
          "",
          "not heated",
          "",
          {Dish::SOUP, Dish::CAKE},
          {},
          [](Order& order, const std::string& /* text */) { order.cold = true; }}});
}

Order
Read(Dish dish, const std::vector<std::string>& arguments)
{
    Order order;
    const Options options = Kitchen();
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

TEST(CommandOptions, PutsValuesIntoARequest)
{
    const Order soup = Read(Dish::SOUP, {"--cold", "--litres=2.5"});
    EXPECT_EQ(soup.litres, 2.5);
    EXPECT_TRUE(soup.cold);
    const Order cake = Read(Dish::CAKE, {"--eggs=12", "--form=long"});
    EXPECT_EQ(cake.eggs, 12U);
    EXPECT_EQ(cake.form, "box");
    EXPECT_FALSE(cake.cold);
}

TEST(CommandOptions, NamesWhatIsWrongAndWhatWouldBeAccepted)
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

TEST(CommandOptions, TellsWhichOptionsGoTogether)
{
    EXPECT_EQ(MessageFor(Dish::CAKE, {"--litres=1"}),
              "option 'litres': '1' is not accepted; expected here only: eggs, form, cold");
    EXPECT_EQ(MessageFor(Dish::SOUP, {}),
              "option 'litres' is missing here; expected --litres=VALUE, a number > 0");
    EXPECT_EQ(MessageFor(Dish::CAKE, {}), "accepted");
}

TEST(CommandOptions, HelpHasARangeAndADefault)
{
    EXPECT_EQ(Kitchen().Help(),
              "  --litres=...\n      how much; a number > 0; default: 1\n"
              "  --eggs=...\n      how many; a number of eggs\n"
              "  --form=...\n      of the tin; round, long; default: round\n"
              "  --cold\n      not heated\n");
}

} // namespace
} // namespace dpdl
