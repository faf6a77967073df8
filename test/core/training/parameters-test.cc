// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/parameters.h"

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

} // namespace
} // namespace dpdl
