// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_EXACT_EVENT_H
#define DPDL_AUDIT_EXACT_EVENT_H

#include "dpdl/audit/score-test.h"
#include "dpdl/base/random.h"
#include "dpdl/privacy/release.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @file
 * Events that give private data away with certainty: no statistics are needed to see them.
 */

/**
 * @brief How often a message in float32 is bitwise the same before and after the local step, if the
 *        noise is scaled by the gradient's own norm (AdaD2P).
 *
 * The step is x' = x - stepSize * (g + scale * |g| * N). With g = 0 there is no noise either, and
 * an observer who sees x' = x knows that the batch's gradient was zero.
 * @param gradientNorm |g|, at least 0
 * @param scale noise standard deviation per unit of the norm, > 0
 * @param stepSize > 0
 * @param dimension number of parameters, at least 1
 * @param runs how often the step is played
 * @param seed names the random numbers
 * @return in how many of the runs no bit changed
 */
std::size_t CountUnchangedMessages(double gradientNorm,
                                   double scale,
                                   double stepSize,
                                   std::size_t dimension,
                                   std::size_t runs,
                                   RandomSeed seed);

/**
 * @brief The delta that no (epsilon, delta) guarantee of AdaD2P can be below, whatever epsilon.
 *
 * One example with a non-zero gradient, among others whose gradients vanish, changes a message
 * unless it is never drawn.
 * @param localSamples J, one of which is drawn in each round; at least 1
 * @param rounds K
 * @return 1 - (1 - 1/J)^K
 */
double ZeroGradientDelta(std::uint64_t localSamples, std::uint64_t rounds);

/// How often an attacker named the right one of two vectors.
struct ScalarGuesses
{
    std::size_t runs{0};          ///< how often the game was played
    std::size_t withScalar{0};    ///< right guesses of one who uses the broadcast scalar
    std::size_t withoutScalar{0}; ///< right guesses of the best rule that ignores it
};

/**
 * @brief The game against Laplace noise whose L1 norm is also broadcast (DPPS, PartPSP).
 *
 * One of two vectors that differ by @p distance in a single coordinate is sent with Laplace noise
 * of scale 1 on every coordinate. The protocol also broadcasts a known affine function of the
 * noise's L1 norm: the candidate whose residual has that norm is the right one.
 * @param distance L1 distance of the two vectors in units of the noise scale, > 0
 * @param dimension length of the vectors, at least 1
 * @param runs how often
 * @param seed names the random numbers
 */
ScalarGuesses PlayBroadcastScalar(double distance,
                                  std::size_t dimension,
                                  std::size_t runs,
                                  RandomSeed seed);

/**
 * @brief Pairs of released vectors that carry the same noise.
 *
 * Independent noise makes the squared norm of a difference at least 2 sigma^2 chi^2_d in
 * distribution, whatever the data (a shift only lengthens it); with the same noise only the
 * difference of two gradients is left. A pair is reported if its difference is shorter than
 * independent noise leaves it with probability 1e-12. Gradients longer than the noise's own norm
 * hide a repetition.
 * @param releases noisy sums, all of the same length
 * @param noise standard deviation per coordinate, > 0
 * @return the pairs of indices, ascending
 */
std::vector<std::pair<std::size_t, std::size_t>> FindRepeatedNoise(
    const std::vector<std::vector<float>>& releases,
    double noise);

/**
 * @brief Releases whose noise is there on paper only.
 *
 * @param releases any
 * @param stepSize what the noise is multiplied with before it is added to a float32 parameter
 * @return indices of the releases whose noise, so multiplied, is zero in single precision
 */
std::vector<std::size_t> FindVanishedNoise(const std::vector<Release>& releases, double stepSize);

} // namespace dpdl

#endif // DPDL_AUDIT_EXACT_EVENT_H
