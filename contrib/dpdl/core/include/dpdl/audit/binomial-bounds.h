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
 * One-sided confidence bounds of a probability from counts (Clopper and Pearson, 1934). For every
 * probability and number of trials, a bound is wrong with probability at most alpha.
 */

/**
 * @brief Lower confidence bound of the probability of an event.
 * @param hits number of occurrences, at most @p trials
 * @param trials number of trials, at least 1
 * @param alpha largest probability, in (0, 1), that the bound is wrong
 * @return a number in [0, 1); 0 without hits
 */
double BinomialLowerBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// Upper confidence bound of the probability of an event.
/// @param hits number of occurrences, at most @p trials
/// @param trials number of trials, at least 1
/// @param alpha largest probability, in (0, 1), that the bound is wrong
/// @return a number in (0, 1]; 1 if @p hits equals @p trials
double BinomialUpperBound(std::uint64_t hits, std::uint64_t trials, double alpha);

/// Counts of the correct and wrong alarms of an attacker's rule.
struct TestCounts
{
    std::uint64_t hits{0};        ///< number of correct alarms
    std::uint64_t trials{1};      ///< number of runs in which an alarm would be correct
    std::uint64_t falseAlarms{0}; ///< number of wrong alarms
    std::uint64_t otherTrials{1}; ///< number of runs in which an alarm would be wrong
};

/**
 * @brief Lower confidence bound of epsilon from the counts of an attack.
 *
 * An (epsilon, delta)-DP mechanism has P[hit] <= e^epsilon P[false alarm] + delta. Both
 * probabilities are replaced by Clopper-Pearson bounds, each with error probability alpha / 2.
 * @param counts counts of a rule that was fixed before these runs
 * @param delta delta of the guarantee, in [0, 1)
 * @param alpha largest probability, in (0, 1), that the bound is wrong
 * @return epsilon >= 0, finite
 */
double EpsilonLowerBound(const TestCounts& counts, double delta, double alpha);

/**
 * @brief Lower confidence bound of mu from the counts of an attack: smaller mu are refuted (Nasr et
 *        al., USENIX Security 2023).
 *
 * The bound is for claims of mu-GDP. Converting it to (epsilon, delta) is valid for a Gaussian
 * mechanism only.
 * @param counts counts of a rule that was fixed before these runs
 * @param alpha largest probability, in (0, 1), that the bound is wrong
 * @return mu >= 0, finite
 */
double MuLowerBound(const TestCounts& counts, double alpha);

/// An attacker's scores of independent runs; a high score indicates that the data include the
/// example.
struct ScoreSample
{
    std::vector<double> with;    ///< one score for each run with the example
    std::vector<double> without; ///< one score for each run without the example
};

/// A measured lower confidence bound of epsilon or mu, and the counts from which it was computed.
struct MeasuredBound
{
    double value{0.0}; ///< lower bound on epsilon or mu; 0: the attack detected nothing
    /// Meaning of an alarm: the run was with the example (REMOVE), or without it (ADD).
    Direction direction{Direction::REMOVE};
    /// Threshold of the rule: alarm if score >= threshold (REMOVE) or score <= threshold (ADD).
    double threshold{0.0};
    TestCounts counts; ///< counts of the rule over the second half of each list of runs
};

/// Lower bounds of epsilon and mu from a sample of scores. Each bound alone holds with probability
/// `confidence`.
struct ScoreTest
{
    MeasuredBound epsilon;  ///< lower bound of epsilon at the given delta
    MeasuredBound mu;       ///< lower bound of mu, for claims of mu-GDP only
    double confidence{0.0}; ///< confidence of each bound, in (0, 1)
};

/**
 * @brief Computes lower confidence bounds of epsilon and mu from an attacker's scores.
 *
 * The threshold is chosen on the first half of each list, among scores whose false-alarm counts
 * form a geometric sequence. The alarms are counted on the second half. Both directions are tried,
 * each with half of the error probability, and the larger bound is returned.
 * @param scores scores of at least four runs with the example and four without; NaN counts as the
 *        score that is farthest from an alarm, in both directions
 * @param delta delta of the guarantee, in [0, 1)
 * @param confidence confidence of each bound, in (0, 1)
 * @throws UsageError naming option 'runs', 'delta' or 'confidence' if it is out of range
 */
ScoreTest TestScores(const ScoreSample& scores, double delta, double confidence);

} // namespace dpdl

#endif // DPDL_AUDIT_BINOMIAL_BOUNDS_H
