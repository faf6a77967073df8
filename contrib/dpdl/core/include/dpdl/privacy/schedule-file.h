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
 * @brief Reads a schedule from a comma-separated table of steps.
 *
 *     noise,rate,steps
 *     1.1,0.01,500
 *     0.9,0.01,500
 *
 * Each row is a group of equal steps, in the order of execution: noise divided by sensitivity,
 * sampling probability, and number of steps. Blanks around a field and empty lines are skipped.
 *
 * @param text the table
 * @param name of the table in messages, usually a file name
 * @return one group per row; mechanism and sampler are the defaults of StepGroup
 * @throws UsageError with name and line if the header is wrong, a row does not have three fields, a
 *         field is out of range, the total exceeds MOST_STEPS, or there is no row
 */
std::vector<StepGroup> ParseSchedule(std::istream& text, const std::string& name);

/**
 * @brief Reads a schedule from a file with ParseSchedule().
 * @param path absolute, or relative to the working directory
 * @return one group per row
 * @throws UsageError if the file cannot be read, and as ParseSchedule() does
 */
std::vector<StepGroup> ReadScheduleFile(const std::string& path);

} // namespace dpdl

#endif // DPDL_PRIVACY_SCHEDULE_FILE_H
