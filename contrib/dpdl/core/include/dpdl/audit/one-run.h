// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_ONE_RUN_H
#define DPDL_AUDIT_ONE_RUN_H

#include "dpdl/audit/canary-game.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpdl
{

/**
 * @file
 * Auditing with a single run (Steinke, Nasr and Jagielski, NeurIPS 2023): many canaries, each put
 * into the data or left out by the toss of a coin; the attacker guesses the coins of those of which
 * it is most sure. The guarantee bounds how many guesses can be right.
 */

/// Numbers of guesses, and of right ones, in one run.
struct GuessCounts
{
    std::uint64_t canaries{0}; ///< m: coins that were tossed
    std::uint64_t guesses{0};  ///< r: how many the attacker committed itself to; at most m
    std::uint64_t correct{0};  ///< v: how many of them were right; at most r
};

/**
 * @brief The probability of at least that many right guesses against an (epsilon, delta)-private
 *        mechanism, from above.
 *
 *     P[B >= v] + 2 m delta max_{1 <= i <= v} P[v > B >= v - i] / i,   B ~ Bin(r, 1 / (1 + e^-eps))
 *
 * @param counts the outcome
 * @param epsilon at least 0
 * @param delta in [0, 1)
 * @return a probability in [0, 1]
 */
double OneRunPValue(const GuessCounts& counts, double epsilon, double delta);

/**
 * @brief The largest epsilon that the outcome rules out.
 * @param counts the outcome
 * @param delta in [0, 1)
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return epsilon >= 0; 0 if nothing is ruled out
 */
double OneRunEpsilon(const GuessCounts& counts, double delta, double alpha);

/**
 * @brief Counts right guesses: the highest scores are guessed to be in, the lowest to be out.
 * @param scores of all canaries, by whether they were in
 * @param guessIn how many are guessed to be in
 * @param guessOut how many are guessed to be out; together at most the number of canaries
 * @throws UsageError naming option 'guesses' if they are more
 */
GuessCounts CountGuesses(const ScoreSample& scores, std::size_t guessIn, std::size_t guessOut);

/**
 * @brief One run with many canaries, each with a gradient in its own direction, of which only
 *        the canaries' coordinates are simulated.
 *
 * Valid for schedules that treat examples independently (Poisson sampling, full batches): then each
 * coordinate plays its own canary game.
 * @param game the schedule
 * @param canaries m, at least 1
 * @param seed names the random numbers
 * @return the scores, by what the coins had said
 */
ScoreSample PlayOneRun(const CanaryGame& game, std::size_t canaries, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_ONE_RUN_H
