// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/discrete-gaussian.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/noise-source.h"
#include "statistics.h"

#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace dpdl
{
namespace
{

constexpr RandomSeed SEED{4, 2};
constexpr double LARGEST_CELL = 0x1p52;

std::vector<double>
NoisyZeros(const NoiseSource& source, const NoiseScale& scale, std::size_t count, Round round)
{
    std::vector<double> values(count);
    source.AddNoise(values.data(), count, scale, 3, round);
    return values;
}

double
Norm(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
    {
        sum += value * value;
    }
    return std::sqrt(sum);
}

/// What discrete-gaussian rounds the values to: the noisy values without the noise.
std::vector<double>
Rounded(const std::vector<double>& values, const NoiseScale& scale)
{
    const auto source = MakeNoiseSource("discrete-gaussian", SEED);
    std::vector<double> noisy = values;
    source->AddNoise(noisy.data(), noisy.size(), scale, 3, 7);
    const DiscreteGaussian noise(static_cast<std::uint32_t>(scale.deviation / scale.grid));
    WordSequence words(RandomStream(SEED, RandomPurpose::NOISE, 3, 7));
    std::vector<double> rounded;
    rounded.reserve(noisy.size());
    for (const double value : noisy)
    {
        rounded.push_back(value - scale.grid * static_cast<double>(noise.Draw(words)));
    }
    return rounded;
}

TEST(NoiseSource, PhiloxIsTheStreamOfTheRun)
{
    const auto source = MakeNoiseSource("philox", SEED);
    const NoiseScale scale = source->Fit(2.0, 0.5, 1000);
    EXPECT_EQ(scale.deviation, 4.0);
    EXPECT_EQ(scale.sensitivity, 2.0);
    EXPECT_EQ(scale.grid, 0.0);
    std::vector<double> expected(1001, 1.5);
    std::vector<double> values = expected;
    RandomStream(SEED, RandomPurpose::NOISE, 3, 9).AddNormal(expected.data(), 1001, 4.0);
    source->AddNoise(values.data(), values.size(), scale, 3, 9);
    EXPECT_EQ(values, expected);
}

TEST(NoiseSource, EveryOtherSourceAddsNormalsOfTheDeviation)
{
    for (const std::string& name : NoiseSources().Names())
    {
        if (name == "laplace")
        {
            continue;
        }
        const auto source = MakeNoiseSource(name, SEED);
        EXPECT_EQ(source->Name(), name);
        EXPECT_FALSE(source->Statement().empty());
        EXPECT_EQ(source->Mechanism(), name == "discrete-gaussian" ? name : "gaussian");
        const std::size_t count = 500001;
        const NoiseScale scale = source->Fit(1.5, 0.25, count);
        const std::vector<double> values = NoisyZeros(*source, scale, count, 1);
        std::vector<double> z;
        double squares = 0.0;
        for (const double value : values)
        {
            z.push_back(value / scale.deviation);
            squares += z.back() * z.back();
        }
        const double n = static_cast<double>(count);
        EXPECT_NEAR(squares / n, 1.0, 6.0 * std::sqrt(2.0 / n)) << name;
        const ChiSquare fit = FitToNormal(z);
        EXPECT_LT(fit.value, fit.Limit()) << name;
    }
}

TEST(NoiseSource, LaplaceIsTheStreamOfTheRun)
{
    const std::vector<double> values =
        NoisyZeros(*MakeNoiseSource("laplace", SEED), {2.0, 0.0, 1.0}, 77, 9);
    const RandomStream stream(SEED, RandomPurpose::NOISE, 3, 9);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const double u = stream.Uniform(i);
        const double expected = u < 0.5 ? 2.0 * std::log(2.0 * u) : -2.0 * std::log(2.0 - 2.0 * u);
        EXPECT_NEAR(values[i], expected, 1e-12 * (1.0 + std::abs(expected))) << i;
    }
}

/// How far residuals of the right sum are from being anything, as a statistic whose square is
/// exponential, with mean 1, of numbers that lie on no grid. @param turns of each residual
double
GridScore(const std::vector<double>& turns)
{
    double re = 0.0;
    double im = 0.0;
    for (const double turn : turns)
    {
        re += std::cos(2.0 * M_PI * turn);
        im += std::sin(2.0 * M_PI * turn);
    }
    return std::hypot(re, im) / std::sqrt(static_cast<double>(turns.size()));
}

/// A number in units of the last digit that it has as a float.
double
InLastDigits(double value)
{
    return value / std::ldexp(1.0, std::ilogb(value) - 23);
}

// Who holds two sums, one of which was released with noise, must not tell which by whether the
// difference lies on a grid: directions of pairs of normals, their radii, the normals themselves.
TEST(NoiseSource, NoGridTellsTheRightSum)
{
    const std::size_t count = 40 * 64;
    for (std::uint32_t run = 1; run <= 100; ++run)
    {
        const auto source = MakeNoiseSource("philox", {run, 5});
        const double deviation = 0.7 + 0.01 * run;
        // With sums far below the noise, rounding the released state hides least.
        const double size = run % 2 == 0 ? 1e-3 : 1.0;
        std::vector<double> sums(count);
        RandomStream draws({run, 6}, RandomPurpose::TEST, 0, 0);
        draws.AddNormal(sums.data(), count, size);
        std::vector<double> noisy = sums;
        source->AddNoise(noisy.data(), count, {deviation, 0.0, 1.0}, 0, 0);
        std::vector<double> residuals;
        for (std::size_t i = 0; i < count; ++i)
        {
            residuals.push_back((static_cast<float>(noisy[i]) - sums[i]) / deviation);
        }
        std::vector<double> angles;
        std::vector<double> radii;
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i)
        {
            values.push_back(InLastDigits(residuals[i]));
            if (i % 32 < 16)
            {
                angles.push_back(std::atan2(residuals[i + 16], residuals[i]) / (2.0 * M_PI));
                radii.push_back(InLastDigits(std::hypot(residuals[i], residuals[i + 16])));
            }
        }
        EXPECT_LT(GridScore(values), 5.0) << run;
        EXPECT_LT(GridScore(radii), 5.0) << run;
        for (int k = 8; k <= 32; ++k)
        {
            std::vector<double> turns = angles;
            std::for_each(turns.begin(), turns.end(), [k](double& t) { t = std::ldexp(t, k); });
            EXPECT_LT(GridScore(turns), 5.0) << run << " " << k;
        }
    }
}

