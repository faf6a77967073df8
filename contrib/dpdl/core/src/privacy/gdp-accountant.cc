// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "gdp-accountant.h"

#include "dpdl/privacy/gdp.h"

#include <cmath>

namespace dpdl
{

std::string
GdpAccountant::Name() const
{
    return "gdp";
}

bool
GdpAccountant::Certified() const
{
    return true;
}

std::string
GdpAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    static_cast<void>(question);
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling != Amplification::NONE)
    {
        return "the accountant 'gdp' accepts Gaussian noise without sampling only";
    }
    return "";
}

void
GdpAccountant::Account(const StepCounts& steps,
                       const Question& question,
                       Guarantee& guarantee) const
{
    double sum = 0.0;
    for (const auto& [step, count] : steps)
    {
        const double shift = step.Shift(question.adjacency);
        sum += static_cast<double>(count) * shift * shift;
    }
    guarantee.epsilon = GdpEpsilon(std::sqrt(sum), question.delta);
    guarantee.lower = guarantee.epsilon;
}

} // namespace dpdl
