// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-accountant.h"

#include "dominating-pairs.h"
#include "dpdl/privacy/pld.h"
#include "rdp-accountant.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Where the grids' bounds are further apart than this, Renyi DP may know better.
constexpr double COARSE = 1e-3;
constexpr double SMALLEST = 1e-6;

} // namespace

std::string
PldAccountant::Name() const
{
    return "pld";
}

bool
PldAccountant::Certified() const
{
    return true;
}

std::string
PldAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    const std::string reason = WhyNoPairs(step, question.adjacency);
    return reason.empty() ? "" : "the accountant 'pld' " + reason;
}

void
PldAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    PldComposition composition(question.adjacency);
    for (const auto& [step, count] : steps)
    {
        composition.Add(step, count);
    }
    const PldBound bound = composition.Bound(question.delta, question.direction);
    guarantee.epsilon = bound.epsilon;
    const double distance = bound.epsilon - bound.lower;
    if (!std::isfinite(distance) || distance > std::max(COARSE * bound.epsilon, SMALLEST))
    {
        const double renyi = RdpAccountant().Evaluate(steps, question).epsilon;
        if (renyi < bound.epsilon)
        {
            guarantee.epsilon = renyi;
            guarantee.warnings.emplace_back(
                "no grid is fine enough for these steps and this delta; the Renyi bound is given");
        }
    }
    guarantee.lower = std::min(bound.lower, guarantee.epsilon);
    guarantee.error = guarantee.epsilon - guarantee.lower;
}

} // namespace dpdl
