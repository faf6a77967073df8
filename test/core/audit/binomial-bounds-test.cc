// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/binomial-bounds.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/random.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

/// A rule's outcome in an audit of Dyn-D2P by another implementation, and the bounds it derived.
struct Outcome
{
    double alpha;         ///< probability that a bound is wrong
    std::uint64_t hits;   ///< of trials
    std::uint64_t alarms; ///< of as many trials
    std::uint64_t trials; ///< of either kind
    double epsilon;       ///< at delta 1e-4
    double mu;            ///< lower bound
};

const Outcome OUTCOMES[] = {{0.05, 856, 647, 20000, 0.1349173380178238, 0.06299506078065265},
                            {0.001, 2468, 2005, 20000, 0.07487255907901325, 0.04448482712500734},
                            {0.05, 1413, 3, 20000, 5.030085976039857, 1.82993781120494},
                            {0.001, 1413, 3, 20000, 4.5318302200561345, 1.680615030724499},
                            {0.05, 6391, 2, 20000, 6.764527279037228, 2.893830272683512},
                            {0.001, 6391, 2, 20000, 6.238994960565539, 2.7383220916259017},
                            {0.05, 99, 2, 20000, 2.38569527902649, 0.7309679947158081},
                            {0.001, 300, 17, 20000, 1.9363125918745092, 0.6708538421883716},
                            {0.05, 9935, 0, 20000, 7.884287611066018, 3.5358412937280495},
                            {0.001, 9935, 0, 20000, 7.15179272549323, 3.329614463187331},
                            {0.05, 629, 55, 400000, 2.0221741861053397, 0.5915911854954681},
                            {0.001, 629, 55, 400000, 1.8039516856488165, 0.5328906638925304},
                            {0.05, 2097, 50, 400000, 3.3965826500557026, 1.016484642044254},
                            {0.001, 2097, 50, 400000, 3.200532768771733, 0.962813557826447}};

/// Scores of a mechanism that adds one standard normal to 0 or to mu.
ScoreSample
GaussianScores(double mu, std::size_t runs, std::uint32_t seed)
{
    std::vector<float> normals(2 * runs);
    RandomStream({seed, 1}, RandomPurpose::TEST, 0, 0).FillNormal(normals.data(), normals.size());
    ScoreSample scores;
    for (std::size_t i = 0; i < runs; ++i)
    {
        scores.with.push_back(mu + static_cast<double>(normals[i]));
        scores.without.push_back(normals[runs + i]);
    }
    return scores;
}

