// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "dpdl/training/gossip.h"
#include "dpdl/training/parameters.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <vector>

namespace dpdl
{
namespace
{

TEST(ParameterPool, ReusesVectors)
{
    ParameterPool pool(100);
    const float* first = pool.Acquire()->Data();
    EXPECT_EQ(pool.Acquire()->Data(), first);
    EXPECT_EQ(pool.Allocated(), 1U);
    const ParameterHandle a = pool.Acquire();
    const ParameterHandle b = pool.Acquire();
    EXPECT_NE(a->Data(), b->Data());
    EXPECT_EQ(pool.Allocated(), 2U);
    EXPECT_EQ(a->Size(), 100U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b->Data()) % 64, 0U);
}

TEST(ParameterPool, KeepsAVectorWhileAnyHandleLives)
{
    ParameterPool pool(1);
    ParameterHandle a = pool.Acquire();
    const std::weak_ptr<ParameterVector> observer = a;
    const ParameterHandle copy = a;
    a.reset();
    EXPECT_NE(pool.Acquire()->Data(), copy->Data());
    EXPECT_FALSE(observer.expired());
}

TEST(ParameterPool, CopiesValues)
{
    ParameterPool pool(3);
    const std::vector<float> values{1.0F, 2.0F, 3.0F};
    const ParameterHandle handle = pool.AcquireCopy(values.data());
    EXPECT_EQ(std::vector<float>(handle->Data(), handle->Data() + 3), values);
}

TEST(ParameterPool, HandlesOutliveThePool)
{
    ParameterHandle handle;
    {
        ParameterPool pool(2);
        handle = pool.Acquire();
    }
    handle->Data()[1] = 5.0F;
    EXPECT_EQ(handle->Data()[1], 5.0F);
}

TEST(ParameterPool, TakesVectorsBackFromAnyThread)
{
    ParameterPool pool(16);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
    {
        threads.emplace_back([&pool, t] {
            for (int i = 0; i < 2000; ++i)
            {
                const ParameterHandle handle = pool.Acquire();
                const auto mark = static_cast<float>(t);
                std::fill_n(handle->Data(), 16, mark);
                std::this_thread::yield();
                ASSERT_EQ(handle->Data()[15], mark);
            }
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    EXPECT_LE(pool.Allocated(), 4U);
}

TEST(Parameters, TravelAsLittleEndianFloatsAndComeBackToTheLastBit)
{
    const std::vector<float> values{1.0F,
                                    -0.0F,
                                    1e-42F,
                                    std::numeric_limits<float>::max(),
                                    std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN()};
    std::vector<std::uint8_t> bytes(4 * values.size());
    EncodeParameters(values.data(), values.size(), bytes.data());
    EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + 8),
              (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0, 0x80}));
    std::vector<float> read(values.size());
    DecodeParameters(bytes.data(), read.size(), read.data());
    EXPECT_EQ(std::memcmp(read.data(), values.data(), bytes.size()), 0);
}

/// Vectors of random numbers.
std::vector<ParameterHandle>
RandomSources(ParameterPool& pool, std::size_t count)
{
    std::vector<ParameterHandle> sources;
    for (std::size_t i = 0; i < count; ++i)
    {
        sources.push_back(pool.Acquire());
        const RandomStream stream({4, 1}, RandomPurpose::TEST, 0, static_cast<Round>(i));
        stream.FillNormal(sources.back()->Data(), pool.Dimension());
    }
    return sources;
}

/// A round of random rows: row r has r terms, in chunks of its own length.
struct RandomRound
{
    RandomRound(std::size_t length, std::size_t count)
        : pool(length),
          sources(RandomSources(pool, 7)),
          terms(count)
    {
        const RandomStream stream({4, 2}, RandomPurpose::TEST, 0, 0);
        std::uint64_t draw = 0;
        for (std::size_t row = 0; row < count; ++row)
        {
            // The last chunk first: the order of the chunks does not matter.
            const std::size_t chunk = row % 3 == 0 ? length : length / (row % 5 + 1) + 1;
            for (std::size_t end = length; row > 0 && end > 0;)
            {
                const std::size_t begin = (end - 1) / chunk * chunk;
                for (std::size_t t = 0; t < row; ++t)
                {
                    const ParameterHandle& source = sources[(row + t * t) % sources.size()];
                    terms[row].push_back({source, stream.Uniform(draw++) - 0.3, begin, end});
                }
                end = begin;
            }
            outs.push_back(pool.Acquire());
            rows.push_back({&terms[row], outs.back().get(), -1.0});
        }
    }

    void ExpectMixed()
    {
        const ParameterHandle expected = pool.Acquire();
        for (const MixRow& row : rows)
        {
            MixParameters(*row.terms, *expected);
            const float* const values = expected->Data();
            EXPECT_TRUE(std::equal(values, values + pool.Dimension(), row.out->Data()))
                << row.terms->size();
            EXPECT_EQ(row.error, MixingError(*row.terms, *expected));
        }
    }

    ParameterPool pool;
    std::vector<ParameterHandle> sources;
    std::vector<std::vector<MixTerm>> terms;
    std::vector<ParameterHandle> outs;
    std::vector<MixRow> rows;
};

TEST(RoundMix, IsEveryRowsMixToTheLastBit)
{
    RoundMix mix;
    for (const std::size_t length : {1U, 15U, 64U, 255U, 256U, 257U, 7850U})
    {
        RandomRound round(length, 40);
        mix.Mix(round.rows);
        round.ExpectMixed();
    }
}

TEST(RoundMix, MayBeDoneInPartsAndInAnyOrder)
{
    RandomRound round(7850, 20);
    RoundMix mix;
    mix.Begin(round.rows);
    EXPECT_EQ(mix.Length(), 7850U);
    mix.MixColumns(5000, 7850);
    mix.MixColumns(0, 1024);
    mix.MixColumns(1024, 5000);
    mix.Finish();
    round.ExpectMixed();
}

TEST(RoundMix, OfMoreThanTheCachesHoldIsTheSame)
{
    RandomRound round(2000003, 5);
    RoundMix mix;
    mix.Mix(round.rows);
    round.ExpectMixed();
}

TEST(RoundMix, TakesNoRows)
{
    std::vector<MixRow> none;
    RoundMix mix;
    mix.Mix(none);
    EXPECT_EQ(mix.Length(), 0U);
}

} // namespace
} // namespace dpdl
