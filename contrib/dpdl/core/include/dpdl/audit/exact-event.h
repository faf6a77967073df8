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
 * Events that reveal private data with certainty, without statistics.
 */

/**
 * @brief Counts runs in which a float32 message is bitwise equal before and after the local step,
 *        if the gradient's norm scales the noise (AdaD2P).
 *
 * The step is x' = x - stepSize * (g + scale * |g| * N). With g = 0 there is no noise either, so an
 * observer of x' = x knows that the batch's gradient was zero.
 * @param gradientNorm |g|, at least 0
 * @param scale noise standard deviation per unit of the norm, > 0
 * @param stepSize > 0
 * @param dimension number of parameters, at least 1
 * @param runs number of simulated steps
 * @param seed of the random numbers
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
 * @param rounds K
 * @return 1 - (1 - 1/J)^K
 */
double ZeroGradientDelta(std::uint64_t localSamples, std::uint64_t rounds);

/// Number of runs in which an attacker identified the correct one of two vectors.
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
 * @param seed of the random numbers
 */
ScalarGuesses PlayBroadcastScalar(double distance,
                                  std::size_t dimension,
                                  std::size_t runs,
                                  RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_EXACT_EVENT_H