std::string
MessageOf(const ScoreSample& scores, double delta, double confidence)
{
    try
    {
        TestScores(scores, delta, confidence);
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(ScoreTest, BoundsFromCountsMatchAnotherImplementation)
{
    for (const Outcome& outcome : OUTCOMES)
    {
        const TestCounts counts{outcome.hits, outcome.trials, outcome.alarms, outcome.trials};
        EXPECT_NEAR(EpsilonLowerBound(counts, 1e-4, outcome.alpha), outcome.epsilon, 1e-10);
        EXPECT_NEAR(MuLowerBound(counts, outcome.alpha), outcome.mu, 1e-10);
    }
    EXPECT_NEAR(EpsilonLowerBound({900, 1000, 5, 1000}, 1e-5, 0.05), 4.326040844088214, 1e-12);
    EXPECT_NEAR(MuLowerBound({900, 1000, 5, 1000}, 0.05), 3.4427029677366896, 1e-12);
    EXPECT_NEAR(EpsilonLowerBound({500, 1000, 0, 1000}, 1e-5, 0.05), 4.846140843554365, 1e-12);
    EXPECT_NEAR(MuLowerBound({500, 1000, 0, 1000}, 0.05), 2.600993897359574, 1e-12);
}

TEST(ScoreTest, NothingSeenProvesNothing)
{
    EXPECT_EQ(EpsilonLowerBound({0, 100, 0, 100}, 1e-5, 0.05), 0.0);
    EXPECT_EQ(EpsilonLowerBound({100, 100, 100, 100}, 1e-5, 0.05), 0.0);
    EXPECT_EQ(MuLowerBound({50, 100, 50, 100}, 0.05), 0.0);
    EXPECT_EQ(MuLowerBound({0, 100, 100, 100}, 0.05), 0.0);
    // Scores that do not depend on the data give no bound, in either direction.
    for (std::uint32_t seed = 1; seed <= 50; ++seed)
    {
        const ScoreTest test = TestScores(GaussianScores(0.0, 1000, seed), 1e-5, 0.999);
        EXPECT_EQ(test.epsilon.value, 0.0) << seed;
        EXPECT_EQ(test.mu.value, 0.0) << seed;
    }
}

TEST(ScoreTest, BothDirectionsAreTried)
{
    const ScoreSample scores = GaussianScores(2.0, 4000, 1);
    ScoreSample mirrored{scores.without, scores.with};
    for (std::vector<double>* list : {&mirrored.with, &mirrored.without})
    {
        std::transform(list->begin(), list->end(), list->begin(), [](double s) { return -s; });
    }
    const ScoreTest test = TestScores(scores, 1e-5, 0.95);
    const ScoreTest mirror = TestScores(mirrored, 1e-5, 0.95);
    EXPECT_EQ(test.epsilon.value, mirror.epsilon.value);
    EXPECT_NE(test.epsilon.direction, mirror.epsilon.direction);
    EXPECT_EQ(test.epsilon.threshold, -mirror.epsilon.threshold);
    EXPECT_GT(test.epsilon.value, 0.0);
}

TEST(ScoreTest, PerfectSeparationReachesTheResolutionLimit)
{
    const ScoreSample scores{std::vector<double>(2000, 5.0), std::vector<double>(2000, -5.0)};
    const ScoreTest test = TestScores(scores, 0.0, 0.95);
    EXPECT_EQ(test.epsilon.counts.hits, 1000U);
    EXPECT_EQ(test.epsilon.counts.falseAlarms, 0U);
    // Four bounds share an error of 0.05.
    EXPECT_NEAR(test.epsilon.value, std::log(1000.0 / std::log(4.0 / 0.05)), 0.01);
}

TEST(ScoreTest, MoreConfidenceGivesLess)
{
    const ScoreSample scores = GaussianScores(1.0, 20000, 3);
    double previous = INFINITY;
    for (const double confidence : {0.5, 0.9, 0.99, 0.999999})
    {
        const double value = TestScores(scores, 1e-5, confidence).epsilon.value;
        EXPECT_LT(value, previous);
        previous = value;
    }
}

TEST(ScoreTest, ScoresThatAreNoNumbersAreTheLowest)
{
    ScoreSample scores = GaussianScores(3.0, 400, 1);
    scores.without.assign(400, std::nan(""));
    const ScoreTest test = TestScores(scores, 1e-5, 0.95);
    EXPECT_EQ(test.epsilon.counts.falseAlarms, 0U);
    EXPECT_EQ(test.epsilon.counts.hits, 200U);
}

TEST(ScoreTest, MistakesNameTheOption)
{
    const ScoreSample scores = GaussianScores(1.0, 10, 1);
    EXPECT_EQ(MessageOf(scores, 0.0, 0.9), "");
    EXPECT_NE(MessageOf({{1.0}, {2.0}}, 0.0, 0.9).find("option 'runs'"), std::string::npos);
    for (const double delta : {-0.1, 1.0, std::nan("")})
    {
        EXPECT_NE(MessageOf(scores, delta, 0.9).find("option 'delta'"), std::string::npos);
    }
    for (const double confidence : {0.0, 1.0, std::nan("")})
    {
        EXPECT_NE(MessageOf(scores, 0.0, confidence).find("option 'confidence'"),
                  std::string::npos);
    }
}

} // namespace dpdl
