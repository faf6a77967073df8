// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_EXACT_EVENT_H
#define DPDL_AUDIT_EXACT_EVENT_H

#include "dpdl/base/random.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @file
 * Events that give private data away with certainty: no statistics are needed to see them.
 */

/**
 * @brief Number of runs in which a float32 message is bitwise equal before and after the local
 * step, if the noise is scaled by the gradient's own norm (AdaD2P).
 *
 * The step is x' = x - stepSize * (g + scale * |g| * N). With g = 0 there is no noise either, and
 * an observer who sees x' = x knows that the batch's gradient was zero.
 * @param gradientNorm |g|, at least 0
 * @param scale noise standard deviation per unit of the norm, > 0
 * @param stepSize > 0
 * @param dimension number of parameters, at least 1
 * @param runs number of steps played
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

/// Number of runs in which an attacker named the right one of two vectors.
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

} // namespace dpdl

#endif // DPDL_AUDIT_EXACT_EVENT_H
