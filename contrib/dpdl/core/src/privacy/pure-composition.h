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

/// Steps of which nothing is known but that each is epsilon-DP: epsilon > 0 to count.
using PureSteps = std::map<double, std::uint64_t>;

/// Why a step is not epsilon-DP: half a line that follows on an accountant's name, or "".
std::string WhyNotPure(const PrivacyStep& step);

/**
 * @brief The smallest epsilon for which a Laplace step is epsilon-DP.
 *
 * Shift without sampling. With it log(1 + q (e^shift - 1)) (Balle, Barthe and Gaboardi, 2018),
 * where the shift is the one of a replaced example unless sampling is Poisson and examples come and
 * go.
 * @param step not WhyNotPure
 * @param adjacency which datasets are neighbours
 */
double PureEpsilon(const PrivacyStep& step, Adjacency adjacency);

/// The steps as seen by composition theorems for pure DP; none may be WhyNotPure.
PureSteps ToPureSteps(const StepCounts& steps, Adjacency adjacency);

/// The sum: epsilon at every delta >= 0 (Dwork et al., 2006).
double BasicEpsilon(const PureSteps& steps);

/**
 * @brief sqrt(2 log(1/delta) sum e^2) + sum e (exp(e) - 1), or the sum of all e if that is smaller.
 *
 * Dwork, Rothblum and Vadhan (2010), for unequal e as in Kairouz, Oh and Viswanath (2017).
 * @param delta in (0, 1)
 */
double AdvancedEpsilon(const PureSteps& steps, double delta);

/**
 * @brief The smallest delta that holds for every composition of equal epsilon-DP steps.
 *
 * That of randomised response (Kairouz, Oh and Viswanath, 2017, Theorem 3.3), without cancellation.
 * @param stepEpsilon > 0, at most 500
 * @param count at least 1
 * @param epsilon at least 0
 */
double OptimalDelta(double stepEpsilon, std::uint64_t count, double epsilon);

/**
 * @brief The smallest epsilon that holds for every composition of such steps.
 *
 * Exact for equal steps. For unequal ones a bound: the least of the sum, of equal steps with the
 * largest epsilon, and of sum e tanh(e/2) + sqrt(2 log(1/delta) sum e^2) (Theorem 3.5).
 * @param delta in (0, 1)
 */
double OptimalEpsilon(const PureSteps& steps, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_PURE_COMPOSITION_H
