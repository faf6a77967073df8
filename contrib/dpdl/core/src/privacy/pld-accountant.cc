// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-accountant.h"

#include "dominating-pairs.h"
#include "dpdl/privacy/pld.h"

namespace dpdl
{

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
    guarantee.lower = bound.lower;
    guarantee.error = bound.epsilon - bound.lower;
}

} // namespace dpdl
