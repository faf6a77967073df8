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

/// Number of epsilon-DP steps; key: their epsilon, > 0.
using PureSteps = std::map<double, std::uint64_t>;

/// Reason to reject a step that is not epsilon-DP: text that completes "the accountant 'X' ..."; ""
/// if the step is epsilon-DP.
std::string WhyNotPure(const PrivacyStep& step, Adjacency adjacency);

/**
 * @brief The smallest epsilon for which a Laplace step is epsilon-DP.
 *
 * For the sampling rate q and the shift s = step.Distance(), this epsilon is log(1 + q (e^s - 1)).
 * Without sampling it is s (Balle, Barthe and Gaboardi, 2018).
 * @param step a step for which WhyNotPure() returns ""
 * @param adjacency neighbouring relation of datasets
 */
double PureEpsilon(const PrivacyStep& step, Adjacency adjacency);

/// Converts steps, for which WhyNotPure() must return "", to their epsilons and counts.
PureSteps ToPureSteps(const StepCounts& steps, Adjacency adjacency);

/// Basic composition: the sum of the steps' epsilons, valid for every delta >= 0 (Dwork et al.,
/// 2006).
double BasicEpsilon(const PureSteps& steps);

/**
 * @brief Advanced composition of steps with epsilons e: sqrt(2 log(1/delta) sum e^2) + sum e
 *        (exp(e) - 1), or the sum of all e if that is smaller.
 *
 * Dwork, Rothblum and Vadhan (2010), generalised to unequal e as in Kairouz, Oh and Viswanath
 * (2017).
 * @param delta delta of the guarantee, in (0, 1)
 */
double AdvancedEpsilon(const PureSteps& steps, double delta);

/**
 * @brief The smallest delta for which the composition of equal epsilon-DP steps is (epsilon,
 *        delta)-DP.
 *
 * Compositions of randomised response attain this delta (Kairouz, Oh and Viswanath, 2017, Theorem
 * 3.3).
 * @param stepEpsilon epsilon of each step, > 0, at most 500
 * @param count number of steps, at least 1
 * @param epsilon epsilon of the composition, at least 0
 */
double OptimalDelta(double stepEpsilon, std::uint64_t count, double epsilon);

/**
 * @brief The smallest epsilon for which the composition of epsilon-DP steps is (epsilon, delta)-DP.
 *
 * Exact for up to 10^8 equal steps with an epsilon of at most 500. For other steps with epsilons e
 * it is an upper bound, the minimum of three: sum e; the composition of equal steps with the
 * largest e; and sum e tanh(e/2) + sqrt(2 log(1/delta) sum e^2) (Kairouz, Oh and Viswanath, 2017,
 * Theorem 3.5).
 * @param delta delta of the guarantee, in (0, 1)
 */
double OptimalEpsilon(const PureSteps& steps, double delta);

} // namespace dpdl

#endif // DPDL_PRIVACY_PURE_COMPOSITION_H
