// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dominating-pair.h"
#include "laplace-pair.h"
#include "mirrored-pair.h"
#include "poisson-gaussian-pair.h"

#include <stdexcept>

namespace dpdl
{

namespace
{

/// Makes the dominating pairs of both directions. At sampling rate 1 both directions share one
/// object.
/// @param rate sampling probability, in (0, 1]
/// @param shift change of the gradient sum by one example, in noise scales
template <typename Pair>
DirectedPairs
BothSides(double rate, double shift)
{
    const auto remove = std::make_shared<Pair>(rate, shift, Pair::Side::REMOVE);
    if (rate == 1.0)
    {
        return {remove, remove};
    }
    return {remove, std::make_shared<Pair>(rate, shift, Pair::Side::ADD)};
}

/// Makes the dominating pair of a sampled step for the replace-one neighbouring relation. The pair
/// is valid in both directions.
std::shared_ptr<const DominatingPair>
Replaced(const PrivacyStep& step)
{
    using Rival = MirroredGaussianPair::Rival;
    if (step.noise == NoiseKind::LAPLACE)
    {
        return std::make_shared<MirroredLaplacePair>(step.rate, step.muReplace);
    }
    if (step.sampling == Amplification::POISSON && step.muReplace > step.muAddRemove)
    {
        return std::make_shared<MirroredGaussianPair>(step.rate, step.muAddRemove, Rival::OPPOSITE);
    }
    return std::make_shared<MirroredGaussianPair>(step.rate, step.muReplace, Rival::STILL);
}

} // namespace

std::string
WhyNoPairs(const PrivacyStep& step, Adjacency /* adjacency */)
{
    if (step.noise == NoiseKind::DISCRETE_GAUSSIAN)
    {
        return "accepts Gaussian and Laplace noise only";
    }
    return "";
}

DirectedPairs
PairsOf(const PrivacyStep& step, Adjacency adjacency)
{
    const std::string reason = WhyNoPairs(step, adjacency);
    if (!reason.empty())
    {
        throw std::logic_error("no dominating pairs: the factory " + reason);
    }
    if (step.rate < 1.0 && adjacency == Adjacency::REPLACE)
    {
        const auto pair = Replaced(step);
        return {pair, pair};
    }
    // In a batch of fixed size, another example takes the place of a removed example, so Distance()
    // is then muReplace.
    const double shift = step.Distance(adjacency);
    return step.noise == NoiseKind::LAPLACE ? BothSides<LaplacePair>(step.rate, shift)
                                            : BothSides<PoissonGaussianPair>(step.rate, shift);
}

} // namespace dpdl
