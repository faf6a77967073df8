// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "rdp-accountant.h"

#include "dpdl/privacy/rdp.h"

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
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "the accountant 'rdp' accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "the accountant 'rdp' accepts replace adjacency without sampling only";
    }
    return "";
}

void
RdpAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    RdpComposition composition;
    for (const auto& [step, count] : steps)
    {
        composition.Add(step.rate, step.Shift(question.adjacency), count);
    }
    guarantee.epsilon = composition.Optimise(question.delta).epsilon;
}

} // namespace dpdl
