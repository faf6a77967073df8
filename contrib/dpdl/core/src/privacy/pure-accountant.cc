// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pure-accountant.h"

#include "pure-composition.h"

namespace dpdl
{

std::string
PureAccountant::Name() const
{
    return "pure";
}

bool
PureAccountant::Certified() const
{
    return true;
}

std::string
PureAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    static_cast<void>(question);
    const std::string reason = WhyNotPure(step);
    return reason.empty() ? "" : "the accountant 'pure' " + reason;
}

void
PureAccountant::Account(const StepCounts& steps,
                        const Question& question,
                        Guarantee& guarantee) const
{
    guarantee.epsilon = BasicEpsilon(ToPureSteps(steps, question.adjacency));
}

} // namespace dpdl
