// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PLAN_H
#define DPDL_PLAN_H

#include "dpdl/experiment/run-options.h"

#include <functional>
#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Says something of runs that are planned: standard input has one a line, its options with
 *        tabs between them.
 *
 * `--CheckRuns` prints of the first line that is not accepted its number, the name of the option
 * at fault and the reason, with tabs between them. Options are read, and what a run looks up when it begins is looked up: algorithm, model,
 * partition, failures and topology. No data is read.
 *
 * `--PrintNeeds` prints the bytes of memory that may be had on this machine, and then what each run
 * needs, a line each.
 * @param settings as they are at the beginning of each line; changed
 * @param argument one of the two
 * @param read reads one option into @p settings; throws dpdl::UsageError
 * @return whether it was one of them
 */
bool CheckRuns(::dpdl::RunOptions& settings,
               const std::string& argument,
               const std::function<void(const std::string&)>& read);

/**
 * @ingroup dpdl
 *
 * @brief Prints the memory and disk that a run needs, in bytes.
 * @param settings of the run
 * @param argument `--PrintNeed`
 * @return whether it was this
 */
bool PrintNeed(const ::dpdl::RunOptions& settings, const std::string& argument);

/**
 * @ingroup dpdl
 *
 * @brief Prints what can fail alone in a run, in the failure language, one name a line.
 * @param settings of the run
 * @param argument `--PrintLinks=N`: up to N of the links that the topology ever uses;
 *        `--PrintNodes=N`: nodes. If there are more, the seed chooses
 * @return whether it was one of these
 * @throws dpdl::UsageError if N is no number from 1
 */
bool PrintFailing(const ::dpdl::RunOptions& settings, const std::string& argument);

} // namespace ns3

#endif // DPDL_PLAN_H
