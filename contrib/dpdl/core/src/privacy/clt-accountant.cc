// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "clt-accountant.h"

#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <sstream>
#include <vector>

namespace dpdl
{

std::string
CltAccountant::Name() const
{
    return "clt";
}

bool
CltAccountant::Certified() const
{
    return false;
}

std::string
CltAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "the accountant 'clt' accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "the accountant 'clt' accepts replace adjacency without sampling only";
    }
    return "";
}

void
CltAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    std::vector<double> mu;
    std::vector<double> rate;
    for (const auto& [step, count] : steps)
    {
        mu.insert(mu.end(), count, step.Shift(question.adjacency));
        rate.insert(rate.end(), count, step.rate);
    }
    guarantee.epsilon = GdpEpsilon(CltMu(mu, rate), question.delta);
    const double kappa = CltKappa(mu, rate);
    if (!(kappa <= 0.02))
    {
        std::ostringstream text;
        text << "the central-limit formula is "
             << (kappa <= 0.1 ? "inaccurate here" : "not valid here and may be far too small")
             << ": kappa = " << kappa << ", which should be below 0.02";
        guarantee.warnings.push_back(text.str());
    }
}

} // namespace dpdl
