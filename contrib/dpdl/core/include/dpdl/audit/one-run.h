// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_ONE_RUN_H
#define DPDL_AUDIT_ONE_RUN_H

#include "dpdl/audit/canary-game.h"
#include "dpdl/base/random.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @file
 * Auditing with a single run (Steinke, Nasr and Jagielski, NeurIPS 2023). For each of m canaries a
 * coin flip decides whether the canary is in the data. The attacker guesses the coins of the
 * canaries about which it is most certain. An (epsilon, delta) guarantee bounds the number of
 * correct guesses.
 */

/// Numbers of canaries, guesses and correct guesses in one run.
struct GuessCounts
{
    std::uint64_t canaries{0}; ///< m: number of canaries
    std::uint64_t guesses{0};  ///< r: number of guesses; at most m
    std::uint64_t correct{0};  ///< v: number of correct guesses; at most r
};

/**
 * @brief Upper bound on the probability of at least v correct guesses against an (epsilon,
 *        delta)-DP mechanism, with m, r and v as in GuessCounts.
 *
 *     P[B >= v] + 2 m delta max_{1 <= i <= v} P[v > B >= v - i] / i,   B ~ Bin(r, 1 / (1 + e^-eps))
 *
 * @param counts outcome of the run
 * @param epsilon epsilon of the guarantee, at least 0
 * @param delta delta of the guarantee, in [0, 1)
 * @return a probability in [0, 1]
 */
double OneRunPValue(const GuessCounts& counts, double epsilon, double delta);

/**
 * @brief The largest epsilon that the outcome of a run refutes.
 * @param counts outcome of the run
 * @param delta delta of the guarantee, in [0, 1)
 * @param alpha largest probability, in (0, 1), that the bound is wrong
 * @return epsilon >= 0; 0 if nothing is refuted
 */
double OneRunEpsilon(const GuessCounts& counts, double delta, double alpha);

/**
 * @brief Counts correct guesses, if the canaries with the highest scores are guessed to be in the
 *        data and those with the lowest scores out of the data.
 * @param scores scores of all canaries: `with` for canaries in the data, `without` for canaries
 *        left out of it
 * @param guessIn number of guesses "in"
 * @param guessOut number of guesses "out"
 * @throws UsageError naming option 'guesses' if there are more guesses than canaries
 */
GuessCounts CountGuesses(const ScoreSample& scores, std::size_t guessIn, std::size_t guessOut);

/**
 * @brief Simulates one run with many canaries, each with a gradient in a separate direction. Only
 *        the canaries' coordinates are simulated.
 *
 * Valid for samplers that treat examples independently (Poisson sampling, full batches): each
 * coordinate is then a separate canary game.
 * @param game canary game of the audited schedule
 * @param canaries number m of canaries, at least 1
 * @param seed seed of the random numbers
 * @return scores: `with` for the canaries in the data, `without` for canaries left out of it
 */
ScoreSample PlayOneRun(const CanaryGame& game, std::size_t canaries, RandomSeed seed);

/// Use of a random stream with RandomPurpose::AUDIT. The value takes the place of the node id in
/// the stream's key.
enum class AuditStream : std::uint32_t
{
    NOISE_WITHOUT = 0, ///< noise of the simulated runs without the canary
    NOISE_WITH = 1,    ///< noise of the runs with the canary
    INCLUSION = 2,     ///< choice of the steps that include the canary
    /// Noise of the one step into which all steps of rate 1 are merged, in runs without the canary.
    SURE_WITHOUT = 3,
    /// Noise of the one step into which all steps of rate 1 are merged, in runs with the canary.
    SURE_WITH = 4,
    COINS = 5,         ///< coin flips that decide which canaries are in the data of a one-run game
    ZERO_MODEL = 6,    ///< the message before the step, in CountUnchangedMessages()
    ZERO_NOISE = 7,    ///< the noise of the step, in CountUnchangedMessages()
    SCALAR_NOISE = 8,  ///< the Laplace noise, in PlayBroadcastScalar()
    SCALAR_COINS = 9,  ///< the choice between the two vectors, in PlayBroadcastScalar()
    NORM_WITHOUT = 10, ///< squared norm with the smaller noise scale, in PlayNormRatio()
    NORM_WITH = 11,    ///< squared norm with the larger noise scale, in PlayNormRatio()
};

/**
 * @brief Random stream of a simulated run.
 * @param seed seed of the audit
 * @param stream use of the random numbers
 * @param run index of the run, from 0
 */
inline RandomStream
StreamOf(RandomSeed seed, AuditStream stream, std::uint32_t run)
{
    return {seed, RandomPurpose::AUDIT, static_cast<NodeId>(stream), run};
}

} // namespace dpdl

#endif // DPDL_AUDIT_ONE_RUN_H
