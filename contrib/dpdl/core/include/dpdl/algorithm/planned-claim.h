// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PLANNED_CLAIM_H
#define DPDL_ALGORITHM_PLANNED_CLAIM_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/base/registry.h"
#include "dpdl/privacy/accountant.h"

#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// Claimed privacy of an algorithm before a run, and the releases of that run.
struct PlannedClaim
{
    ClaimSettings settings; ///< settings of the run
    std::string formula;    ///< the paper's formula, one line; "" if nothing is calibrated
    std::vector<ClaimAssumption> assumptions; ///< assumptions of the formula
    double claimed{0.0};                      ///< epsilon by the formula; infinity: no formula
    StepCounts steps;                         ///< steps of one node
    std::string unsupported;                  ///< reason to certify nothing finite, one line; or ""
    ReleaseFlag flags{ReleaseFlag::NONE};     ///< flags of the releases
    std::vector<std::string> warnings;        ///< assumptions that do not hold
    std::vector<std::pair<std::string, double>> schedule; ///< values of the plan, by name
};

/**
 * @brief Parameters of an algorithm that planned runs accept, with their defaults.
 * @throws UsageError if the name is unknown
 */
std::vector<ParameterInfo> ClaimParameters(const std::string& algorithm);

/**
 * @brief The plan that a run with these settings has.
 * @throws UsageError if a setting is out of range, the noise depends on more than the settings,
 *         such as a topology, or in mode sound if the accountant is not certified or cannot reach
 *         the target
 */
LearningPlan PlanOf(const ClaimSettings& settings);

/// Epsilon by the paper's formula for all rounds of a plan; the budget itself if the formula
/// determined the noise.
double ClaimedBy(const LearningPlan& plan);

/// Claim and releases of PlanOf(), which a run certifies. @throws UsageError as PlanOf() does
PlannedClaim ClaimOf(const ClaimSettings& settings);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLANNED_CLAIM_H
