// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RECIPE_H
#define DPDL_EXPERIMENT_RECIPE_H

#include "dpdl/experiment/run-options.h"

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Options of `--recipe=best`, chosen on held-out training examples
 *        (doc/leaderboard.md).
 *
 * A recipe depends on the dataset, on the algorithm and on epsilon: of the budgets that were tuned,
 * it is that of the nearest one by ratio. decor, isolated and central have rows of their own. All
 * others have that of const-d2p, some with a multiple of its step size; const-d2p is also what is
 * meant if no algorithm is given. Noise that nodes share needs all messages, so that decor and corn
 * send lost ones again. The batch is a tenth of what a node owns.
 *
 * @param settings the options; of nodes with different budgets the smallest counts
 * @return names of options and their values, in the order of `--help`
 * @throws UsageError if there is no recipe for the dataset, or no such algorithm
 */
std::vector<std::pair<std::string, std::string>> RecipeOf(const RunOptions& settings);

/// The options, with RecipeOf() for all that were not given if they ask for it; else as they are.
RunOptions WithRecipe(const RunOptions& settings);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RECIPE_H
