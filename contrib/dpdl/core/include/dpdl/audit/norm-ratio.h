// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_NORM_RATIO_H
#define DPDL_AUDIT_NORM_RATIO_H

#include "dpdl/audit/score-test.h"
#include "dpdl/base/random.h"

#include <cstddef>
#include <cstdint>

namespace dpdl
{

/**
 * @file
 * Leakage by a noise scale that was computed from private data (AdaD2P): N(0, ratio^2 I_d) against
 * N(0, I_d). The squared norm of the release is a sufficient statistic; it follows ratio^2 chi^2_d
 * or chi^2_d. The means are assumed equal; different means only help the attacker.
 */

/**
 * @brief Smallest delta for an epsilon.
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
 * @brief Lower bound on the epsilon of any guarantee with that delta.
 * @param ratio of the two noise scales, > 1
 * @param dimension number of parameters
 * @param delta in (0, 1)
 * @throws UsageError naming the option `ratio` if it is not finite and above 1
 */
double NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta);

/**
 * @brief Squared norms seen by an attacker, in units of the smaller scale.
 * @param ratio of the two noise scales; the larger one is called "with"
 * @param dimension number of parameters
 * @param runs number of runs of either kind
 * @param seed of the random numbers
 */
ScoreSample PlayNormRatio(double ratio, std::uint64_t dimension, std::size_t runs, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_NORM_RATIO_H
