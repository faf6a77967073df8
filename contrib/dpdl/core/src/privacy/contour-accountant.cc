// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "accountants.h"
#include "dpdl/privacy/contour.h"

#include <limits>

namespace dpdl
{

namespace
{

std::string
UnsupportedByContour(const PrivacyStep& step, const Question& question)
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "accepts Gaussian noise with Poisson sampling or without "
               "sampling";
    }
    if (step.sampling != Amplification::NONE && question.adjacency == Adjacency::REPLACE)
    {
        return "accepts replace adjacency without sampling only";
    }
    return "";
}

void
AccountByContour(const StepCounts& steps, const Question& question, Guarantee& guarantee)
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

} // namespace

AccountantRow
ContourAccountant()
{
    return {"contour",
            "a value and no bound: the exact curve to ten digits, by contour inversion",
            "the Laplace inversion of the moment generating function at its saddle point",
            false,
            UnsupportedByContour,
            AccountByContour};
}

} // namespace dpdl
