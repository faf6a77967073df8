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

/// Consecutive equal steps of a planned schedule. Noise is in units of the sensitivity.
struct StepGroup
{
    std::string mechanism{"gaussian"}; ///< name of the noise, see Release::mechanism
    std::string sampler{"poisson"};    ///< name of the sampler, see Release::sampler
    double rate{1.0};                  ///< probability that an example is in the batch, in (0, 1]
    /// Noise divided by sensitivity, > 0: the scale for mechanism `laplace`, otherwise the standard
    /// deviation.
    double noise{1.0};
    std::uint64_t steps{1}; ///< number of steps, 1 to MOST_STEPS
    /// Flags of the releases; BATCH_CLIP doubles the sensitivity.
    ReleaseFlag flags{ReleaseFlag::NONE};
};

/// Largest accepted total number of steps of a schedule.
constexpr std::uint64_t MOST_STEPS = std::uint64_t{1} << 63U;

/// One step of @p group, as a release of node 0 in round 0 with sensitivity 1.
Release ReleaseOf(const StepGroup& group);

/**
 * @brief Step counts of a planned schedule, equal to the tally of the releases of the executed run.
 *
 * Time and memory are proportional to the number of groups. With the sampler `shuffle`, the groups
 * fill epochs of floor(1 / rate) batches one after another. An epoch counts as one step, even if
 * the schedule ends within it. If the epoch has steps of several groups, the largest mu counts.
 *
 * @param groups groups in the order of execution
 * @return the steps and their counts
 * @throws UsageError naming option `rate`, `noise` or `steps` if a number is out of range, or if
 *         there is no group
 */
StepCounts CountSteps(const std::vector<StepGroup>& groups);

/**
 * @brief Index of the epoch to which a round of the sampler `shuffle` belongs.
 *
 * An epoch has floor(J / B) rounds for batches of B of the node's J examples; the sampling rate is
 * B / J.
 * @param round index of the round, from 0
 * @param rate sampling rate: expected fraction of the node's examples in a batch. Outside (0, 1]
 *        every round is a separate epoch, which never understates epsilon.
 */
std::uint32_t EpochOf(Round round, double rate);

/**
 * @brief Parses a schedule from a comma-separated table of steps.
 *
 *     noise,rate,steps
 *     1.1,0.01,500
 *     0.9,0.01,500
 *
 * Each row after the header is a group of equal steps, in the order of execution: noise divided by
 * sensitivity, sampling rate, and number of steps. Blanks around a field and empty lines are
 * skipped.
 *
 * @param text stream with the table
 * @param name name of the table in error messages, usually a file name
 * @return one group per row; mechanism and sampler are the defaults of StepGroup
 * @throws UsageError naming table and line if the header is wrong, a row does not have three
 *         fields, a field is out of range, the total exceeds MOST_STEPS, or there is no row
 */
std::vector<StepGroup> ParseSchedule(std::istream& text, const std::string& name);

/**
 * @brief Reads a schedule from a file with ParseSchedule().
 * @param path path of the file, absolute or relative to the working directory
 * @param common mechanism and sampler of all groups; other fields are ignored
 * @return one group per row
 * @throws UsageError naming the file, if it cannot be read, or if a sampling rate is not 1 for the
 *         sampler `full`. Also if ParseSchedule() rejects the table
 */
std::vector<StepGroup> ReadScheduleFile(const std::string& path, const StepGroup& common = {});

} // namespace dpdl

#endif // DPDL_PRIVACY_STEP_GROUP_H