TEST(NoiseSource, AStepIsTheNoiseAndThenTheStep)
{
    for (const std::string name : {"philox", "laplace", "discrete-gaussian"})
    {
        const auto source = MakeNoiseSource(name, SEED);
        const NoiseScale scale = source->Fit(1.0, 0.5, 1003);
        const std::vector<double> sum(1003, 0.75);
        std::vector<float> values(1003, 2.0F);
        source->AddNoisyStep(values.data(), sum.data(), 1003, scale, -0.1F, 3, 9);
        std::vector<double> noisy = sum;
        source->AddNoise(noisy.data(), 1003, scale, 3, 9);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            EXPECT_NEAR(values[i], 2.0F - 0.1F * static_cast<float>(noisy[i]), 3e-7F)
                << name << " " << i;
        }
    }
}

TEST(NoiseSource, OnlyTheSystemsIsNeverTheSameTwice)
{
    for (const std::string& name : NoiseSources().Names())
    {
        const auto source = MakeNoiseSource(name, SEED);
        const NoiseScale scale = source->Fit(1.0, 1.0, 700);
        const std::vector<double> first = NoisyZeros(*source, scale, 700, 1);
        const std::vector<double> again = NoisyZeros(*MakeNoiseSource(name, SEED), scale, 700, 1);
        EXPECT_EQ(first == again, name != "system") << name;
        EXPECT_NE(first, NoisyZeros(*source, scale, 700, 2)) << name;
        EXPECT_NE(first, NoisyZeros(*MakeNoiseSource(name, {4, 3}), scale, 700, 1)) << name;
    }
}

TEST(NoiseSource, FitKeepsTheRatioAndDiscreteNoiseCostsLittle)
{
    const auto source = MakeNoiseSource("discrete-gaussian", SEED);
    for (const double clip : {1e-3, 1.0, 7.3})
    {
        for (const double mu : {0.01, 0.9, 40.0})
        {
            for (const std::size_t count : {1U, 26010U, 11000000U})
            {
                const NoiseScale scale = source->Fit(clip, mu, count);
                const double root = std::sqrt(static_cast<double>(count));
                int exponent = 0;
                EXPECT_EQ(std::frexp(scale.grid, &exponent), 0.5);
                EXPECT_EQ(std::fmod(scale.deviation, scale.grid), 0.0);
                EXPECT_DOUBLE_EQ(scale.sensitivity, clip + scale.grid * root);
                EXPECT_LT(scale.sensitivity, 1.001 * clip);
                EXPECT_LE(scale.sensitivity / scale.deviation, mu * (1.0 + 1e-15));
                EXPECT_LT(scale.deviation, 1.0021 * clip / mu);
            }
        }
    }
    EXPECT_THROW(source->Fit(1.0, 1e-6, 11000000), UsageError);
    EXPECT_THROW(source->Fit(1.0, std::nan(""), 10), UsageError);
    EXPECT_THROW(source->Fit(std::numeric_limits<double>::infinity(), 1.0, 10), UsageError);
}

TEST(NoiseSource, DiscreteNoiseRoundsToTheNearestPointOfTheGrid)
{
    const NoiseScale scale{0.5, 0.125, 1.0};
    std::vector<double> values(5000, 0.0);
    RandomStream(SEED, RandomPurpose::TEST, 0, 0).AddNormal(values.data(), values.size(), 1.0);
    const std::vector<double> rounded = Rounded(values, scale);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        ASSERT_EQ(std::fmod(rounded[i], scale.grid), 0.0);
        ASSERT_LE(std::abs(rounded[i] - values[i]), 0.5 * scale.grid);
    }
    constexpr double INF = std::numeric_limits<double>::infinity();
    for (const double wild : {INF, -INF, std::nan(""), 1e30})
    {
        std::vector<double> value{wild};
        MakeNoiseSource("discrete-gaussian", SEED)->AddNoise(value.data(), 1, scale, 0, 0);
        EXPECT_NEAR(std::abs(value[0]), LARGEST_CELL * scale.grid, 1e3) << wild;
    }
}

