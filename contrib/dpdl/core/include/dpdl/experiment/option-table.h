// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_TABLE_H
#define DPDL_EXPERIMENT_OPTION_TABLE_H

#include "dpdl/experiment/run-settings.h"

#include <functional>
#include <string>
#include <vector>

namespace dpdl
{

/// One option of the command line.
struct Option
{
    std::string name;         ///< without dashes
    std::string defaultValue; ///< as text, the way a user would write it
    std::string accepted;     ///< what it takes, for `--help`
    std::string meaning;      ///< one line
    bool isFlag{false};       ///< may stand without a value
    /// Reads a value into the settings; throws UsageError.
    std::function<void(RunSettings&, const std::string&)> set;
    /// The value that is in the settings, as text.
    std::function<std::string(const RunSettings&)> show;
    bool isList{false}; ///< may be given again, for another item
};

/**
 * @brief The options that every learning scenario shares, in the order in which help shows them.
 *
 * An option whose part is not built yet is in the table and refuses every value but its default,
 * by name.
 */
const std::vector<Option>& LearningOptions();

/// The option of that name in a list, or nullptr.
const Option* FindOption(const std::vector<Option>& options, const std::string& name);

/**
 * @brief Reads one option into the settings.
 * @param settings is changed
 * @param name the option's name, without dashes
 * @param value its value
 * @throws UsageError if there is no such option (the nearest is offered) or the value is wrong
 */
void SetOption(RunSettings& settings, const std::string& name, const std::string& value);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_TABLE_H
