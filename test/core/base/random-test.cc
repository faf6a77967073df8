// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "statistics.h"

#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

using Words = std::array<std::uint32_t, 4>;

// Known-answer vectors of the Random123 distribution.
TEST(Philox, GivesThePublishedWords)
{
    EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
              (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(Philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(
        Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
        (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, NormalsFollowTheNormalDistribution)
{
    const std::size_t count = 1000000;
    std::vector<float> z(count);
    RandomStream({3, 1}, RandomPurpose::NOISE, 4, 7).FillNormal(z.data(), count);
    std::sort(z.begin(), z.end());
    double distance = 0.0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const double rank = 0.5 * std::erfc(-static_cast<double>(z[i]) / std::sqrt(2.0));
        distance = std::max(distance, std::abs(rank - static_cast<double>(i) / count));
        distance = std::max(distance, std::abs(rank - static_cast<double>(i + 1) / count));
    }
    // Kolmogorov and Smirnov: exceeded with a probability of 2 exp(-2 * 2.8^2) = 3e-7.
    EXPECT_LT(distance, 2.8 / std::sqrt(static_cast<double>(count)));
}

TEST(RandomStream, NormalsOfDifferentNodesAndRoundsAreIndependent)
{
    const std::size_t count = 100000;
    std::vector<std::vector<float>> streams;
    for (const NodeId node : {0U, 1U, 2U, 65536U})
    {
        for (const Round round : {0U, 1U, 2U, 65536U})
        {
            streams.emplace_back(count);
            RandomStream({1, 1}, RandomPurpose::NOISE, node, round)
                .FillNormal(streams.back().data(), count);
        }
    }
    for (std::size_t a = 0; a < streams.size(); ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            double product = 0.0;
            double squares = 0.0;
            for (std::size_t i = 0; i < count; ++i)
            {
                const double x = streams[a][i];
                const double y = streams[b][i];
                product += x * y;
                squares += (x * x - 1.0) * (y * y - 1.0);
            }
            // Five standard errors; the variance of the second product is 2 * 2.
            EXPECT_NEAR(product / std::sqrt(count), 0.0, 5.0) << a << " " << b;
            EXPECT_NEAR(squares / std::sqrt(count), 0.0, 10.0) << a << " " << b;
        }
    }
}

TEST(RandomStream, ShorterRequestIsAPrefixOfALongerOne)
{
    const RandomStream stream({1, 1}, RandomPurpose::NOISE, 2, 9);
    std::vector<float> all(200);
    stream.FillNormal(all.data(), all.size());
    for (const std::size_t count : {1, 63, 64, 65, 130})
    {
        std::vector<float> some(count);
        stream.FillNormal(some.data(), count);
        EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << count;
    }
}

TEST(RandomStream, StreamsOfDifferentKeysDiffer)
{
    std::set<std::uint32_t> words;
    words.insert(RandomStream({1, 1}, RandomPurpose::NOISE, 0, 0).Word(0));
    words.insert(RandomStream({2, 1}, RandomPurpose::NOISE, 0, 0).Word(0));
    words.insert(RandomStream({1, 2}, RandomPurpose::NOISE, 0, 0).Word(0));
    words.insert(RandomStream({1, 1}, RandomPurpose::SAMPLING, 0, 0).Word(0));
    words.insert(RandomStream({1, 1}, RandomPurpose::NOISE, 1, 0).Word(0));
    words.insert(RandomStream({1, 1}, RandomPurpose::NOISE, 0, 1).Word(0));
    words.insert(RandomStream({1, 1}, RandomPurpose::NOISE, 0, 0).Word(4));
    EXPECT_EQ(words.size(), 7U);
}

TEST(RandomStream, UniformsFillTheUnitInterval)
{
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 1);
    const int count = 100000;
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const double u = stream.Uniform(i);
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        ASSERT_LT(stream.Integer(i, 7), 7U);
    }
    EXPECT_NEAR(sum / count, 0.5, 5.0 / std::sqrt(12.0 * count));
}

TEST(WordSequence, TakesTheWordsInTheirOrder)
{
    const RandomStream stream({7, 3}, RandomPurpose::TEST, 5, 11);
    WordSequence words(stream);
    for (std::uint64_t i = 0; i < 200; ++i)
    {
        ASSERT_EQ(words.Next(), stream.Word(i));
    }
}

TEST(WordSequence, IntegersAreUniform)
{
    WordSequence words(RandomStream({7, 3}, RandomPurpose::TEST, 5, 12));
    EXPECT_EQ(words.Integer(1), 0U);
    // 3 * 2^30 leaves a quarter of all words out: without rejection, a third of the integers would
    // come twice as often as the others.
    for (const std::uint32_t bound : {2U, 3U, 100U, 3U << 30})
    {
        const std::uint32_t cells = std::min(bound, 99U);
        std::vector<double> counts(cells);
        const int draws = 300000;
        for (int i = 0; i < draws; ++i)
        {
            const std::uint32_t value = words.Integer(bound);
            ASSERT_LT(value, bound);
            counts[value % cells] += 1.0;
        }
        std::vector<double> probabilities(cells, 1.0 / cells);
        if (bound == 100)
        {
            std::fill(probabilities.begin(), probabilities.end(), 0.01);
            probabilities[0] = 0.02;
        }
        const ChiSquare fit = FitOf(counts, probabilities, draws);
        EXPECT_LT(fit.value, fit.Limit()) << bound;
    }
}

} // namespace
} // namespace dpdl
