// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "rdp-accountant.h"

#include "dpdl/privacy/rdp.h"
#include "moment-composition.h"
#include "step-moment.h"

#include <algorithm>

namespace dpdl
{

std::string
RdpAccountant::Name() const
{
    return "rdp";
}

bool
RdpAccountant::Certified() const
{
    return true;
}

std::string
RdpAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    const std::string reason = WhyNoMoment(step, question.adjacency);
    return reason.empty() ? "" : "the accountant 'rdp' " + reason;
}

void
RdpAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    const auto special = [&question](const auto& entry) {
        return NeedsPair(entry.first, question.adjacency);
    };
    if (std::any_of(steps.begin(), steps.end(), special))
    {
        const MomentComposition composition(steps, question.adjacency);
        guarantee.epsilon = composition.Optimise(question.delta).epsilon;
        if (composition.Rounded())
        {
            guarantee.warnings.emplace_back(
                "many different steps were rounded up to fewer kinds; epsilon is slightly high");
        }
        return;
    }
    RdpComposition composition;
    for (const auto& [step, count] : steps)
    {
        composition.Add(step.rate, step.Shift(question.adjacency), count);
    }
    guarantee.epsilon = composition.Optimise(question.delta).epsilon;
}

} // namespace dpdl
