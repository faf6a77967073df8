// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/training/clip-rule.h"
#include "test-images.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace dpdl
{
namespace
{

constexpr double NO_CLIP = std::numeric_limits<double>::infinity();
constexpr std::size_t EXAMPLES = 24;

double
NormOf(ClipNorm norm, const double* first, const double* last)
{
    double sum = 0.0;
    for (; first != last; ++first)
    {
        const double value = *first;
        sum += norm == ClipNorm::L2 ? value * value : std::fabs(value);
    }
    return norm == ClipNorm::L2 ? std::sqrt(sum) : sum;
}

/// A model, images, an engine, and what a rule makes of them.
class ClipRuleTest : public testing::Test
{
  protected:
    BatchResult Sum(const ClipRule& rule, std::uint32_t first, std::size_t count)
    {
        std::vector<std::uint32_t> examples(count);
        std::iota(examples.begin(), examples.end(), first);
        const Batch batch{&m_images->train, examples.data(), count};
        return ClippedSum(*m_engine, m_model, m_z.data(), batch, rule, m_scratch.data(), Data());
    }

    double* Data()
    {
        return m_sum.data();
    }

    std::size_t Size() const
    {
        return m_sum.size();
    }

    const ModelSpec m_model{MakeModel("cnn-s", IMAGE, 10)};
    const std::shared_ptr<const Dataset> m_images{MakeTestImages(IMAGE, EXAMPLES, 1)};
    const std::vector<float> m_z{InitialParameters(m_model, "default", {2, 1})};
    const std::unique_ptr<GradientEngine> m_engine{MakeGradientEngine("native", m_model)};

    /// The sum in float32, as ClipGradient() takes it.
    std::vector<float> Floats() const
    {
        return {m_sum.begin(), m_sum.end()};
    }

    std::vector<float> m_scratch{std::vector<float>(m_model.ParameterCount())};
    std::vector<double> m_sum{std::vector<double>(m_model.ParameterCount(), 7.0)};
};

TEST_F(ClipRuleTest, NoGradientIsTooLongForTheBound)
{
    const std::vector<float> drawn = InitialParameters(m_model, "default", {3, 1});
    for (const double bound : {1e-29, 1e-6, 1.0})
    {
        for (double length = 1e5; length < 1e38; length *= 3.0)
        {
            for (const bool isSmooth : {false, true})
            {
                std::vector<float> gradient(drawn);
                std::for_each(gradient.begin(), gradient.end(), [length](float& value) {
                    value *= static_cast<float>(length);
                });
                ClipRule rule;
                rule.bound = bound;
                rule.isSmooth = isSmooth;
                ClipGradient(m_model, rule, gradient.data());
                const std::vector<double> clipped(gradient.begin(), gradient.end());
                EXPECT_LE(NormOf(ClipNorm::L2, clipped.data(), clipped.data() + clipped.size()),
                          bound)
                    << length;
            }
        }
    }
}

TEST_F(ClipRuleTest, OneExampleMovesTheSumByAtMostTheBound)
{
    for (const ClipNorm norm : {ClipNorm::L2, ClipNorm::L1})
    {
        for (const double bound : {1e-3, 0.3, 5.0, 1e6})
        {
            for (std::uint32_t example = 0; example < EXAMPLES; ++example)
            {
                const BatchResult result = Sum({bound, norm, false, 0, Size()}, example, 1);
                const double after = NormOf(norm, Data(), Data() + Size());
                EXPECT_LE(after, bound);
                const double expected = std::min(bound * (1 - 1e-6), result.normSum);
                EXPECT_NEAR(after, expected, 1e-6 * expected);
                EXPECT_EQ(result.clipped, result.normSum > bound ? 1U : 0U);
            }
        }
    }
}

TEST_F(ClipRuleTest, SmoothClippingKeepsTheDirectionAndNeverReachesTheBound)
{
    for (const double bound : {1e-3, 0.3, 5.0, 1e6})
    {
        for (std::uint32_t example = 0; example < EXAMPLES; ++example)
        {
            Sum({NO_CLIP}, example, 1);
            const std::vector<double> free = m_sum;
            ClipRule rule{bound};
            rule.isSmooth = true;
            const BatchResult result = Sum(rule, example, 1);
            const double before = NormOf(ClipNorm::L2, free.data(), free.data() + Size());
            EXPECT_LT(NormOf(ClipNorm::L2, Data(), Data() + Size()), std::min(bound, before));
            EXPECT_EQ(result.clipped, before > bound ? 1U : 0U);
            for (std::size_t i = 0; i < Size(); ++i)
            {
                const double expected = bound / (bound + before) * free[i];
                EXPECT_NEAR(Data()[i], expected, 3e-6 * std::abs(expected));
            }
        }
    }
}

TEST_F(ClipRuleTest, EveryTensorHasTheBoundOfItsOwn)
{
    for (const ClipNorm norm : {ClipNorm::L2, ClipNorm::L1})
    {
        for (const double bound : {0.05, 0.5})
        {
            for (std::uint32_t example = 0; example < EXAMPLES; ++example)
            {
                Sum({NO_CLIP, norm}, example, 1);
                const std::vector<double> free = m_sum;
                Sum({bound, norm, true}, example, 1);
                for (const ParameterTensor& tensor : m_model.Parameters())
                {
                    const double* was = free.data() + tensor.offset;
                    const double* is = Data() + tensor.offset;
                    const double before = NormOf(norm, was, was + tensor.size);
                    const double after = NormOf(norm, is, is + tensor.size);
                    EXPECT_LE(after, bound);
                    EXPECT_NEAR(after, std::min(bound, before), 3e-6 * bound) << tensor.name;
                }
            }
        }
    }
}

TEST_F(ClipRuleTest, WhatDoesNotCountIsZeroAndDoesNotClip)
{
    const std::size_t begin = m_model.Parameters()[2].offset - 3;
    const std::size_t end = m_model.Parameters()[4].offset + 5;
    for (const bool perTensor : {false, true})
    {
        for (const double bound : {0.2, NO_CLIP})
        {
            Sum({bound, ClipNorm::L2, perTensor, begin, end}, 0, 1);
            EXPECT_EQ(std::count(Data(), Data() + begin, 0.0), static_cast<long>(begin));
            EXPECT_EQ(std::count(Data() + end, Data() + Size(), 0.0),
                      static_cast<long>(Size() - end));
            EXPECT_GT(NormOf(ClipNorm::L2, Data() + begin, Data() + end), 0.0);
        }
    }
    Sum({NO_CLIP, ClipNorm::L2}, 0, 1);
    const double within = NormOf(ClipNorm::L2, Data() + begin, Data() + end);
    ASSERT_LT(within, NormOf(ClipNorm::L2, Data(), Data() + Size()));
    const BatchResult result = Sum({1.001 * within, ClipNorm::L2, false, begin, end}, 0, 1);
    EXPECT_EQ(result.clipped, 0U);
    EXPECT_NEAR(result.normSum, within, 1e-6 * within);
}

TEST_F(ClipRuleTest, ARangeBehindTheModelLeavesNothing)
{
    Sum({1.0, ClipNorm::L1, true, Size() + 10, Size() + 20}, 0, 3);
    EXPECT_EQ(std::count(Data(), Data() + Size(), 0.0), static_cast<long>(Size()));
}

// Plain L2 clipping is the engine's bit for bit, and what clipping one by one comes to.
TEST_F(ClipRuleTest, PlainClippingIsTheEngines)
{
    const double bound = 1.0;
    const BatchResult fast = Sum({bound, ClipNorm::L2}, 0, EXAMPLES);
    const std::vector<double> sum = m_sum;
    std::vector<double> direct(Size());
    std::vector<std::uint32_t> examples(EXAMPLES);
    std::iota(examples.begin(), examples.end(), 0U);
    const Batch batch{&m_images->train, examples.data(), EXAMPLES};
    m_engine->ClippedGradientSum(m_z.data(), batch, bound, direct.data());
    EXPECT_EQ(sum, direct);

    std::vector<double> slow(Size(), 0.0);
    for (std::uint32_t example = 0; example < EXAMPLES; ++example)
    {
        Sum({NO_CLIP, ClipNorm::L2}, example, 1);
        std::vector<float> one = Floats();
        ClipGradient(m_model, {bound, ClipNorm::L2}, one.data());
        std::transform(slow.begin(), slow.end(), one.begin(), slow.begin(), std::plus<>());
    }
    const double norm = NormOf(ClipNorm::L2, sum.data(), sum.data() + Size());
    std::transform(slow.begin(), slow.end(), sum.begin(), slow.begin(), std::minus<>());
    EXPECT_LE(NormOf(ClipNorm::L2, slow.data(), slow.data() + Size()), 1e-5 * norm);
    EXPECT_GT(fast.clipped, 0U);
}

TEST_F(ClipRuleTest, AnEmptyBatchIsZero)
{
    const BatchResult result = Sum({1.0, ClipNorm::L1}, 0, 0);
    EXPECT_EQ(result.size, 0U);
    EXPECT_EQ(std::count(Data(), Data() + Size(), 0.0), static_cast<long>(Size()));
}

TEST_F(ClipRuleTest, GradientsThatAreNotFiniteBecomeZero)
{
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    {
        std::vector<float> gradient(Size(), 0.01F);
        gradient[0] = bad;
        EXPECT_TRUE(ClipGradient(m_model, {1.0, ClipNorm::L1}, gradient.data()).clipped);
        EXPECT_EQ(std::count(gradient.begin(), gradient.end(), 0.0F), static_cast<long>(Size()));

        std::fill(gradient.begin(), gradient.end(), 0.01F);
        gradient[0] = bad;
        EXPECT_TRUE(ClipGradient(m_model, {1e6, ClipNorm::L2, true}, gradient.data()).clipped);
        const auto first = static_cast<long>(m_model.Parameters().front().size);
        EXPECT_EQ(std::count(gradient.begin(), gradient.end(), 0.0F), first);
    }
}

TEST_F(ClipRuleTest, TheMeanOfABatchIsScaledByOneFactor)
{
    Sum({NO_CLIP}, 0, EXAMPLES);
    std::vector<float> mean = Floats();
    const std::vector<double> before(mean.begin(), mean.end());
    const double norm = NormOf(ClipNorm::L1, before.data(), before.data() + Size());
    const double bound = 0.25 * norm;
    const ClipOutcome outcome = ClipGradient(m_model, {bound, ClipNorm::L1}, mean.data());
    EXPECT_NEAR(outcome.norm, norm, 1e-9 * norm);
    EXPECT_TRUE(outcome.clipped);
    for (std::size_t i = 0; i < Size(); i += 97)
    {
        EXPECT_NEAR(mean[i], 0.25 * before[i], 1e-5 * std::fabs(before[i]));
    }
}

} // namespace
} // namespace dpdl
