// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_OPTION_TABLE_H
#define DPDL_EXPERIMENT_OPTION_TABLE_H

#include "dpdl/base/options.h"
#include "dpdl/experiment/run-options.h"

#include <string>
#include <utility>
#include <vector>

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

/**
 * @brief Options of `--recipe=best`, tuned on held-out training examples (doc/leaderboard.md).
 *
 * A recipe depends on the dataset, the algorithm and epsilon. It was tuned for epsilon 0.3, 1 and
 * 3; a run uses the recipe of the nearest of these by ratio. Algorithms decor, isolated and central
 * have their own recipes. All others use the recipe of const-d2p, some with a multiple of its step
 * size. The recipe's algorithm is const-d2p. The noise of decor and corn cancels only if no message
 * is lost, so their recipes set lossPolicy=reliable. The batch size is a tenth of a node's
 * examples.
 *
 * @param settings the options; for different budgets the smallest one is used
 * @return names of options and their values, in the order of `--help`
 * @throws UsageError if there is no recipe for the dataset, or no such algorithm
 */
std::vector<std::pair<std::string, std::string>> RecipeOf(const RunOptions& settings);

/// If option `recipe` is `best`: the options, where RecipeOf() replaces all values that were not
/// given. Otherwise: the options, unchanged.
RunOptions WithRecipe(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_TABLE_H
