// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dominating-pairs.h"

#include "poisson-gaussian-pair.h"

#include <stdexcept>

namespace dpdl
{

std::string
WhyNoPairs(const PrivacyStep& step, Adjacency adjacency)
{
    if (step.noise != NoiseKind::GAUSSIAN || step.sampling == Amplification::WITHOUT_REPLACEMENT)
    {
        return "accepts Gaussian noise with Poisson sampling or without sampling";
    }
    if (step.sampling != Amplification::NONE && adjacency == Adjacency::REPLACE)
    {
        return "accepts replace adjacency without sampling only";
    }
    return "";
}

DirectedPairs
PairsOf(const PrivacyStep& step, Adjacency adjacency)
{
    const std::string reason = WhyNoPairs(step, adjacency);
    if (!reason.empty())
    {
        throw std::logic_error("no dominating pairs: " + reason);
    }
    const double shift = step.Shift(adjacency);
    const auto remove =
        std::make_shared<PoissonGaussianPair>(step.rate, shift, PoissonGaussianPair::Side::REMOVE);
    if (step.rate == 1.0)
    {
        return {remove, remove};
    }
    return {
        remove,
        std::make_shared<PoissonGaussianPair>(step.rate, shift, PoissonGaussianPair::Side::ADD)};
}

} // namespace dpdl
