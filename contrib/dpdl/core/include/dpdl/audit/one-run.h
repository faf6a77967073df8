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
 * Auditing with a single run (Steinke, Nasr and Jagielski, NeurIPS 2023). Coin flips decide for
 * each of many canaries if it is in the data. The attacker guesses the coins of the canaries of
 * which it is most certain. The guarantee bounds the number of correct guesses.
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
 *        delta)-private mechanism.
 *
 *     P[B >= v] + 2 m delta max_{1 <= i <= v} P[v > B >= v - i] / i,   B ~ Bin(r, 1 / (1 + e^-eps))
 *
 * @param counts outcome of the run
 * @param epsilon at least 0
 * @param delta delta of the guarantee, in [0, 1)
 * @return a probability in [0, 1]
 */
double OneRunPValue(const GuessCounts& counts, double epsilon, double delta);

/**
 * @brief The largest epsilon that the outcome refutes.
 * @param counts outcome of the run
 * @param delta delta of the guarantee, in [0, 1)
 * @param alpha probability in (0, 1) with which the bound may be wrong
 * @return epsilon >= 0; 0 if nothing is refuted
 */
double OneRunEpsilon(const GuessCounts& counts, double delta, double alpha);

/**
 * @brief Counts correct guesses: the highest scores are guessed in, the lowest out.
 * @param scores scores of all canaries, separately for those in and out of the data
 * @param guessIn number of guesses "in"
 * @param guessOut number of guesses "out"; together at most the number of canaries
 * @throws UsageError naming option 'guesses' if there are more
 */
GuessCounts CountGuesses(const ScoreSample& scores, std::size_t guessIn, std::size_t guessOut);

/**
 * @brief One run with many canaries, each with a gradient in a separate direction; simulates only
 *        the canaries' coordinates.
 *
 * Valid for schedules that treat examples independently (Poisson sampling, full batches): each
 * coordinate is then a separate canary game.
 * @param game canary game of the audited schedule
 * @param canaries number m of canaries, at least 1
 * @param seed seed of the random numbers
 * @return the scores, separately for canaries in and out
 */
ScoreSample PlayOneRun(const CanaryGame& game, std::size_t canaries, RandomSeed seed);

/// Use of a random stream of the purpose AUDIT; replaces the node number in its name.
enum class AuditStream : std::uint32_t
{
    NOISE_WITHOUT = 0, ///< noise of the simulated runs without the canary
    NOISE_WITH = 1,    ///< noise of the runs with the canary
    INCLUSION = 2,     ///< steps that include the canary
    /// Without the canary: the one normal that stands for all steps that certainly include it.
    SURE_WITHOUT = 3,
    /// With the canary: the one normal that stands for all steps that certainly include it.
    SURE_WITH = 4,
    COINS = 5,         ///< coins for the canaries of a one-run game
    ZERO_MODEL = 6,    ///< the model before the step of the zero-gradient event
    ZERO_NOISE = 7,    ///< the noise of the step of the zero-gradient event
    SCALAR_NOISE = 8,  ///< the Laplace noise of the broadcast-scalar game
    SCALAR_COINS = 9,  ///< the choice between the two vectors of the broadcast-scalar game
    NORM_WITHOUT = 10, ///< squared norm of a vector with the smaller noise scale
    NORM_WITH = 11,    ///< squared norm of a vector with the larger noise scale
};

/// Random stream of a run. @param stream use of the numbers @param run 0-based number of the run
inline RandomStream
StreamOf(RandomSeed seed, AuditStream stream, std::uint32_t run)
{
    return {seed, RandomPurpose::AUDIT, static_cast<NodeId>(stream), run};
}

} // namespace dpdl

#endif // DPDL_AUDIT_ONE_RUN_H
