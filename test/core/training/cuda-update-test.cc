// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "update-kernel.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace
{

constexpr dpdl::RandomSeed SEED{7, 3};
constexpr dpdl::NodeId NODE = 5;
constexpr dpdl::Round ROUND = 11;

dpdl::RandomStream
Noise()
{
    return dpdl::RandomStream(SEED, dpdl::RandomPurpose::NOISE, NODE, ROUND);
}

dpdl::cuda::UpdateRule
Rule()
{
    dpdl::cuda::UpdateRule rule;
    rule.stepSize = 0.25F;
    rule.noise = 1.5F;
    rule.divisor = 64.0F;
    rule.stream = {{SEED.seed, SEED.run},
                   {static_cast<std::uint32_t>(dpdl::RandomPurpose::NOISE), NODE, ROUND}};
    return rule;
}

std::vector<float>
Ramp(std::size_t count, float scale)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = scale * static_cast<float>(i % 97) - 1.0F;
    }
    return values;
}

/// The kernel's arithmetic also compiles for the host: this part needs no device.
TEST(CudaUpdate, WordsAreThoseOfTheStream)
{
    const dpdl::RandomStream stream = Noise();
    for (std::uint64_t block : {0ULL, 1ULL, 15ULL, 16ULL, 1000003ULL, (1ULL << 32) + 5, 1ULL << 45})
    {
        const dpdl::cuda::Block words = dpdl::cuda::PhiloxBlock(Rule().stream, block);
        for (std::uint64_t k = 0; k < 4; ++k)
        {
            EXPECT_EQ(words.word[k], stream.Word(4 * block + k)) << block;
        }
    }
}

TEST(CudaUpdate, NormalsAreThoseOfTheStream)
{
    constexpr std::uint64_t BLOCKS = 1U << 16;
    std::vector<float> expected(4 * BLOCKS);
    Noise().FillNormal(expected.data(), expected.size());
    double worst = 0.0;
    for (std::uint64_t block = 0; block < BLOCKS; ++block)
    {
        const dpdl::cuda::Block words = dpdl::cuda::PhiloxBlock(Rule().stream, block);
        float normal[4];
        dpdl::cuda::NormalPair(words.word[0], words.word[1], normal);
        dpdl::cuda::NormalPair(words.word[2], words.word[3], normal + 2);
        for (int k = 0; k < 4; ++k)
        {
            const float value = expected[dpdl::cuda::ElementOf(block, k)];
            worst = std::max<double>(worst, std::abs(normal[k] - value));
        }
    }
    EXPECT_LT(worst, 1e-6);
}

TEST(CudaUpdate, UpdatesAsTheHostDoes)
{
    const std::string why = dpdl::cuda::WhyNoDevice();
    if (!why.empty())
    {
        GTEST_SKIP() << "needs a CUDA device, but: " << why;
    }
    const dpdl::cuda::UpdateRule rule = Rule();
    for (std::size_t count : {1U, 63U, 64U, 65U, 1000U, 1000003U})
    {
        const std::vector<float> sum = Ramp(count, 0.01F);
        const std::vector<float> start = Ramp(count, 0.02F);
        std::vector<float> z = start;
        ASSERT_EQ(dpdl::cuda::UpdateHostVector(z.data(), sum.data(), count, rule), "");
        std::vector<float> noisy = sum;
        Noise().AddNormal(noisy.data(), count, rule.noise);
        for (std::size_t i = 0; i < count; ++i)
        {
            const float expected = start[i] - rule.stepSize / rule.divisor * noisy[i];
            ASSERT_NEAR(z[i], expected, 1e-6) << i << " of " << count;
        }
    }
}

TEST(CudaUpdate, SaysWhyThereIsNoDeviceAndLeavesTheVectorAlone)
{
    if (dpdl::cuda::WhyNoDevice().empty())
    {
        GTEST_SKIP() << "needs a machine without a CUDA device";
    }
    std::vector<float> z = Ramp(100, 0.02F);
    const std::vector<float> before = z;
    EXPECT_NE(dpdl::cuda::UpdateHostVector(z.data(), before.data(), z.size(), Rule()), "");
    EXPECT_EQ(z, before);
}

} // namespace
