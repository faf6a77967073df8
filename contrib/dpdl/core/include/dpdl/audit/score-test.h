// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_SCORE_TEST_H
#define DPDL_AUDIT_SCORE_TEST_H

#include "dpdl/privacy/accountant.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @file
 * One-sided bounds of a probability from counts (Clopper and Pearson, 1934). They hold for every
 * true probability and every number of trials; no normal approximation is made.
 */

/**
 * @brief Lower bound of the probability of an event.
 * @param hits how often it happened, at most @p trials
 * @param trials how often it could have happened, at least 1
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return a number in [0, 1); 0 if it never happened
 */
double BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// The upper bound that belongs to BinomialLowerBound; 1 if it always happened.
double BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// Answers of an attacker's rule in runs of which the truth is known.
struct TestCounts
{
    std::uint64_t hits{0};        ///< right alarms
    std::uint64_t trials{1};      ///< runs in which an alarm would be right
    std::uint64_t falseAlarms{0}; ///< wrong alarms
    std::uint64_t otherTrials{1}; ///< runs in which an alarm would be wrong
};

/**
 * @brief The epsilon that the counts prove to be exceeded.
 *
 * An (epsilon, delta)-private mechanism has P[hit] <= e^epsilon P[false alarm] + delta. Both
 * probabilities are replaced by their Clopper-Pearson bound of half the error each.
 * @param counts of a rule that was fixed before these runs were made
 * @param delta in [0, 1)
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return epsilon >= 0, finite
 */
double EpsilonLowerBound(const TestCounts& counts, double delta, double alpha);

/**
 * @brief The mu for which the counts rule out mu-GDP (Nasr et al., USENIX Security 2023).
 *
 * This refutes a claim of Gaussian differential privacy. Turning it into (epsilon, delta) would
 * assume that the mechanism is Gaussian, and is no bound for others.
 * @param counts of a rule that was fixed before these runs were made
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return mu >= 0, finite
 */
double MuLowerBound(const TestCounts& counts, double alpha);

/// Scores that an attacker gave to independent runs; high scores speak for the example.
struct ScoreSample
{
    std::vector<double> with;    ///< of runs whose data held the example
    std::vector<double> without; ///< of runs whose data did not
};

/// A lower bound that was measured, and the counts that prove it.
struct MeasuredBound
{
    double value{0.0};                      ///< epsilon or mu, at least 0; 0: nothing was seen
    Direction direction{Direction::REMOVE}; ///< REMOVE: alarms say "with", ADD: they say "without"
    double threshold{0.0}; ///< alarm at this score and above; for ADD at this score and below
    TestCounts counts;     ///< of the second halves of the runs
};

/// What a sample of scores proves. Each of the two bounds holds with the stated confidence.
struct ScoreTest
{
    MeasuredBound epsilon;  ///< lower bound of epsilon at the delta asked for
    MeasuredBound mu;       ///< lower bound of mu, for claims of Gaussian DP only
    double confidence{0.0}; ///< 1 - alpha
};

/**
 * @brief Turns scores into lower bounds.
 *
 * The first half of either list chooses the threshold, among the scores that give false-alarm rates
 * on a fixed geometric grid; the second half is counted. Both directions are tried, each with half
 * of the error probability, and the larger value is reported.
 * @param scores at least four of either kind; NaN counts as the lowest score
 * @param delta in [0, 1)
 * @param confidence in (0, 1)
 * @throws UsageError naming option 'runs', 'delta' or 'confidence'
 */
ScoreTest TestScores(const ScoreSample& scores, double delta, double confidence);

} // namespace dpdl

#endif // DPDL_AUDIT_SCORE_TEST_H
