// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "dpdl/base/errors.h"
#include "dpdl/training/compressor.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dpdl
{
namespace
{

constexpr RandomSeed CODER_SEED{7, 2};
constexpr std::size_t VALUES = 1000; // three blocks of a scale and a part of one

std::vector<float>
DrawValues(std::size_t count)
{
    std::vector<float> values(count);
    RandomStream(CODER_SEED, RandomPurpose::TEST, 0, 0).FillNormal(values.data(), count);
    return values;
}

/// What a receiver reads.
std::vector<float>
Pass(const Compressor& compressor, const std::vector<float>& values, const MessageName& name)
{
    // A byte behind the message that nothing may write.
    std::vector<std::uint8_t> message(compressor.Bytes(values.size()) + 1, 0xa5);
    compressor.Encode(values.data(), values.size(), name, message.data());
    EXPECT_EQ(message.back(), 0xa5);
    message.pop_back();
    std::vector<float> read(values.size(), -1.0F);
    compressor.Decode(message.data(), values.size(), name, read.data());
    return read;
}

TEST(Compressor, QuantizedValuesAreWithinHalfALevelAndRightOnAverage)
{
    const std::vector<float> values = DrawValues(VALUES);
    for (unsigned bits = 2; bits <= 16; ++bits)
    {
        const auto compressor = MakeCompressor("quantize:" + std::to_string(bits), CODER_SEED);
        EXPECT_EQ(compressor->Bytes(VALUES), 4 * 4 + 3 * 32 * bits + (232 * bits + 7) / 8);
        double sum = 0.0;
        double squares = 0.0;
        constexpr Round ROUNDS = 50;
        for (Round round = 0; round < ROUNDS; ++round)
        {
            const std::vector<float> read = Pass(*compressor, values, {3, round});
            for (std::size_t begin = 0; begin < VALUES; begin += 256)
            {
                const std::size_t end = std::min(begin + 256, VALUES);
                float scale = 0.0F;
                for (std::size_t i = begin; i < end; ++i)
                {
                    scale = std::max(scale, std::abs(values[i]));
                }
                const double level = 2.0 * scale / (std::exp2(bits) - 2.0);
                for (std::size_t i = begin; i < end; ++i)
                {
                    const double error = (static_cast<double>(read[i]) - values[i]) / level;
                    ASSERT_LE(std::abs(error), 0.5 + 1e-2) << bits << " " << i;
                    sum += error;
                    squares += error * error;
                }
            }
        }
        // Uniform in a level: variance 1/12, of the mean 1/12 over their number.
        constexpr double SAMPLES = VALUES * ROUNDS;
        EXPECT_LT(std::abs(sum / SAMPLES) * std::sqrt(12 * SAMPLES), 5.0) << bits;
        EXPECT_NEAR(squares / SAMPLES, 1.0 / 12, 0.002) << bits;
    }
}

TEST(Compressor, BlocksOfZerosStayZeroAndThoseThatAreNotFiniteBecomeNone)
{
    const auto compressor = MakeCompressor("quantize:4", CODER_SEED);
    std::vector<float> values(600, 0.0F);
    values[300] = std::numeric_limits<float>::infinity();
    const std::vector<float> read = Pass(*compressor, values, {});
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_EQ(std::isnan(read[i]), i >= 256 && i < 512) << i;
        EXPECT_TRUE(std::isnan(read[i]) || read[i] == 0.0F) << i;
    }
}

TEST(Compressor, CoinsAreThoseOfNodeRoundAndParameter)
{
    const std::vector<float> values = DrawValues(VALUES);
    const auto compressor = MakeCompressor("quantize:4", CODER_SEED);
    const std::vector<float> read = Pass(*compressor, values, {3, 5, 0});
    EXPECT_EQ(read, Pass(*compressor, values, {3, 5, 0}));
    EXPECT_NE(read, Pass(*compressor, values, {4, 5, 0}));
    EXPECT_NE(read, Pass(*compressor, values, {3, 6, 0}));
    EXPECT_NE(read, Pass(*MakeCompressor("quantize:4", {7, 3}), values, {3, 5, 0}));
    // A chunk that begins with a block reads as it does in the whole.
    const std::vector<float> rest(values.begin() + 512, values.end());
    const std::vector<float> readRest(read.begin() + 512, read.end());
    EXPECT_EQ(readRest, Pass(*compressor, rest, {3, 5, 512}));
}

TEST(Compressor, TopKPassesTheLargestAndNothingElse)
{
    std::vector<float> values = DrawValues(VALUES);
    values[17] = values[18] = -9.0F; // equal magnitudes
    for (const double part : {0.001, 0.01, 0.1, 0.5, 0.999})
    {
        const auto compressor = MakeCompressor("top-k:" + std::to_string(part), CODER_SEED);
        const auto kept = static_cast<std::size_t>(std::ceil(part * VALUES));
        EXPECT_EQ(compressor->Bytes(VALUES), 4 * kept + (10 * kept + 7) / 8);
        const std::vector<float> read = Pass(*compressor, values, {});
        std::vector<float> magnitudes;
        for (std::size_t i = 0; i < VALUES; ++i)
        {
            EXPECT_TRUE(read[i] == 0.0F || read[i] == values[i]);
            magnitudes.push_back(std::abs(values[i]));
        }
        std::nth_element(magnitudes.begin(),
                         magnitudes.begin() + static_cast<long>(kept - 1),
                         magnitudes.end(),
                         std::greater<>());
        EXPECT_EQ(static_cast<std::size_t>(VALUES - std::count(read.begin(), read.end(), 0.0F)),
                  kept);
        for (std::size_t i = 0; i < VALUES; ++i)
        {
            EXPECT_TRUE(read[i] == 0.0F || std::abs(read[i]) >= magnitudes[kept - 1]);
        }
        EXPECT_EQ(read[17], -9.0F) << "the first of equal ones";
    }
}

TEST(Compressor, RandomKPassesEachValueEquallyOften)
{
    const std::vector<float> values = DrawValues(VALUES);
    const auto compressor = MakeCompressor("random-k:0.1", CODER_SEED);
    EXPECT_EQ(compressor->Bytes(VALUES), 400u);
    std::vector<int> passed(VALUES, 0);
    constexpr Round ROUNDS = 500;
    for (Round round = 0; round < ROUNDS; ++round)
    {
        const std::vector<float> read = Pass(*compressor, values, {1, round});
        ASSERT_EQ(std::count(read.begin(), read.end(), 0.0F), 900);
        for (std::size_t i = 0; i < VALUES; ++i)
        {
            ASSERT_TRUE(read[i] == 0.0F || read[i] == values[i]);
            passed[i] += read[i] == 0.0F ? 0 : 1;
        }
    }
    // 50 times each, with a standard deviation of sqrt(45).
    EXPECT_GT(*std::min_element(passed.begin(), passed.end()), 50 - 5 * 6.7);
    EXPECT_LT(*std::max_element(passed.begin(), passed.end()), 50 + 5 * 6.7);
}

TEST(Compressor, ApproximationsTakeNothingFromWhatDoesNotTravel)
{
    ParameterPool pool(VALUES);
    std::vector<float> values = DrawValues(VALUES);
    for (const char* how : {"quantize:3", "top-k:0.1", "random-k:0.1"})
    {
        const auto compressor = MakeCompressor(how, CODER_SEED);
        const ChunkLayout chunks(700, 300);
        std::vector<std::vector<float>> results;
        for (const float secret : {0.0F, 1e9F, std::numeric_limits<float>::quiet_NaN()})
        {
            std::fill(values.begin() + 700, values.end(), secret);
            const ParameterHandle out = pool.Acquire();
            Approximate(*compressor,
                        chunks,
                        {2, 9},
                        *pool.AcquireCopy(values.data()),
                        nullptr,
                        *out);
            results.emplace_back(out->Data(), out->Data() + VALUES);
        }
        EXPECT_EQ(results[0], results[1]) << how;
        EXPECT_EQ(results[0], results[2]) << how;
        EXPECT_EQ(std::count(results[0].begin() + 700, results[0].end(), 0.0F), 300) << how;
    }
}

TEST(Compressor, ADifferenceToTheSameIsNothing)
{
    ParameterPool pool(VALUES);
    const std::vector<float> values = DrawValues(VALUES);
    const ParameterHandle state = pool.AcquireCopy(values.data());
    for (const char* how : {"quantize:2", "top-k:0.1", "random-k:0.1"})
    {
        const ParameterHandle out = pool.Acquire();
        Approximate(*MakeCompressor(how, CODER_SEED), {}, {}, *state, state.get(), *out);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), out->Data())) << how;
    }
}

TEST(Compressor, RefusesOtherNames)
{
    EXPECT_EQ(MakeCompressor("none", CODER_SEED), nullptr);
    for (const std::string& name : Pieces(" quantize quantize: quantize:1 quantize:17 quantize:x "
                                          "top-k top-k:0 top-k:1 random-k:2 random-k:nan zip"))
    {
        EXPECT_THROW(MakeCompressor(name, CODER_SEED), UsageError) << name;
    }
}

} // namespace
} // namespace dpdl
