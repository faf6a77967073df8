// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "clt-accountant.h"

#include "dpdl/privacy/gdp-clt.h"
#include "dpdl/privacy/gdp.h"

#include <cmath>
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
    if (step.noise != NoiseKind::GAUSSIAN)
    {
        return "the accountant 'clt' accepts Gaussian noise only";
    }
    if (step.sampling == Amplification::POISSON && question.adjacency == Adjacency::REPLACE)
    {
        return "the accountant 'clt' has no formula for Poisson sampling under replace adjacency";
    }
    return "";
}

void
CltAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    double square = 0.0;
    double variance = 0.0;
    double third = 0.0;
    for (const auto& [step, count] : steps)
    {
        const auto times = static_cast<double>(count);
        const bool fixed = step.sampling == Amplification::WITHOUT_REPLACEMENT;
        const std::vector<double> rate{step.rate};
        const std::vector<double> mu{fixed ? step.swing : step.Shift(question.adjacency)};
        const double poisson = CltMu(mu, rate);
        const double claimed = fixed ? CltFixedMu(mu, rate) : poisson;
        square += times * claimed * claimed;
        variance += times * poisson * poisson;
        third += times * CltKappa(mu, rate) * poisson * poisson * poisson;
    }
    guarantee.epsilon = GdpEpsilon(std::sqrt(square), question.delta);
    const double kappa = third / variance / std::sqrt(variance);
    if (!(kappa <= CLT_KAPPA_INACCURATE))
    {
        std::ostringstream text;
        text << "the central-limit formula is "
             << (kappa <= CLT_KAPPA_REFUSED
                     ? "inaccurate here"
                     : "not valid here, may be far too small and is refused as a "
                       "guarantee")
             << ": kappa = " << (std::isfinite(kappa) ? kappa : HUGE_VAL)
             << ", which should be below " << CLT_KAPPA_INACCURATE;
        guarantee.warnings.push_back(text.str());
    }
}

} // namespace dpdl
