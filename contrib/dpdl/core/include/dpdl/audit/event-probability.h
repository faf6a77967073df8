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
 * Attacks on algorithms whose messages reveal private data in spite of their noise.
 */

/**
 * @brief Simulates local steps whose noise is scaled by the gradient's norm (AdaD2P), and counts
 *        the steps that leave a float32 message bitwise unchanged.
 *
 * The step is x' = x - stepSize * (g + scale * |g| * N), with gradient g and standard normal N. If
 * g = 0, the noise is also 0, so x' = x reveals that the gradient of the batch was 0.
 * @param gradientNorm L2 norm |g| of the gradient, at least 0
 * @param scale noise standard deviation per unit of the norm, > 0
 * @param stepSize step size, > 0
 * @param dimension number of parameters of the message, at least 1
 * @param runs number of simulated steps
 * @param seed seed of the random numbers
 * @return number of steps with x' = x in all bits
 */
std::size_t CountUnchangedMessages(double gradientNorm,
                                   double scale,
                                   double stepSize,
                                   std::size_t dimension,
                                   std::size_t runs,
                                   RandomSeed seed);

/**
 * @brief Lower bound on delta in any (epsilon, delta) guarantee of AdaD2P, for every epsilon, by
 *        the attack on its unchanged messages.
 *
 * If the gradients of all other examples are 0, one example with a nonzero gradient changes a
 * message if and only if it is drawn in a round.
 * @param localSamples number of examples J, one of which is drawn in each round; at least 1
 * @param rounds number of rounds K
 * @return 1 - (1 - 1/J)^K
 */
double ZeroGradientDelta(std::uint64_t localSamples, std::uint64_t rounds);

/// Result of PlayBroadcastScalar(): correct guesses by two attackers.
struct ScalarGuesses
{
    std::size_t runs{0}; ///< number of games
    /// Number of correct guesses by an attacker that uses the broadcast scalar.
    std::size_t withScalar{0};
    /// Number of correct guesses by the best attacker without the scalar.
    std::size_t withoutScalar{0};
};

/**
 * @brief Simulates the attack on Laplace noise whose L1 norm is broadcast (DPPS, PartPSP).
 *
 * One of two vectors that differ by @p distance in one coordinate is sent with Laplace noise of
 * scale 1 on every coordinate. The protocol also broadcasts a known affine function of the L1 norm
 * of the noise. An attacker guesses the vector whose difference from the message has this norm.
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
 * Attack on a noise scale that was computed from private data (AdaD2P): a release of d parameters
 * has the distribution N(0, ratio^2 I_d) for one dataset and N(0, I_d) for its neighbour. Its
 * squared norm is a sufficient statistic with the distribution ratio^2 chi^2_d or chi^2_d. The
 * means are assumed equal; different means only help the attacker.
 */

/**
 * @brief Smallest delta of an (epsilon, delta) guarantee that the attack on the norm of a release
 *        does not refute.
 *
 *     SF(t / ratio^2) - e^epsilon SF(t),  t = 2 (epsilon + d ln ratio) / (1 - 1/ratio^2),
 *
 * SF is the survival function of chi^2_d. At t the ratio of the densities is e^epsilon. The second
 * summand is computed as a density times a Mills ratio, so it does not overflow.
 * @param epsilon epsilon of the guarantee, at least 0
 * @param ratio ratio of the two noise scales, > 1
 * @param dimension number d of parameters of the release, at least 1
 * @return delta in [0, 1], for outputs with the larger noise scale compared with outputs with the
 *         smaller noise scale
 */
double NormRatioDelta(double epsilon, double ratio, std::uint64_t dimension);

/// True if NormRatioEpsilon() accepts a ratio: beyond 1e6 the density overflows.
inline bool
IsNormRatio(double ratio)
{
    return ratio > 1.0 && ratio <= 1e6;
}

/// Range of IsNormRatio(), for messages.
constexpr const char* NORM_RATIOS = "a number in (1, 1e6]";

/**
 * @brief Lower bound on epsilon of any guarantee with a given delta, by the attack on the norm of a
 *        release; see NormRatioDelta().
 * @param ratio ratio of the two noise scales, for which IsNormRatio() holds
 * @param dimension number d of parameters of the release, at least 1
 * @param delta delta of the guarantee, in (0, 1)
 * @throws UsageError naming option `ratio` if its value is outside of that range
 */
double NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta);

/**
 * @brief Simulates the squared norms of releases, in units of the square of the smaller noise
 *        scale.
 * @param ratio larger noise scale divided by the smaller one, > 1
 * @param dimension number d of parameters of the release, at least 1
 * @param runs number of runs with each scale
 * @param seed seed of the random numbers
 * @return @p runs independent draws of ratio^2 chi^2_d, the larger scale, in ScoreSample::with, and
 *         @p runs of chi^2_d, the smaller scale, in ScoreSample::without. Arguments are not checked
 */
ScoreSample PlayNormRatio(double ratio, std::uint64_t dimension, std::size_t runs, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_EVENT_PROBABILITY_H
