// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "contour-accountant.h"

#include "dpdl/privacy/contour.h"

#include <limits>

namespace dpdl
{

std::string
ContourAccountant::Name() const
{
    return "contour";
}

bool
ContourAccountant::Certified() const
{
    return false;
}

std::string
ContourAccountant::Obstacle(const PrivacyStep& step, const Question& question) const
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "the accountant 'contour' accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "the accountant 'contour' accepts replace adjacency without sampling only";
    }
    return "";
}

void
ContourAccountant::Account(const StepCounts& steps,
                           const Question& question,
                           Guarantee& guarantee) const
{
    ContourInversion contour;
    for (const auto& [step, count] : steps)
    {
        contour.Add(step.rate, step.Shift(question.adjacency), count);
    }
    const auto epsilon = contour.Epsilon(question.delta, question.direction);
    if (!epsilon)
    {
        guarantee.epsilon = std::numeric_limits<double>::infinity();
        guarantee.reason = "the contour inversion does not converge for these steps";
        return;
    }
    guarantee.epsilon = *epsilon;
    guarantee.lower = *epsilon;
}

} // namespace dpdl
