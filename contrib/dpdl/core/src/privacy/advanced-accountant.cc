// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "advanced-accountant.h"

#include "pure-composition.h"

namespace dpdl
{

std::string
AdvancedAccountant::Name() const
{
    return "advanced";
}

bool
AdvancedAccountant::Certified() const
{
    return true;
}

std::string
AdvancedAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    static_cast<void>(question);
    const std::string reason = WhyNotPure(step);
    return reason.empty() ? "" : "the accountant 'advanced' " + reason;
}

void
AdvancedAccountant::Account(const StepCounts& steps,
                            const Question& question,
                            Guarantee& guarantee) const
{
    guarantee.epsilon = AdvancedEpsilon(ToPureSteps(steps, question.adjacency), question.delta);
}

} // namespace dpdl
