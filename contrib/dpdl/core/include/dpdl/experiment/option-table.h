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

/// Options that all learning scenarios share, in the order of the help text.
const OptionTable<RunOptions>& LearningOptions();

/**
 * @brief Parses the value of one option.
 * @param settings receives the value
 * @param name name of the option, without dashes
 * @param value text of the value
 * @throws UsageError if there is no such option (the message suggests the nearest) or the value is
 *         not accepted
 */
void SetOption(RunOptions& settings, const std::string& name, const std::string& value);

/**
 * @brief Options of `--recipe=best`, tuned on held-out training examples (doc/leaderboard.md).
 *
 * A recipe depends on dataset, algorithm and epsilon. Recipes were tuned for epsilon 0.3, 1 and 3
 * at delta 1e-5. A run uses the recipe whose epsilon is nearest to the run's by ratio; the run's
 * delta does not matter. The algorithms decor, isolated and central have separate recipes. The
 * other algorithms use the recipe of const-d2p, some of them with a multiple of its step size. If
 * the user gives no algorithm, the recipe sets const-d2p. The noise of decor and corn cancels only
 * if no message is lost, so their recipes set lossPolicy=reliable. The batch size is a tenth of a
 * node's examples.
 *
 * @param settings options of the run. If nodes have different budgets, the smallest budget
 *        determines the recipe
 * @return pairs of option name and value, in the order of `--help`
 * @throws UsageError if there is no recipe for the dataset, or no such algorithm
 */
std::vector<std::pair<std::string, std::string>> RecipeOf(const RunOptions& settings);

/// Options with the recipe applied. If option `recipe` is `best`, RecipeOf() sets all options that
/// the user did not give. If it is `none`, the options are unchanged.
/// @throws UsageError if RecipeOf() has no recipe
RunOptions WithRecipe(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_OPTION_TABLE_H