// Values that lie just below and just above the middle between two points of the grid are the
// worst that one example can do to a rounded sum.
TEST(NoiseSource, NoExampleMovesARoundedSumFurtherThanTheSensitivity)
{
    const std::size_t count = 4096;
    const NoiseScale scale = MakeNoiseSource("discrete-gaussian", SEED)->Fit(1.0, 1.0, count);
    std::vector<float> direction(count);
    for (Round round = 0; round < 20; ++round)
    {
        RandomStream(SEED, RandomPurpose::TEST, 1, round).FillNormal(direction.data(), count);
        const double length = Norm(std::vector<double>(direction.begin(), direction.end()));
        const double target = round % 2 == 0 ? 1.0 : 0.01;
        std::vector<double> before(count);
        std::vector<double> after(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            const double move = std::abs(direction[i]) * target / length;
            before[i] = 0.4999 * scale.grid;
            after[i] = before[i] + move;
        }
        const std::vector<double> low = Rounded(before, scale);
        const std::vector<double> high = Rounded(after, scale);
        std::vector<double> moved(count);
        std::vector<double> asked(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            moved[i] = high[i] - low[i];
            asked[i] = after[i] - before[i];
        }
        EXPECT_GT(Norm(moved), Norm(asked)) << round;
        EXPECT_LE(Norm(moved), Norm(asked) + scale.sensitivity - 1.0) << round;
    }
}

// Noise that is zero or infinite in float32, or lost beside the sum, would be certified all the
// same.
TEST(NoiseSource, RefusesNoiseThatTheSumOrFloatsCannotHold)
{
    constexpr double LARGEST = std::numeric_limits<float>::max();
    for (const std::string& name : NoiseSources().Names())
    {
        const auto source = MakeNoiseSource(name, SEED);
        EXPECT_THROW(source->Fit(1.4e-45, 1.0, 10), UsageError) << name;
        EXPECT_THROW(source->Fit(1e300, 1.0, 10), UsageError) << name;
        EXPECT_THROW(source->Fit(1.0, 1.0 / LARGEST, 10), UsageError) << name;
        EXPECT_THROW(source->Fit(0.1 * LARGEST, 1.0, 10, 20), UsageError) << name;
        EXPECT_THROW(source->Fit(1.0, 0x1p31, 10), UsageError) << name;
        EXPECT_THROW(source->Fit(1.0, 0x1p21, 10, 1024), UsageError) << name;
        EXPECT_THROW(source->Fit(1.0, 0.0, 10), UsageError) << name;
        // What is left has noise in float32, of the deviation that Fit() says.
        for (const double clip : {0x1p-99, 1.0, 0x1p110})
        {
            const NoiseScale scale = source->Fit(clip, 1.0, 4000, 100);
            double squares = 0.0;
            for (const double value : NoisyZeros(*source, scale, 4000, 1))
            {
                const double z = static_cast<double>(static_cast<float>(value)) / scale.deviation;
                squares += z * z / 4000.0;
            }
            EXPECT_NEAR(squares, name == "laplace" ? 2.0 : 1.0, 0.4) << name << " " << clip;
        }
    }
}

TEST(NoiseSource, NoiseIsAtLeastAThousandUnitsInTheLastPlace)
{
    for (const float largest : {0x1p-20F, 0.999F, 1.0F, 3.0F, 98304.0F, 0x1p120F})
    {
        const double unit = std::nextafter(largest, 2.0F * largest) - largest;
        EXPECT_EQ(LeastNoise(largest, 24), 1024.0 * unit) << largest;
    }
    EXPECT_EQ(LeastNoise(1.0, 53), 0x1p-42);
    EXPECT_TRUE(std::isinf(LeastNoise(INFINITY, 24)));
    EXPECT_TRUE(std::isinf(LeastNoise(NAN, 24)));
}

// A pair's shares cancel in the sum of its nodes; what they round away before does not.
TEST(NoiseSource, RefusesNoiseThatNoiseOfOthersHides)
{
    for (const auto& [weight, lag] : {std::pair(1e3, 0.0), {1e9, 0.0}, {0.0, 1e3}, {0.0, 1e9}})
    {
        NoiseMix mix;
        mix.nodes = {{1.0, {{0, weight}}}, {1.0, {{0, -weight}}}};
        mix.lags = {1.0, -lag};
        const auto source = MakeCorrelatedNoise(mix, SEED);
        if (weight + lag < 1e6)
        {
            EXPECT_EQ(source->Fit(1.0, 1.0, 10).deviation, 1.0);
        }
        else
        {
            EXPECT_THROW(source->Fit(1.0, 1.0, 10), UsageError);
        }
    }
}

TEST(NoiseSource, NamesAreChecked)
{
    EXPECT_THROW(MakeNoiseSource("filox", SEED), UsageError);
}

} // namespace
} // namespace dpdl
