// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/binomial-bounds.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <limits>

// Computes Clopper-Pearson bounds, and bounds of epsilon and mu from counts. The first half of the
// scores chooses the alarm threshold, and the second half gives the counts.

namespace dpdl
{

namespace
{

using Binomial = boost::math::binomial_distribution<double>;

constexpr std::size_t FEWEST_RUNS = 4;
/// Approximate ratio of the numbers of false alarms of successive candidate thresholds.
constexpr double GRID_RATIO = 1.25;

using Scores = std::vector<double>;
using Bound = std::function<double(const TestCounts&)>;

double
NormalQuantile(double probability)
{
    return boost::math::quantile(boost::math::normal_distribution<double>(), probability);
}

/**
 * @brief Returns one half of a vector of scores, sorted in ascending order. NaN becomes -infinity.
 * @param second true: the second half; false: the first half
 * @param sign 1 keeps the scores; -1 negates the scores
 */
Scores
Half(const Scores& scores, bool second, double sign)
{
    const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
    Scores half = second ? Scores(middle, scores.end()) : Scores(scores.begin(), middle);
    for (double& score : half)
    {
        score = std::isnan(score) ? -std::numeric_limits<double>::infinity() : sign * score;
    }
    std::sort(half.begin(), half.end());
    return half;
}

std::uint64_t
CountFrom(const Scores& sorted, double threshold)
{
    return static_cast<std::uint64_t>(sorted.end() -
                                      std::lower_bound(sorted.begin(), sorted.end(), threshold));
}

TestCounts
CountAlarms(const Scores& target, const Scores& other, double threshold)
{
    return {CountFrom(target, threshold), target.size(), CountFrom(other, threshold), other.size()};
}

/// Returns the threshold on the scores with the largest lower bound of epsilon or mu.
/// @param target scores in which an alarm is correct, ascending
/// @param other scores in which an alarm is false, ascending
/// @param bound computes the lower bound from counts
double
ChooseThreshold(const Scores& target, const Scores& other, const Bound& bound)
{
    // The first candidate is above all scores of `other`, so it has no false alarms.
    double best = std::nextafter(other.back(), std::numeric_limits<double>::infinity());
    double value = bound(CountAlarms(target, other, best));
    const auto count = static_cast<double>(other.size());
    for (double rank = 1.0; rank <= count;
         rank = std::max(rank + 1.0, std::floor(rank * GRID_RATIO)))
    {
        const double threshold = other[other.size() - static_cast<std::size_t>(rank)];
        const double candidate = bound(CountAlarms(target, other, threshold));
        if (candidate > value)
        {
            value = candidate;
            best = threshold;
        }
    }
    return best;
}

MeasuredBound
Measure(const ScoreSample& scores, Direction direction, const Bound& bound)
{
    const bool remove = direction == Direction::REMOVE;
    const double sign = remove ? 1.0 : -1.0;
    const Scores& target = remove ? scores.with : scores.without;
    const Scores& other = remove ? scores.without : scores.with;
    const double threshold =
        ChooseThreshold(Half(target, false, sign), Half(other, false, sign), bound);
    MeasuredBound result;
    result.direction = direction;
    result.threshold = sign * threshold;
    result.counts = CountAlarms(Half(target, true, sign), Half(other, true, sign), threshold);
    result.value = bound(result.counts);
    return result;
}

MeasuredBound
MeasureBoth(const ScoreSample& scores, const Bound& bound)
{
    const MeasuredBound remove = Measure(scores, Direction::REMOVE, bound);
    const MeasuredBound add = Measure(scores, Direction::ADD, bound);
    return add.value > remove.value ? add : remove;
}

} // namespace

double
BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha)
{
    return hits == 0 ? 0.0
                     : Binomial::find_lower_bound_on_p(static_cast<double>(trials),
                                                       static_cast<double>(hits),
                                                       alpha);
}

double
BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha)
{
    return hits == trials ? 1.0
                          : Binomial::find_upper_bound_on_p(static_cast<double>(trials),
                                                            static_cast<double>(hits),
                                                            alpha);
}

double
EpsilonLowerBound(const TestCounts& counts, double delta, double alpha)
{
    const double power = BinomialLowerBound(counts.hits, counts.trials, 0.5 * alpha) - delta;
    const double alarm = BinomialUpperBound(counts.falseAlarms, counts.otherTrials, 0.5 * alpha);
    return power > 0.0 ? std::max(0.0, std::log(power / alarm)) : 0.0;
}

double
MuLowerBound(const TestCounts& counts, double alpha)
{
    const double power = BinomialLowerBound(counts.hits, counts.trials, 0.5 * alpha);
    const double alarm = BinomialUpperBound(counts.falseAlarms, counts.otherTrials, 0.5 * alpha);
    return power > alarm ? NormalQuantile(power) - NormalQuantile(alarm) : 0.0;
}

ScoreTest
TestScores(const ScoreSample& scores, double delta, double confidence)
{
    const std::size_t fewest = std::min(scores.with.size(), scores.without.size());
    DPDL_REFUSE_IF(fewest < FEWEST_RUNS,
                   "option 'runs'",
                   std::to_string(fewest),
                   "at least 4 runs of either kind");
    DPDL_REFUSE_IF(!(delta >= 0.0 && delta < 1.0),
                   "option 'delta'",
                   ShowNumber(delta),
                   "a number in [0, 1)");
    DPDL_REFUSE_IF(!(confidence > 0.0 && confidence < 1.0),
                   "option 'confidence'",
                   ShowNumber(confidence),
                   "a number in (0, 1)");
    // Bonferroni correction: each of the two directions has half of the error probability 1 -
    // confidence.
    const double alpha = 0.5 * (1.0 - confidence);
    ScoreTest test;
    test.confidence = confidence;
    test.epsilon = MeasureBoth(scores, [delta, alpha](const TestCounts& counts) {
        return EpsilonLowerBound(counts, delta, alpha);
    });
    test.mu = MeasureBoth(scores, [alpha](const TestCounts& counts) {
        return MuLowerBound(counts, alpha);
    });
    return test;
}

} // namespace dpdl
