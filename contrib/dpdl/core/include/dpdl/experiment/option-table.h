// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_TABLE_H
#define DPDL_EXPERIMENT_OPTION_TABLE_H

#include "dpdl/base/options.h"
#include "dpdl/experiment/run-options.h"

#include <string>

namespace dpdl
{

/// The options that every learning scenario shares, in the order of the help text.
const OptionTable<RunOptions>& LearningOptions();

/**
 * @brief Parses one option into the settings.
 * @param settings receives the value
 * @param name the option's name, without dashes
 * @param value text of the value
 * @throws UsageError if there is no such option (the message suggests the nearest) or the value is
 *         not accepted
 */
void SetOption(RunOptions& settings, const std::string& name, const std::string& value);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_TABLE_H
