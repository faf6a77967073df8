// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/option-table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace dpdl
{

namespace
{

/// Tuned options of an algorithm for one privacy budget. The texts are values of the options of the
/// same name.
struct Tuned
{
    std::string algorithm; ///< name in Algorithms(); entries of const-d2p also hold for algorithms
                           ///< without an entry
    double epsilon;        ///< epsilon at delta 1e-5 for which the recipe was tuned
    std::string rounds;
    std::string stepSize;
    std::string clip;
    std::string average;
};

/// Dataset for which the recipes were tuned, its number of training examples, and the batch size as
/// a fraction of a node's examples.
const std::string TUNED_DATASET = "fashion-mnist";
constexpr double TUNED_EXAMPLES = 60000;
constexpr double TUNED_RATE = 0.1;

const std::vector<Tuned> TUNED{
    {"const-d2p", 0.3, "150", "0.3", "3", "0.4"},
    {"const-d2p", 1, "300", "2", "1", "0.4"},
    {"const-d2p", 3, "300", "1.5", "3", "0.4"},
    {"decor", 0.3, "300", "0.5", "3", "0.4"},
    {"decor", 1, "300", "5", "1", "0.4"},
    {"decor", 3, "300", "3", "3", "0.4"},
    {"isolated", 0.3, "30", "0.4", "3", "0.4"},
    {"isolated", 1, "30", "1", "3", "0.4"},
    {"isolated", 3, "100", "1", "2", "0.4"},
    {"central", 0.3, "300", "0.8", "3", "0.4"},
    {"central", 1, "300", "3", "3", "0.4"},
    {"central", 3, "300", "5", "3", "0.4"},
};

/// Step sizes of algorithms that are not in TUNED, as multiples of the step size of const-d2p.
const std::map<std::string, double> STEP_FACTORS{
    {"adp-vrsgp", 4},
    {"corn", 1.5},
    {"dfedsam", 0.25},
    {"dp-fedavg", 2},
    {"dyn-c-d2p", 2},
    {"lambda-cgd", 2.5},
    {"mapa", 2},
    {"momentum-d2p", 0.1},
    {"muffliato", 4},
};

/// Tuned options of an algorithm, for the tuned epsilon whose ratio to @p epsilon is closest to 1.
/// The delta of the run is not considered. The algorithm must be in TUNED.
const Tuned&
Nearest(std::string_view algorithm, double epsilon)
{
    const auto distance = [&](const Tuned& row) {
        return row.algorithm == algorithm ? std::abs(std::log(row.epsilon / epsilon)) : INFINITY;
    };
    return *std::min_element(TUNED.begin(), TUNED.end(), [&](const Tuned& a, const Tuned& b) {
        return distance(a) < distance(b);
    });
}

} // namespace

std::vector<std::pair<std::string, std::string>>
RecipeOf(const RunOptions& settings)
{
    DPDL_REFUSE_IF(settings.dataset != TUNED_DATASET,
                   "option 'recipe'",
                   settings.recipe,
                   "none: there is no recipe for dataset '" + settings.dataset + "', only for " +
                       TUNED_DATASET);
    const bool isKnown = std::any_of(TUNED.begin(), TUNED.end(), [&](const Tuned& row) {
        return row.algorithm == settings.algorithm;
    });
    const std::vector<double> budgets =
        settings.epsilon.value_or(NodeEpsilons()).Of(settings.nodes);
    const Tuned& row = Nearest(isKnown ? std::string_view(settings.algorithm) : "const-d2p",
                               *std::min_element(budgets.begin(), budgets.end()));
    const auto factor = STEP_FACTORS.find(settings.algorithm);
    const double step =
        std::stod(row.stepSize) * (factor == STEP_FACTORS.end() ? 1.0 : factor->second);
    const double examples =
        settings.samples > 0 ? static_cast<double>(settings.samples) : TUNED_EXAMPLES;
    const double batch = TUNED_RATE * examples / static_cast<double>(settings.nodes);
    std::vector<std::pair<std::string, std::string>> recipe{
        {"algorithm", "const-d2p"},
        {"model", "softmax-regression"},
        {"features", "scattering:10:0.1"},
        {"rounds", row.rounds},
        {"batchSize", std::to_string(std::llround(std::max(1.0, batch)))},
        {"stepSize", ShowNumber(step)},
        {"init", "zero"},
        {"clip", row.clip},
        {"average", row.average}};
    if (MakeAlgorithm(settings.algorithm).sharesNoise)
    {
        // Correlated noise of different nodes cancels only if no message is lost.
        recipe.emplace_back("lossPolicy", "reliable");
    }
    return recipe;
}

RunOptions
WithRecipe(const RunOptions& settings)
{
    if (settings.recipe == "none")
    {
        return settings;
    }
    RunOptions whole = settings;
    for (const auto& [name, value] : RecipeOf(settings))
    {
        if (settings.given.count(name) == 0)
        {
            SetOption(whole, name, value);
        }
    }
    return whole;
}

} // namespace dpdl
