// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

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

// Box-Muller in double precision from the words that RandomStream documents.
std::vector<double>
ReferenceNormals(const RandomStream& stream, std::size_t count)
{
    std::vector<double> normals(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::size_t chunk = i / 64;
        const std::size_t pair = i % 64 / 32;
        const std::size_t lane = i % 16;
        const std::uint64_t word = 4 * (16 * chunk + lane) + 2 * pair;
        const std::uint64_t high = stream.Word(word);
        const std::uint64_t low = stream.Word(word + 1);
        const double u =
            (256.0 * static_cast<double>(high) + static_cast<double>(low & 0xff) + 0.5) *
            std::ldexp(1.0, -40);
        const double angle = 2.0 * M_PI * std::ldexp(static_cast<double>(low), -32);
        const double radius = std::sqrt(-2.0 * std::log(u));
        normals[i] = radius * (i % 32 < 16 ? std::cos(angle) : std::sin(angle));
    }
    return normals;
}

TEST(RandomStream, NormalsEqualBoxMullerInDoublePrecision)
{
    const RandomStream stream({7, 3}, RandomPurpose::TEST, 5, 11);
    const std::size_t count = 100000;
    std::vector<float> normals(count);
    stream.FillNormal(normals.data(), count);
    const std::vector<double> reference = ReferenceNormals(stream, count);
    for (std::size_t i = 0; i < count; ++i)
    {
        // Radii near 1 lose bits in float32: the error is absolute there, not relative.
        ASSERT_NEAR(normals[i], reference[i], 4e-4) << "element " << i;
    }
}

TEST(RandomStream, NormalsHaveTheRightMoments)
{
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    const std::size_t count = 4000000;
    std::vector<float> z(count);
    stream.FillNormal(z.data(), count);
    double sums[4] = {};
    for (const double value : z)
    {
        sums[0] += value;
        sums[1] += value * value;
        sums[2] += value * value * value;
        sums[3] += value * value * value * value;
    }
    // Five standard errors: the variances of x, x^2, x^3, x^4 are 1, 2, 15, 96.
    const double root = std::sqrt(static_cast<double>(count));
    EXPECT_NEAR(sums[0] / count, 0.0, 5.0 * 1.0 / root);
    EXPECT_NEAR(sums[1] / count, 1.0, 5.0 * std::sqrt(2.0) / root);
    EXPECT_NEAR(sums[2] / count, 0.0, 5.0 * std::sqrt(15.0) / root);
    EXPECT_NEAR(sums[3] / count, 3.0, 5.0 * std::sqrt(96.0) / root);
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

TEST(RandomStream, AddNormalAddsTheScaledNormals)
{
    const RandomStream stream({1, 1}, RandomPurpose::NOISE, 2, 9);
    std::vector<float> normals(150);
    std::vector<float> values(150, 2.0F);
    stream.FillNormal(normals.data(), normals.size());
    stream.AddNormal(values.data(), values.size(), 0.5F);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_NEAR(values[i], 2.0F + 0.5F * normals[i], 1e-6F);
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

TEST(RandomStream, ManyWordsAtOnceAreTheSameWords)
{
    const RandomStream stream({7, 3}, RandomPurpose::TEST, 5, 11);
    for (const std::uint64_t chunk : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 40})
    {
        std::uint32_t words[RandomStream::WORDS_AT_ONCE];
        stream.FillWords(chunk, words);
        for (std::size_t i = 0; i < RandomStream::WORDS_AT_ONCE; ++i)
        {
            ASSERT_EQ(words[i], stream.Word(chunk * RandomStream::WORDS_AT_ONCE + i));
        }
    }
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
