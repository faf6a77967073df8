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
 * @brief Answers queries about planned runs. Standard input has one run per line, with its options
 *        separated by tabs.
 *
 * `--CheckRuns` prints, for the first invalid line, its number, the name of the invalid option and
 * the reason, separated by tabs. It parses options and resolves the names that a run resolves at
 * its start: algorithm, model, partition, failures and topology. It reads no data.
 *
 * `--PrintNeeds` prints the available memory of this machine in bytes, and then the needs of each
 * run, one per line.
 * @param settings defaults at the beginning of each line; modified
 * @param argument one of these two options
 * @param read reads one option into @p settings; throws dpdl::UsageError
 * @return true if @p argument was one of them
 */
bool CheckRuns(::dpdl::RunOptions& settings,
               const std::string& argument,
               const std::function<void(const std::string&)>& read);

/**
 * @ingroup dpdl
 *
 * @brief Prints the memory and disk space that a run needs, in bytes.
 * @param settings of the run
 * @param argument `--PrintNeed`
 * @return true if @p argument was this option
 */
bool PrintNeed(const ::dpdl::RunOptions& settings, const std::string& argument);

/**
 * @ingroup dpdl
 *
 * @brief Prints links or nodes of a run in the failure language, one per line.
 * @param settings of the run
 * @param argument `--PrintLinks=N`: at most N links that the topology uses;
 *        `--PrintNodes=N`: at most N nodes. If there are more, the seed chooses
 * @return true if @p argument was one of these
 * @throws dpdl::UsageError if N is not an integer >= 1
 */
bool PrintFailing(const ::dpdl::RunOptions& settings, const std::string& argument);

} // namespace ns3

#endif // DPDL_PLAN_H
