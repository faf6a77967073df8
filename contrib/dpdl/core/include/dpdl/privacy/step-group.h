// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_GROUP_H
#define DPDL_PRIVACY_STEP_GROUP_H

#include "dpdl/privacy/privacy-step.h"
#include "dpdl/privacy/release.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dpdl
{

/// Consecutive steps of a planned schedule that are all alike, at sensitivity 1.
struct StepGroup
{
    std::string mechanism{"gaussian"};    ///< as in Release
    std::string sampler{"poisson"};       ///< as in Release
    double rate{1.0};                     ///< probability that one example takes part
    double noise{1.0};                    ///< noise / sensitivity
    std::uint64_t steps{1};               ///< how many, 1 to MOST_STEPS
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< BATCH_CLIP changes the number
};

/// The most steps that a schedule may have.
constexpr std::uint64_t MOST_STEPS = std::uint64_t{1} << 63U;

/// A step of the group as a release of sensitivity 1, in no round of no node yet.
Release::Fields FieldsOf(const StepGroup& group);

/**
 * @brief The steps of a schedule that has not been run, as ToStepCounts() has them for one that
 * was.
 *
 * Takes time and memory by groups, not by steps. Groups of the sampler `shuffle` consume the passes
 * over the local examples one after the other, floor(1 / rate) whole batches a pass; a pass that
 * several groups share counts once, with the most revealing of them, and one that is not completed
 * counts in full.
 *
 * @param groups in the order of execution
 * @return the steps and their counts
 * @throws UsageError naming `rate`, `noise` or `steps` if a number is out of range, or if there is
 *         no group at all
 */
StepCounts CountSteps(const std::vector<StepGroup>& groups);

/**
 * @brief The pass over the local examples to which a round of the sampler `shuffle` belongs.
 *
 * The sampler gives an epoch floor(J / B) rounds, and the rate B / J says how many these are.
 * @param round 0-based
 * @param rate expected share of the node's examples in a batch; outside (0, 1] every round counts
 *        as its own epoch, which never understates what was spent
 */
std::uint32_t EpochOf(Round round, double rate);

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_GROUP_H
