// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_CANARY_SCHEDULE_H
#define DPDL_AUDIT_CANARY_SCHEDULE_H

#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"

#include <cstdint>
#include <vector>

namespace dpdl
{

/// What one noisy message does to the coordinate in which only the canary has a gradient.
struct CanaryStep
{
    double rate{1.0};  ///< probability that the canary is in the batch, in [0, 1]
    double shift{0.0}; ///< how far it then moves the coordinate, in noise standard deviations; >= 0
    /// The canary is in at most one of the consecutive steps of a group, e.g. of an epoch. Steps of
    /// group 0 stand alone.
    std::uint32_t group{0};
};

/// The largest shift that is simulated: with it, no observer can be wrong. No noise counts as this.
constexpr double LARGEST_SHIFT = 60.0;

/**
 * @brief The game that a list of releases amounts to, for the worst canary that it allows.
 *
 * - Poisson sampling: the canary adds its clipped gradient in its own direction; without it,
 *   or with a replacement whose gradient is zero, nothing is there.
 * - A batch of fixed size: the other examples of the batch have the opposite gradient, so that the
 *   canary moves the sum by twice the bound (`swing`). The same data serve both adjacencies.
 * - Shuffled epochs: the canary is in one batch of an epoch, and the attacker does not know which.
 * - Every example in every batch: the shift of the adjacency.
 *
 * Releases that no example can influence are left out; a release without noise or without a bound
 * gets LARGEST_SHIFT.
 *
 * @param releases of one node, in the order in which they were made
 * @param adjacency which datasets are neighbours
 * @throws UsageError if a release has a noise other than Gaussian, a sampler that is not known, or
 *         a rate outside [0, 1]
 */
std::vector<CanaryStep> CanarySteps(const std::vector<Release>& releases, Adjacency adjacency);

} // namespace dpdl

#endif // DPDL_AUDIT_CANARY_SCHEDULE_H
