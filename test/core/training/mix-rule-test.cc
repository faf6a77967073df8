// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "../usage-message.h"
#include "dpdl/base/random.h"
#include "dpdl/training/mix-rule.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace dpdl
{
namespace
{

/// A node's own term and some that it hears, whose coefficients sum to 1.
std::vector<MixTerm>
HeardTerms(ParameterPool& pool, std::size_t heard, Round number)
{
    std::vector<MixTerm> terms;
    double total = 0.0;
    for (std::size_t t = 0; t <= heard; ++t)
    {
        const RandomStream stream({1, 2}, RandomPurpose::TEST, static_cast<NodeId>(t), number);
        terms.push_back({pool.Acquire(), 0.1 + stream.Uniform(pool.Dimension() + 7)});
        stream.FillNormal(terms.back().source->Data(), pool.Dimension());
        terms.back().isHeard = t > 0;
        total += terms.back().coefficient;
    }
    for (MixTerm& term : terms)
    {
        term.coefficient /= total;
    }
    return terms;
}

std::vector<float>
Mixed(const MixRule& rule, std::vector<MixTerm> terms, ParameterPool& pool)
{
    const ParameterHandle out = pool.Acquire();
    MixByRule(rule, terms, *out);
    return {out->Data(), out->Data() + out->Size()};
}

TEST(MixRule, WhoHearsTooFewKeepsItsModel)
{
    ParameterPool pool(33);
    const auto terms = HeardTerms(pool, 4, 0);
    const std::vector<float> mixed = Mixed({MixRule::Kind::TRIMMED, 2, 0.0}, terms, pool);
    const float* const own = terms[0].source->Data();
    EXPECT_TRUE(std::equal(mixed.begin(), mixed.end(), own));
}

TEST(MixRule, ClippedMovesAtMostTheRadiusTowardsEach)
{
    constexpr std::size_t SIZE = 50;
    ParameterPool pool(SIZE);
    const auto terms = HeardTerms(pool, 5, 1);
    const float* const own = terms[0].source->Data();
    for (const double radius : {0.1, 5.0, 9.5, 10.5})
    {
        std::vector<double> expected(own, own + SIZE);
        for (std::size_t t = 1; t < terms.size(); ++t)
        {
            std::vector<double> towards(SIZE);
            std::transform(terms[t].source->Data(),
                           terms[t].source->Data() + SIZE,
                           own,
                           towards.begin(),
                           [](float a, float b) { return static_cast<double>(a) - b; });
            const double norm =
                std::sqrt(std::inner_product(towards.begin(), towards.end(), towards.begin(), 0.0));
            const double part = terms[t].coefficient * std::min(1.0, radius / norm);
            for (std::size_t i = 0; i < SIZE; ++i)
            {
                expected[i] += part * towards[i];
            }
        }
        const std::vector<float> mixed = Mixed({MixRule::Kind::CLIPPED, 0, radius}, terms, pool);
        for (std::size_t i = 0; i < SIZE; ++i)
        {
            ASSERT_NEAR(mixed[i], expected[i], 2e-6) << radius;
        }
    }
}

TEST(MixRule, AModelThatIsNotFiniteIsTrimmedOrReplacedByTheOwn)
{
    ParameterPool pool(70);
    auto terms = HeardTerms(pool, 4, 5);
    const auto with = [&](const MixRule& rule, float value) {
        std::fill_n(terms[2].source->Data(), pool.Dimension(), value);
        return Mixed(rule, terms, pool);
    };
    const MixRule trimmed{MixRule::Kind::TRIMMED, 1, 0.0};
    const MixRule clipped{MixRule::Kind::CLIPPED, 0, 1.0};
    const MixRule exact{MixRule::Kind::TRIMMED, 1, 0.0, true};
    EXPECT_EQ(Mixed(exact, terms, pool), Mixed(trimmed, terms, pool));
    auto replaced = terms;
    replaced[2].source = terms[0].source;
    for (const float value : {std::nanf(""), HUGE_VALF, -HUGE_VALF})
    {
        EXPECT_EQ(with(trimmed, value), with(trimmed, std::copysign(1e30F, value)));
        EXPECT_EQ(with(clipped, value), Mixed(clipped, replaced, pool));
    }
}

TEST(MixRule, WithNothingToTrimOrToClipItIsTheAverageBitForBit)
{
    ParameterPool pool(1003);
    const auto terms = HeardTerms(pool, 6, 2);
    const std::vector<float> average = Mixed({}, terms, pool);
    EXPECT_EQ(Mixed(ParseMixRule("trimmed:0"), terms, pool), average);
    EXPECT_EQ(Mixed(ParseMixRule("clipped:1e9"), terms, pool), average);
    const ParameterHandle out = pool.Acquire();
    MixParameters(terms, *out);
    EXPECT_TRUE(std::equal(average.begin(), average.end(), out->Data()));
}

TEST(MixRule, TheOrderOfThoseHeardDoesNotCount)
{
    ParameterPool pool(200);
    auto terms = HeardTerms(pool, 7, 3);
    for (const MixRule& rule :
         {MixRule{MixRule::Kind::TRIMMED, 2, 0.0}, MixRule{MixRule::Kind::CLIPPED, 0, 12.0}})
    {
        const std::vector<float> before = Mixed(rule, terms, pool);
        std::reverse(terms.begin() + 1, terms.end());
        const std::vector<float> after = Mixed(rule, terms, pool);
        for (std::size_t i = 0; i < before.size(); ++i)
        {
            ASSERT_NEAR(before[i], after[i], 1e-6);
        }
    }
}

TEST(MixRule, EachChunkHasItsTermsAndWhatIsAddedIsNotTrimmed)
{
    constexpr std::size_t SIZE = 40;
    ParameterPool pool(SIZE);
    const auto whole = HeardTerms(pool, 5, 4);
    const ParameterHandle added = pool.Acquire();
    std::fill_n(added->Data(), SIZE, 3.0F);
    std::vector<MixTerm> cut;
    for (const auto& [begin, end] : {std::pair{0, 19}, std::pair{19, 40}})
    {
        for (MixTerm term : whole)
        {
            term.begin = static_cast<std::size_t>(begin);
            term.end = static_cast<std::size_t>(end);
            cut.push_back(term);
        }
        cut.push_back({added, 2.0, cut.back().begin, cut.back().end});
    }
    const MixRule rule{MixRule::Kind::TRIMMED, 1, 0.0};
    const std::vector<float> once = Mixed(rule, whole, pool);
    const std::vector<float> chunked = Mixed(rule, cut, pool);
    for (std::size_t i = 0; i < SIZE; ++i)
    {
        EXPECT_EQ(chunked[i], once[i] + 6.0F);
    }
}

TEST(MixRule, MistakesNameWhatIsAccepted)
{
    const std::string accepted = "' is not accepted; expected " + MIX_RULES;
    for (const std::string& text : Pieces(" median trimmed trimmed: trimmed:-1 trimmed:1.5 clipped "
                                          "clipped:0 clipped:-2 clipped:nan average:1"))
    {
        EXPECT_EQ(UsageMessage([&] { ParseMixRule(text); }),
                  std::string("option 'mix': '") + text + accepted);
    }
}

} // namespace
} // namespace dpdl
