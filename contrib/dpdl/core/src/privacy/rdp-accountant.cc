// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "accountants.h"
#include "dpdl/privacy/rdp.h"
#include "moment-composition.h"
#include "step-moment.h"

#include <algorithm>

namespace dpdl
{

namespace
{

std::string
UnsupportedByRdp(const PrivacyStep& step, const AccountingQuery& question)
{
    return WhyNoMoment(step, question.adjacency);
}

void
AccountByRdp(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
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

} // namespace

AccountantRow
RdpAccountant()
{
    return {"rdp",
            "certified: Renyi DP, best real order; Gaussian, Laplace and discrete Gaussian noise, "
            "every sampler",
            "Mironov, Talwar and Zhang 2019; Canonne, Kamath and Steinke 2020, Prop. 12",
            true,
            UnsupportedByRdp,
            AccountByRdp};
}

} // namespace dpdl
