// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PLANNED_CLAIM_H
#define DPDL_ALGORITHM_PLANNED_CLAIM_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/base/registry.h"

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Epsilon that the paper of an algorithm claims for a planned run, and the releases of that run.
struct PlannedClaim
{
    ClaimSettings settings; ///< settings of the run
    /// Formula of the paper as text, one line. If the paper has no formula, the text states this.
    /// "": the algorithm is not private.
    std::string formula;
    /// Assumptions of the formula; empty without a formula.
    std::vector<ClaimAssumption> assumptions;
    /// Epsilon by the formula; infinity if the paper has no formula or the algorithm is not
    /// private.
    double claimed{0.0};
    StepCounts steps;        ///< steps of one node in all rounds, with their counts
    std::string unsupported; ///< reason why no finite epsilon can be certified, one line; "": none
    ReleaseFlag flags{ReleaseFlag::NONE}; ///< flags of the releases
    /// Assumptions of the claim that the plan violates, one line each.
    std::vector<std::string> warnings;
    /// Numbers of the plan for the output: pairs of name, such as `noise_first`, and value.
    std::vector<std::pair<std::string, double>> schedule;
};

/**
 * @brief Parameters that planned runs of an algorithm accept, with their defaults.
 * @param algorithm a name of Algorithms()
 * @throws UsageError if the name is unknown
 */
std::vector<ParameterInfo> ClaimParameters(const std::string& algorithm);

/**
 * @brief Makes the plan of a run with these settings.
 * @throws UsageError if a setting is out of range, or if the noise also depends on other inputs,
 *         such as a topology. In mode sound also if the accountant is not certified or cannot reach
 *         the target epsilon
 */
LearningPlan PlanOf(const ClaimSettings& settings);

/// Epsilon at the plan's delta that the paper's formula claims for all rounds of a plan. If the
/// formula determined the noise, the result is exactly the privacy budget.
double ClaimedBy(const LearningPlan& plan);

/// Claim and releases of the plan that PlanOf() makes.
/// @throws UsageError if PlanOf() rejects the settings
PlannedClaim ClaimOf(const ClaimSettings& settings);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLANNED_CLAIM_H
