// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/random.h"
#include "host-executor.h"

#include <cmath>
#include <gtest/gtest.h>
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
    rule.scale = 0.25F / 64.0F;
    rule.noise = 1.5F;
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

TEST(DeviceState, WordsAreThoseOfTheStream)
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

TEST(DeviceState, NormalsAreThoseOfTheStream)
{
    constexpr std::uint64_t BLOCKS = 1U << 16;
    std::vector<float> expected(4 * BLOCKS);
    Noise().FillNormal(expected.data(), expected.size());
    double worst = 0.0;
    for (std::uint64_t block = 0; block < BLOCKS; ++block)
    {
        const dpdl::cuda::Block words = dpdl::cuda::PhiloxBlock(Rule().stream, block);
        double normal[4];
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

/// The fused update of three nodes is noise, division and step one after the other.
TEST(DeviceState, UpdatesAsTheHostDoes)
{
    dpdl::HostExecutor executor;
    for (std::size_t count : {1U, 63U, 64U, 65U, 1000U, 100003U})
    {
        const std::vector<float> sum = Ramp(3 * count, 0.01F);
        const std::vector<float> start = Ramp(3 * count, 0.02F);
        std::vector<float> z = start;
        std::vector<dpdl::cuda::UpdateRule> rules(3, Rule());
        rules[1].scale = 0.0F;
        rules[2].noise = 0.0F;
        executor.ForEach(dpdl::cuda::UpdateStates{z.data(), sum.data(), rules.data(), count},
                         3 * dpdl::cuda::UpdateStates::CallsPerNode(count));
        std::vector<float> noisy = sum;
        Noise().AddNormal(noisy.data(), count, rules[0].noise);
        for (std::size_t i = 0; i < 3 * count; ++i)
        {
            const float expected = start[i] - rules[i / count].scale * noisy[i];
            ASSERT_NEAR(z[i], expected, 1e-6) << i << " of " << count;
        }
    }
}

} // namespace
