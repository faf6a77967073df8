// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/discrete-gaussian.h"
#include "dpdl/base/errors.h"
#include "statistics.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

WordSequence
WordsOf(Round round)
{
    return WordSequence(RandomStream({17, 5}, RandomPurpose::TEST, 1, round));
}

/// Exact probabilities of -bound..bound, summed from the small ones up.
std::vector<double>
ExactProbabilities(double scale, int bound)
{
    std::vector<double> weights(2 * bound + 1);
    for (int y = -bound; y <= bound; ++y)
    {
        weights[y + bound] = std::exp(-0.5 * y * y / (scale * scale));
    }
    double total = 0.0;
    for (int size = bound; size >= 0; --size)
    {
        total += weights[bound + size] + (size > 0 ? weights[bound - size] : 0.0);
    }
    for (double& weight : weights)
    {
        weight /= total;
    }
    return weights;
}

TEST(DiscreteGaussian, HasTheExactProbabilities)
{
    const std::size_t draws = 1000000;
    for (const std::uint32_t scale : {1U, 2U, 3U, 5U, 10U, 25U, 50U})
    {
        const int bound = static_cast<int>(10 * scale);
        std::vector<double> counts(2 * bound + 1);
        const DiscreteGaussian noise(scale);
        WordSequence words = WordsOf(scale);
        for (std::size_t i = 0; i < draws; ++i)
        {
            const std::int64_t y = noise.Draw(words);
            ASSERT_LE(std::abs(y), bound);
            counts[static_cast<std::size_t>(y + bound)] += 1.0;
        }
        const ChiSquare fit = FitOf(counts, ExactProbabilities(scale, bound), draws);
        EXPECT_GT(fit.cells, scale) << scale;
        EXPECT_LT(fit.value, fit.Limit()) << "scale " << scale << ", " << fit.cells << " cells";
    }
}

TEST(DiscreteGaussian, IsSymmetricWithTheRightVariance)
{
    const double draws = 1000000;
    for (const std::uint32_t scale : {1U, 4U, 1000U, 1U << 20, DiscreteGaussian::MAX_SCALE})
    {
        const DiscreteGaussian noise(scale);
        WordSequence words = WordsOf(100);
        double sums[4] = {};
        for (int i = 0; i < static_cast<int>(draws); ++i)
        {
            const double z = static_cast<double>(noise.Draw(words)) / scale;
            sums[0] += z;
            sums[1] += z * z;
            sums[2] += z * z * z;
            sums[3] += z * z * z * z;
        }
        // The moments of a standard normal, within five standard errors; scale 1 differs by 1e-6.
        EXPECT_NEAR(sums[0] / draws, 0.0, 5.0 * std::sqrt(1.0 / draws)) << scale;
        EXPECT_NEAR(sums[1] / draws, 1.0, 5.0 * std::sqrt(2.0 / draws)) << scale;
        EXPECT_NEAR(sums[2] / draws, 0.0, 5.0 * std::sqrt(15.0 / draws)) << scale;
        EXPECT_NEAR(sums[3] / draws, 3.0, 5.0 * std::sqrt(96.0 / draws)) << scale;
    }
}

TEST(DiscreteGaussian, TendsToTheNormalDistribution)
{
    const std::size_t draws = 1000000;
    const std::uint32_t scale = 1U << 24;
    const DiscreteGaussian noise(scale);
    WordSequence words = WordsOf(200);
    std::vector<double> z(draws);
    for (double& value : z)
    {
        value = static_cast<double>(noise.Draw(words)) / scale;
    }
    const ChiSquare fit = FitToNormal(z);
    EXPECT_LT(fit.value, fit.Limit());
}

TEST(DiscreteGaussian, IsAFunctionOfItsBits)
{
    const DiscreteGaussian noise(1000);
    WordSequence first = WordsOf(3);
    WordSequence same = WordsOf(3);
    WordSequence other = WordsOf(4);
    int different = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const std::int64_t y = noise.Draw(first);
        ASSERT_EQ(y, noise.Draw(same));
        different += y == noise.Draw(other) ? 0 : 1;
    }
    EXPECT_GT(different, 950);
}

TEST(DiscreteGaussian, RefusesScalesOutOfRange)
{
    EXPECT_THROW(DiscreteGaussian(0), UsageError);
    EXPECT_THROW(DiscreteGaussian(DiscreteGaussian::MAX_SCALE + 1), UsageError);
}

} // namespace
} // namespace dpdl
