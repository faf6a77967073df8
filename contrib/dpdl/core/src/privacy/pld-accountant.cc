// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "accountants.h"
#include "dominating-pairs.h"
#include "dpdl/privacy/pld.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Where the grids' bounds are further apart than this, Renyi DP may know better.
constexpr double COARSE = 1e-3;
constexpr double SMALLEST = 1e-6;

std::string
UnsupportedByPld(const PrivacyStep& step, const AccountingQuery& question)
{
    return WhyNoPairs(step, question.adjacency);
}

void
AccountByPld(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    PldComposition composition(question.adjacency);
    for (const auto& [step, count] : steps)
    {
        composition.Add(step, count);
    }
    const PldBound bound = composition.Bound(question.delta, question.direction);
    guarantee.epsilon = bound.epsilon;
    // More cells cannot undo what grouping has added.
    const double distance = bound.epsilon - bound.lower - bound.grouping;
    if (!std::isfinite(distance) || distance > std::max(COARSE * bound.epsilon, SMALLEST))
    {
        const double renyi = Accountants().Get("rdp")->Evaluate(steps, question).epsilon;
        if (renyi < bound.epsilon)
        {
            guarantee.epsilon = renyi;
            guarantee.warnings.emplace_back(
                "no grid is fine enough for these steps and this delta; the Renyi bound is given");
        }
    }
    if (bound.grouping > 0.0 && guarantee.epsilon == bound.epsilon)
    {
        guarantee.warnings.emplace_back(
            "very many different steps were grouped; epsilon is slightly high, and still a bound");
    }
    guarantee.lower = std::min(bound.lower, guarantee.epsilon);
    guarantee.error = guarantee.epsilon - guarantee.lower;
}

} // namespace

AccountantRow
PldAccountant()
{
    return {"pld",
            "certified and tight: privacy-loss distributions; Gaussian and Laplace noise, every "
            "sampler",
            "Koskela, Jalko and Honkela 2020; Doroshenko et al. 2022; Zhu, Dong and Wang 2022",
            true,
            UnsupportedByPld,
            AccountByPld};
}

} // namespace dpdl
