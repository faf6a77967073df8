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
 * What the scale of the noise itself reveals, if it was computed from private data (AdaD2P): N(0,
 * ratio^2 I_d) against N(0, I_d). The squared norm of what was released is all that matters, and
 * follows ratio^2 chi^2_d or chi^2_d. The centres are taken to be the same; that they are not only
 * helps the attacker.
 */

/**
 * @brief Smallest delta for an epsilon.
 *
 *     SF(t / ratio^2) - e^epsilon SF(t),  t = 2 (epsilon + d ln ratio) / (1 - 1/ratio^2),
 *
 * SF being the survival function of chi^2_d. At t the two densities have the ratio e^epsilon, and
 * the second term is computed as a density times a Mills ratio: nothing overflows.
 * @param epsilon at least 0
 * @param ratio of the two noise scales, > 1
 * @param dimension d, at least 1
 * @return delta in [0, 1], of the direction in which the larger scale is the secret
 */
double NormRatioDelta(double epsilon, double ratio, std::uint64_t dimension);

/**
 * @brief The epsilon below which no guarantee with that delta can be.
 * @param ratio of the two noise scales, > 1
 * @param dimension number of parameters
 * @param delta in (0, 1)
 * @throws UsageError naming the option `ratio` if it is not finite and above 1
 */
double NormRatioEpsilon(double ratio, std::uint64_t dimension, double delta);

/**
 * @brief Squared norms that an attacker sees, in units of the smaller scale.
 * @param ratio of the two noise scales; the larger one is called "with"
 * @param dimension number of parameters
 * @param runs how many of either kind
 * @param seed names the random numbers
 */
ScoreSample PlayNormRatio(double ratio, std::uint64_t dimension, std::size_t runs, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_AUDIT_NORM_RATIO_H
