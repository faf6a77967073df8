// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/canary-game.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace dpdl
{

namespace
{

constexpr RandomSeed SEED{11, 3};

double
Phi(double x)
{
    return boost::math::cdf(boost::math::normal_distribution<double>(), x);
}

std::vector<CanaryStep>
Repeated(double rate, double shift, std::size_t count)
{
    return std::vector<CanaryStep>(count, CanaryStep{rate, shift, 0});
}

/// Mean of e^(sign * score) and its standard error.
std::pair<double, double>
MeanOfExponential(const std::vector<double>& scores, double sign)
{
    double sum = 0.0;
    double squares = 0.0;
    for (const double score : scores)
    {
        const double ratio = std::exp(sign * score);
        sum += ratio;
        squares += ratio * ratio;
    }
    const auto count = static_cast<double>(scores.size());
    const double mean = sum / count;
    return {mean, std::sqrt((squares / count - mean * mean) / count)};
}

double
ShareAtLeast(const std::vector<double>& scores, double threshold)
{
    const auto hits = std::count_if(scores.begin(), scores.end(), [threshold](double score) {
        return score >= threshold;
    });
    return static_cast<double>(hits) / static_cast<double>(scores.size());
}

} // namespace

TEST(CanaryGame, ScoresAreLikelihoodRatios)
{
    // A likelihood ratio has mean 1 under the hypothesis in its denominator.
    std::vector<CanaryStep> epochs;
    for (std::uint32_t k = 0; k < 40; ++k)
    {
        epochs.push_back({0.1, 0.2 + 0.02 * k, 1 + k / 10});
    }
    const std::vector<CanaryStep> mixed = {{0.3, 0.9, 0}, {1.0, 0.4, 0}, {0.05, 0.7, 0}};
    for (const auto& steps : {Repeated(0.02, 1.0, 50), Repeated(0.2, 0.3, 300), epochs, mixed})
    {
        const ScoreSample scores = CanaryGame(steps).Play(40000, SEED);
        const auto [without, errorWithout] = MeanOfExponential(scores.without, 1.0);
        const auto [with, errorWith] = MeanOfExponential(scores.with, -1.0);
        EXPECT_NEAR(without, 1.0, 4.0 * errorWithout);
        EXPECT_NEAR(with, 1.0, 4.0 * errorWith);
    }
}

TEST(CanaryGame, OneStepHasTheDistributionThatItShould)
{
    const double rate = 0.3;
    const double shift = 2.0;
    const ScoreSample scores = CanaryGame(Repeated(rate, shift, 1)).Play(100000, SEED);
    for (const double y : {-1.0, 0.0, 1.0, 2.0, 3.0})
    {
        const double score = std::log1p(rate * std::expm1(shift * y - 0.5 * shift * shift));
        const double without = Phi(-y);
        const double with = (1.0 - rate) * without + rate * Phi(shift - y);
        EXPECT_NEAR(ShareAtLeast(scores.without, score), without, 0.008);
        EXPECT_NEAR(ShareAtLeast(scores.with, score), with, 0.008);
    }
}

TEST(CanaryGame, SureStepsComposeAsGaussians)
{
    // Sixteen steps of shift 0.25 are one of shift 1, bit for bit: both are one draw.
    const std::vector<double> many = CanaryGame(Repeated(1.0, 0.25, 16)).Scores(true, 100, SEED);
    const std::vector<double> one = CanaryGame(Repeated(1.0, 1.0, 1)).Scores(true, 100, SEED);
    for (std::size_t i = 0; i < one.size(); ++i)
    {
        EXPECT_NEAR(many[i], one[i], 1e-12);
    }
}

TEST(CanaryGame, CanaryIsInOneBatchOfAnEpoch)
{
    // With hardly any noise the score counts the batches that hold the canary: one an epoch.
    std::vector<CanaryStep> steps;
    for (std::uint32_t k = 0; k < 30; ++k)
    {
        steps.push_back({0.1, LARGEST_SHIFT, 1 + k / 10});
    }
    for (const double score : CanaryGame(steps).Scores(true, 200, SEED))
    {
        EXPECT_NEAR(score, 3.0 * (80.0 + std::log(0.1)), 1e-3);
    }
    for (const double score : CanaryGame(steps).Scores(false, 200, SEED))
    {
        EXPECT_LT(score, -3.0);
    }
}

TEST(CanaryGame, DoesNotDependOnTheNumberOfThreads)
{
    const CanaryGame game(Repeated(0.01, 1.3, 500));
    const ScoreSample one = game.Play(101, SEED, 1);
    const ScoreSample three = game.Play(101, SEED, 3);
    EXPECT_EQ(one.with, three.with);
    EXPECT_EQ(one.without, three.without);
    const std::vector<double> first = game.Scores(true, 7, SEED);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), one.with.begin()));
}

TEST(CanaryGame, SeedsAndHypothesesShareNothing)
{
    const CanaryGame game(Repeated(0.01, 1.3, 500));
    const ScoreSample scores = game.Play(50, SEED);
    EXPECT_NE(scores.with, scores.without);
    EXPECT_NE(scores.without, game.Scores(false, 50, {SEED.seed, SEED.run + 1}));
}

TEST(CanaryGame, NothingToSeeScoresNothing)
{
    const std::vector<double> scores = CanaryGame({}).Scores(true, 10, SEED);
    EXPECT_EQ(std::accumulate(scores.begin(), scores.end(), 0.0), 0.0);
}

} // namespace dpdl
