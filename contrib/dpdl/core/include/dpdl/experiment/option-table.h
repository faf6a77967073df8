// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_TABLE_H
#define DPDL_EXPERIMENT_OPTION_TABLE_H

#include "dpdl/base/options.h"
#include "dpdl/experiment/run-options.h"

#include <string>

namespace dpdl
{

/**
 * @brief The options that every learning scenario shares, in the order in which help shows them.
 *
 * An option whose part is not built yet is in the table and refuses every value but its default,
 * by name.
 */
const OptionTable<RunOptions>& LearningOptions();

/**
 * @brief Reads one option into the settings.
 * @param settings is changed
 * @param name the option's name, without dashes
 * @param value its value
 * @throws UsageError if there is no such option (the nearest is offered) or the value is wrong
 */
void SetOption(RunOptions& settings, const std::string& name, const std::string& value);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_TABLE_H
