// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_EVENT_PROBABILITY_H
#define DPDL_AUDIT_EVENT_PROBABILITY_H

#include "dpdl/audit/binomial-bounds.h"
#include "dpdl/base/random.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @file
 * Events that reveal private data with certainty, without statistics.
 */

/**
 * @brief Counts runs in which a float32 message is bitwise equal before and after the local step,
 *        if the gradient's norm scales the noise (AdaD2P).
 *
 * The step is x' = x - stepSize * (g + scale * |g| * N). With g = 0 there is no noise either, so an
 * observer of x' = x knows that the batch's gradient was zero.
 * @param gradientNorm L2 norm |g| of the gradient, at least 0
 * @param scale noise standard deviation per unit of the norm, > 0
 * @param stepSize step size, > 0
 * @param dimension number of parameters of the message, at least 1
 * @param runs number of simulated steps
 * @param seed seed of the random numbers
 * @return number of runs in which no bit changed
 */
std::size_t CountUnchangedMessages(double gradientNorm,
                                   double scale,
                                   double stepSize,
                                   std::size_t dimension,
                                   std::size_t runs,
                                   RandomSeed seed);

/**
 * @brief Lower bound on delta in any (epsilon, delta) guarantee of AdaD2P, for every epsilon.
 *
 * If the gradients of all other examples vanish, one example with a non-zero gradient changes a
 * message unless it is never drawn.
 * @param localSamples J, one of which is drawn per round; at least 1
 * @param rounds number of rounds K
 * @return 1 - (1 - 1/J)^K
 */
double ZeroGradientDelta(std::uint64_t localSamples, std::uint64_t rounds);

/// Results of PlayBroadcastScalar(): how often two attackers identified the vector that was sent.
struct ScalarGuesses
{
    std::size_t runs{0};          ///< number of games
    std::size_t withScalar{0};    ///< correct guesses by an attacker that uses the broadcast scalar
    std::size_t withoutScalar{0}; ///< correct guesses by the best rule without the scalar
};

/**
 * @brief The game against Laplace noise whose L1 norm is broadcast (DPPS, PartPSP).
 *
 * One of two vectors that differ by @p distance in one coordinate is sent with Laplace noise of
 * scale 1 on every coordinate. The protocol also broadcasts a known affine function of the noise's
 * L1 norm. The candidate whose residual has this norm is the correct one.
 * @param distance L1 distance of the two vectors in units of the noise scale, > 0
 * @param dimension length of the vectors, at least 1
 * @param runs number of games
 * @param seed seed of the random numbers
 */
ScalarGuesses PlayBroadcastScalar(double distance,
                                  std::size_t dimension,
                                  std::size_t runs,
                                  RandomSeed seed);

/**
 * @file
 * Leakage by a noise scale that was computed from private data (AdaD2P): N(0, ratio^2 I_d) against
 * N(0, I_d). The squared norm of the release is a sufficient statistic; it follows ratio^2 chi^2_d
 * or chi^2_d. The means are assumed equal; different means only help the attacker.
 */

/**
 * @brief Smallest delta of an (epsilon, delta) guarantee that this leakage does not refute.
 *
 *     SF(t / ratio^2) - e^epsilon SF(t),  t = 2 (epsilon + d ln ratio) / (1 - 1/ratio^2),
 *
 * SF is the survival function of chi^2_d. At t the densities have the ratio e^epsilon. The second
 * term is computed as a density times a Mills ratio, so nothing overflows.
 * @param epsilon at least 0
 * @param ratio of the two noise scales, > 1
 * @param dimension d, at least 1
 * @return delta in [0, 1], for the direction in which the larger scale is the secret
 */
double NormRatioDelta(double epsilon, double ratio, std::uint64_t dimension);

/**
 * @brief Lower bound on the epsilon of any guarantee for that release with a given delta.
 * @param ratio of the two noise scales, > 1
 * @param dimension number d of parameters of the release, at least 1
 * @param delta delta of the guarantee, in (0, 1)
 * @throws UsageError naming the option `ratio` if it is not finite and above 1
 */
double NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta);

/**
 * @brief Simulates the squared norms that an attacker sees, in units of the smaller scale squared.
 * @param ratio of the two noise scales; the larger one is called "with"
 * @param dimension number d of parameters of the release, at least 1
 * @param runs number of runs of either kind
 * @param seed seed of the random numbers
 */
ScoreSample PlayNormRatio(double ratio, std::uint64_t dimension, std::size_t runs, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_EVENT_PROBABILITY_H
