// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"

#include <gtest/gtest.h>
#include <map>

namespace dpdl
{
namespace
{

using Words = std::map<std::string, std::string>;

RunOptions
Asking(const Words& words)
{
    RunOptions settings;
    for (const auto& [name, value] : words)
    {
        SetOption(settings, name, value);
    }
    return settings;
}

/// What all options show.
Words
ShownOf(const RunOptions& settings)
{
    Words shown;
    for (const OptionRow<RunOptions>& option : LearningOptions().Options())
    {
        shown[option.name] = option.show(settings);
    }
    return shown;
}

Words
RecipeWords(const RunOptions& settings)
{
    const auto recipe = RecipeOf(settings);
    return {recipe.begin(), recipe.end()};
}

TEST(Recipe, FillsWhatIsNotGivenAndNothingElse)
{
    const RunOptions asked =
        Asking({{"recipe", "best"}, {"stepSize", "0.125"}, {"rounds", "7"}, {"drop", "0.1"}});
    const Words recipe = RecipeWords(asked);
    const Words before = ShownOf(asked);
    for (const auto& [name, value] : ShownOf(WithRecipe(asked)))
    {
        const bool isFilled = recipe.count(name) > 0 && asked.given.count(name) == 0;
        EXPECT_EQ(value, isFilled ? recipe.at(name) : before.at(name)) << name;
    }
    EXPECT_EQ(WithRecipe(asked).stepSize, 0.125);
    EXPECT_EQ(WithRecipe(asked).rounds, 7U);
}

TEST(Recipe, LeavesWhatIsGivenAsItsDefault)
{
    const RunOptions asked = Asking({{"recipe", "best"}, {"features", "raw"}, {"init", "default"}});
    EXPECT_EQ(WithRecipe(asked).features, "raw");
    EXPECT_EQ(WithRecipe(asked).init, "default");
}

TEST(Recipe, NoneChangesNothing)
{
    for (const Words& words : {Words{}, Words{{"recipe", "none"}, {"dataset", "blobs"}}})
    {
        EXPECT_EQ(ShownOf(WithRecipe(Asking(words))), ShownOf(Asking(words)));
    }
}

TEST(Recipe, TakenTwiceIsTheSame)
{
    const RunOptions once = WithRecipe(Asking({{"recipe", "best"}, {"epsilon", "3"}}));
    EXPECT_EQ(ShownOf(WithRecipe(once)), ShownOf(once));
}

TEST(Recipe, IsThatOfTheNearestBudgetByRatio)
{
    const auto of = [](const std::string& epsilon) {
        return RecipeWords(Asking({{"recipe", "best"}, {"epsilon", epsilon}}));
    };
    EXPECT_EQ(of("0.01"), of("0.3"));
    EXPECT_EQ(of("0.5"), of("0.3"));
    EXPECT_EQ(of("0.6"), of("1"));
    EXPECT_EQ(of("1.7"), of("1"));
    EXPECT_EQ(of("1.8"), of("3"));
    EXPECT_EQ(of("range:0.3..3"), of("0.3")) << "the smallest counts";
    EXPECT_NE(of("0.3"), of("3"));
}

TEST(Recipe, ReferencesHaveTheirOwnAndTheBatchIsATenth)
{
    const auto of = [](Words words) {
        words["recipe"] = "best";
        return RecipeWords(Asking(words));
    };
    EXPECT_NE(of({{"algorithm", "central"}}), of({{"algorithm", "const-d2p"}}));
    EXPECT_EQ(of({{"algorithm", "fed-an"}}), of({}));
    EXPECT_EQ(of({})["batchSize"], "300");
    EXPECT_EQ(of({{"nodes", "10"}, {"samples", "1000"}})["batchSize"], "10");
    EXPECT_EQ(of({{"nodes", "10"}, {"samples", "20"}})["batchSize"], "1");
}

TEST(Recipe, OthersHaveThatOfConstWithAMultipleOfItsStep)
{
    for (const std::string epsilon : {"0.3", "1", "3"})
    {
        const auto of = [&](const std::string& algorithm) {
            return RecipeWords(
                Asking({{"recipe", "best"}, {"epsilon", epsilon}, {"algorithm", algorithm}}));
        };
        Words other = of("adp-vrsgp");
        Words usual = of("const-d2p");
        EXPECT_DOUBLE_EQ(std::stod(other["stepSize"]), 4 * std::stod(usual["stepSize"]));
        other["stepSize"] = usual["stepSize"];
        EXPECT_EQ(other, usual);
    }
}

TEST(Recipe, SharedNoiseIsSentAgain)
{
    const auto policyOf = [](const std::string& algorithm) {
        return WithRecipe(Asking({{"recipe", "best"}, {"algorithm", algorithm}})).lossPolicy;
    };
    EXPECT_EQ(policyOf("decor"), LossPolicy::RELIABLE);
    EXPECT_EQ(policyOf("corn"), LossPolicy::RELIABLE);
    EXPECT_EQ(policyOf("const-d2p"), LossPolicy::NONE);
}

TEST(Recipe, OtherDatasetsHaveNone)
{
    EXPECT_THROW(WithRecipe(Asking({{"recipe", "best"}, {"dataset", "blobs"}})), UsageError);
}

} // namespace
} // namespace dpdl
