// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_STEP_GROUP_H
#define DPDL_PRIVACY_STEP_GROUP_H

#include "dpdl/base/release.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/// Equal consecutive steps of a planned schedule, in units in which the sensitivity is 1.
struct StepGroup
{
    std::string mechanism{"gaussian"}; ///< name of the noise, see Release::mechanism
    std::string sampler{"poisson"};    ///< name of the sampler, see Release::sampler
    double rate{1.0};                  ///< probability that an example is in the batch, in (0, 1]
    /// Noise divided by sensitivity: scale for `laplace`, else standard deviation; > 0.
    double noise{1.0};
    std::uint64_t steps{1}; ///< number of steps, 1 to MOST_STEPS
    /// Properties of the releases; BATCH_CLIP doubles the sensitivity.
    ReleaseFlag flags{ReleaseFlag::NONE};
};

/// Largest total number of steps of a schedule.
constexpr std::uint64_t MOST_STEPS = std::uint64_t{1} << 63U;

/// One step of @p group as a release of sensitivity 1, with node and round 0.
Release ReleaseOf(const StepGroup& group);

/**
 * @brief Step counts of a planned schedule, equal to the tally of the executed one.
 *
 * Time and memory grow with the number of groups, not steps. Groups of the sampler `shuffle`
 * consume epochs one after another, floor(1 / rate) whole batches per epoch. An epoch shared by
 * several groups counts once, with the most revealing of them. An incomplete epoch counts in full.
 *
 * @param groups in the order of execution
 * @return the steps and their counts
 * @throws UsageError naming `rate`, `noise` or `steps` if a number is out of range, or if there is
 *         no group
 */
StepCounts CountSteps(const std::vector<StepGroup>& groups);

/**
 * @brief The epoch of a round of the sampler `shuffle`.
 *
 * The sampler gives an epoch floor(J / B) rounds, computed here from the rate B / J.
 * @param round number of the round, 0-based
 * @param rate expected share of the node's examples in a batch; outside (0, 1] every round is a
 *        separate epoch, which never understates the privacy loss
 */
std::uint32_t EpochOf(Round round, double rate);

/**
 * @brief Reads a schedule from a comma-separated table of steps.
 *
 *     noise,rate,steps
 *     1.1,0.01,500
 *     0.9,0.01,500
 *
 * Each row is a group of equal steps, in the order of execution: noise divided by sensitivity,
 * sampling probability, and number of steps. Blanks around a field and empty lines are skipped.
 *
 * @param text stream with the table
 * @param name name of the table in error messages, usually a file name
 * @return one group per row; mechanism and sampler are the defaults of StepGroup
 * @throws UsageError with name and line if the header is wrong, a row does not have three fields, a
 *         field is out of range, the total exceeds MOST_STEPS, or there is no row
 */
std::vector<StepGroup> ParseSchedule(std::istream& text, const std::string& name);

/**
 * @brief Reads a schedule from a file with ParseSchedule().
 * @param path absolute, or relative to the working directory
 * @param common gives mechanism and sampler of all groups; its other fields are not used
 * @return one group per row
 * @throws UsageError if the file cannot be read, a rate is not 1 although the sampler takes every
 *         example, and as ParseSchedule() does
 */
std::vector<StepGroup> ReadScheduleFile(const std::string& path, const StepGroup& common = {});

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_GROUP_H
