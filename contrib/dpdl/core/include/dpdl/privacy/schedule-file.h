// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_SCHEDULE_FILE_H
#define DPDL_PRIVACY_SCHEDULE_FILE_H

#include "dpdl/privacy/step-group.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Reads a schedule: a table of steps, separated by commas.
 *
 *     noise,rate,steps
 *     1.1,0.01,500
 *     0.9,0.01,500
 *
 * Each row is a number of equal steps in the order of execution: the noise divided by the
 * sensitivity, the probability that one example takes part, and how often. Blanks around a field
 * and empty lines are skipped.
 *
 * @param text the table
 * @param name what messages call it, usually a file name
 * @return one group a row; mechanism and sampler as StepGroup has them by default
 * @throws UsageError with name and line, if the header is another, if a row has not three fields,
 *         if a field is not a number in its range, if all steps together are more than MOST_STEPS,
 *         or if there is no row
 */
std::vector<StepGroup> ParseSchedule(std::istream& text, const std::string& name);

/**
 * @brief ParseSchedule() of a file.
 * @param path the file's path; a relative one starts at the working directory
 * @return one group a row
 * @throws UsageError if the file cannot be read, and as ParseSchedule() does
 */
std::vector<StepGroup> ReadScheduleFile(const std::string& path);

} // namespace dpdl

#endif // DPDL_PRIVACY_SCHEDULE_FILE_H
