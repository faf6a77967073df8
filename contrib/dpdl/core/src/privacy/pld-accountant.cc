// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "pld-accountant.h"

#include "dpdl/privacy/pld.h"
#include "dpdl/privacy/rdp.h"

#include <algorithm>

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
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "the accountant 'pld' accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "the accountant 'pld' accepts replace adjacency without sampling only";
    }
    return "";
}

void
PldAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    PldComposition pld;
    RdpComposition rdp;
    for (const auto& [step, count] : steps)
    {
        pld.Add(step.rate, step.Shift(question.adjacency), count);
        rdp.Add(step.rate, step.Shift(question.adjacency), count);
    }
    const PldBound bound = pld.Bound(question.delta);
    const double renyi = rdp.Optimise(question.delta).epsilon;
    guarantee.epsilon = std::min(bound.epsilon, renyi);
    guarantee.error = bound.error;
    if (renyi < bound.epsilon)
    {
        guarantee.error = 0.0;
        guarantee.warnings.emplace_back(
            "the grid is too coarse for these steps and this delta; the Renyi bound is given");
    }
    else if (bound.grouped)
    {
        guarantee.warnings.emplace_back(
            "many different steps were rounded up to fewer kinds; epsilon is slightly high");
    }
}

} // namespace dpdl
