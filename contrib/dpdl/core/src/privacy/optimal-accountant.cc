// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "optimal-accountant.h"

#include "pure-composition.h"

namespace dpdl
{

std::string
OptimalAccountant::Name() const
{
    return "optimal";
}

bool
OptimalAccountant::Certified() const
{
    return true;
}

std::string
OptimalAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    static_cast<void>(question);
    const std::string reason = WhyNotPure(step);
    return reason.empty() ? "" : "the accountant 'optimal' " + reason;
}

void
OptimalAccountant::Account(const StepCounts& steps,
                           const Question& question,
                           Guarantee& guarantee) const
{
    const PureSteps pure = ToPureSteps(steps, question.adjacency);
    guarantee.epsilon = OptimalEpsilon(pure, question.delta);
    if (pure.size() > 1)
    {
        guarantee.warnings.emplace_back(
            "the steps are not equal: a bound is given in place of the optimal composition");
    }
}

} // namespace dpdl
