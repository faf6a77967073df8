// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_BINOMIAL_BOUNDS_H
#define DPDL_AUDIT_BINOMIAL_BOUNDS_H

#include "dpdl/privacy/accountant.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @file
 * One-sided bounds of a probability from counts (Clopper and Pearson, 1934). They are valid for
 * every probability and number of trials, without a normal approximation.
 */

/**
 * @brief Lower bound of the probability of an event.
 * @param hits number of occurrences, at most @p trials
 * @param trials number of trials, at least 1
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return a number in [0, 1); 0 without hits
 */
double BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// Upper bound of the probability of an event, with the arguments of BinomialLowerBound(); 1 if
/// every trial is a hit.
double BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// Counts of the correct and wrong alarms of an attacker's rule, in runs with known truth.
struct TestCounts
{
    std::uint64_t hits{0};        ///< number of correct alarms
    std::uint64_t trials{1};      ///< number of runs in which an alarm is correct
    std::uint64_t falseAlarms{0}; ///< number of wrong alarms
    std::uint64_t otherTrials{1}; ///< number of runs in which an alarm is wrong
};

/**
 * @brief Lower bound of epsilon from the counts.
 *
 * An (epsilon, delta)-private mechanism has P[hit] <= e^epsilon P[false alarm] + delta.
 * Clopper-Pearson bounds replace both probabilities, each with half of the error probability.
 * @param counts of a rule that was fixed before these runs
 * @param delta delta of the guarantee, in [0, 1)
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return epsilon >= 0, finite
 */
double EpsilonLowerBound(const TestCounts& counts, double delta, double alpha);

/**
 * @brief Lower bound of mu from the counts: they refute mu-GDP (Nasr et al., USENIX Security 2023).
 *
 * This refutes a claim of Gaussian differential privacy. Converting it to (epsilon, delta) would
 * assume a Gaussian mechanism; it is not a bound for others.
 * @param counts of a rule that was fixed before these runs
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return mu >= 0, finite
 */
double MuLowerBound(const TestCounts& counts, double alpha);

/// An attacker's scores of independent runs; high scores indicate the example.
struct ScoreSample
{
    std::vector<double> with;    ///< one score for each run with the example
    std::vector<double> without; ///< one score for each run without the example
};

/// A measured lower bound, and the counts that prove it.
struct MeasuredBound
{
    double value{0.0}; ///< proven lower bound on epsilon or mu, at least 0; 0: nothing was detected
    Direction direction{Direction::REMOVE}; ///< REMOVE: an alarm means "with", ADD: "without"
    double threshold{0.0}; ///< score at and above which the rule alarms; for ADD: at and below
    TestCounts counts;     ///< counts over the second halves of the two lists of runs
};

/// Bounds proven by a sample of scores. Each holds with the stated confidence.
struct ScoreTest
{
    MeasuredBound epsilon;  ///< lower bound of epsilon at the given delta
    MeasuredBound mu;       ///< lower bound of mu, for claims of Gaussian DP only
    double confidence{0.0}; ///< confidence level of both bounds: 1 - alpha
};

/**
 * @brief Computes lower bounds from scores.
 *
 * The first half of either list chooses the threshold, among scores whose false-alarm rates lie on
 * a fixed geometric grid; the second half is counted. Both directions are tried, each with half of
 * the error probability, and the larger bound is reported.
 * @param scores scores of at least four runs with the example and four without; NaN counts as the
 *        lowest score
 * @param delta delta of the guarantee, in [0, 1)
 * @param confidence confidence of both bounds, in (0, 1)
 * @throws UsageError naming option 'runs', 'delta' or 'confidence' if it is out of range
 */
ScoreTest TestScores(const ScoreSample& scores, double delta, double confidence);

} // namespace dpdl

#endif // DPDL_AUDIT_BINOMIAL_BOUNDS_H
