// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_PURE_COMPOSITION_H
#define DPDL_PRIVACY_PURE_COMPOSITION_H

#include "dpdl/privacy/privacy-step.h"

#include <cstdint>
#include <map>
#include <string>

namespace dpdl
{

/// Steps that are each epsilon-DP and otherwise arbitrary: number of steps, by epsilon > 0.
using PureSteps = std::map<double, std::uint64_t>;

/// Reason to reject a step that is not epsilon-DP: half a line that follows an accountant's name;
/// "" if it is.
std::string WhyNotPure(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief The smallest epsilon for which a Laplace step is epsilon-DP.
 *
 * The shift, if there is no sampling; otherwise log(1 + q (e^shift - 1)) (Balle, Barthe and
 * Gaboardi, 2018). The shift is that of a replaced example, except for Poisson sampling under
 * add/remove adjacency.
 * @param step accepted by WhyNotPure()
 * @param adjacency neighbouring relation of datasets
 */
double PureEpsilon(const PrivacyStep& step, Adjacency adjacency);

/// Converts steps for the composition theorems of pure DP; all must be accepted by WhyNotPure().
PureSteps ToPureSteps(const StepCounts& steps, Adjacency adjacency);

/// Basic composition: the sum of the steps' epsilons, valid for every delta >= 0 (Dwork et al.,
/// 2006).
double BasicEpsilon(const PureSteps& steps);

/**
 * @brief Advanced composition: sqrt(2 log(1/delta) sum e^2) + sum e (exp(e) - 1), or the sum of all
 *        e if smaller.
 *
 * Dwork, Rothblum and Vadhan (2010), for unequal e as in Kairouz, Oh and Viswanath (2017).
 * @param delta delta of the guarantee, in (0, 1)
 */
double AdvancedEpsilon(const PureSteps& steps, double delta);

/**
 * @brief The optimal delta for the composition of equal epsilon-DP steps.
 *
 * It is attained by randomised response (Kairouz, Oh and Viswanath, 2017, Theorem 3.3). The
 * computation avoids cancellation.
 * @param stepEpsilon epsilon of each step, > 0, at most 500
 * @param count number of steps, at least 1
 * @param epsilon epsilon of the composition, at least 0
 */
double OptimalDelta(double stepEpsilon, std::uint64_t count, double epsilon);

/**
 * @brief The optimal epsilon for the composition of epsilon-DP steps.
 *
 * Exact for equal steps. For unequal steps an upper bound: the minimum of the sum, of equal steps
 * with the largest epsilon, and of sum e tanh(e/2) + sqrt(2 log(1/delta) sum e^2) (Theorem 3.5).
 * @param delta delta of the guarantee, in (0, 1)
 */
double OptimalEpsilon(const PureSteps& steps, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_PURE_COMPOSITION_H
