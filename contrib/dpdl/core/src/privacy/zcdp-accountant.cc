// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "zcdp-accountant.h"

#include "dpdl/privacy/rdp.h"

namespace dpdl
{

std::string
ZcdpAccountant::Name() const
{
    return "zcdp";
}

bool
ZcdpAccountant::Certified() const
{
    return true;
}

std::string
ZcdpAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    static_cast<void>(question);
    return step.sampling == Amplification::NONE
               ? ""
               : "the accountant 'zcdp' accepts steps without sampling only";
}

void
ZcdpAccountant::Account(const StepCounts& steps,
                        const Question& question,
                        Guarantee& guarantee) const
{
    // mu^2 / 2 for Gaussian noise, discrete or not, and epsilon^2 / 2 for an epsilon-DP step.
    RdpComposition composition;
    for (const auto& [step, count] : steps)
    {
        composition.Add(1.0, step.Shift(question.adjacency), count);
    }
    guarantee.epsilon = composition.Optimise(question.delta).epsilon;
}

} // namespace dpdl
