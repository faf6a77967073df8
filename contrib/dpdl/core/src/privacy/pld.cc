// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/pld.h"

#include "accountants.h"
#include "dominating-pair.h"
#include "dpdl/privacy/gdp.h"
#include "one-direction-bound.h"
#include "step-mesh.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

// Accountant `pld`. Composes privacy losses in both directions and returns the larger epsilon. If
// the bounds stay too far apart, it also evaluates Renyi DP and returns the smaller of both
// epsilons.

namespace dpdl
{

namespace
{

/// The result is the larger epsilon of two directions (remove and add), so the bounds of the
/// smaller epsilon may be less accurate. The target distance between them, as a fraction of the
/// smaller epsilon, is PART * (larger - smaller) / smaller.
constexpr double PART = 0.3;
/// With more different steps than this, a mesh is used even if interpolation is possible.
constexpr std::size_t MANY_STEPS = 10000;
/// Target distance between upper and lower bound with meshes, as a fraction of epsilon. A finer
/// grid would lower epsilon by less than the mesh raises it.
constexpr double MESH_SHARP = 8e-4;

/// The mu of one Gaussian step that is equivalent to all steps together. Returns -1 if a step is
/// sampled or not Gaussian.
double
FullMu(const StepCounts& steps, Adjacency adjacency)
{
    double square = 0.0;
    for (const auto& [step, count] : steps)
    {
        if (step.noise != NoiseKind::GAUSSIAN || step.sampling != Amplification::NONE)
        {
            return -1.0;
        }
        const double mu = step.Shift(adjacency);
        square += static_cast<double>(count) * mu * mu;
    }
    return std::sqrt(square);
}

/// Refines the bounds of the direction with the larger estimated epsilon. Then refines the bounds
/// of the opposite direction as long as its epsilon may be larger.
/// @param sharp target distance between upper and lower bound, as a fraction of epsilon
void
RefineBoth(OneDirectionBound& remove, OneDirectionBound& add, double sharp)
{
    OneDirectionBound& first = remove.Estimate() < add.Estimate() ? add : remove;
    OneDirectionBound& second = &first == &remove ? add : remove;
    const double larger = first.Refine(sharp).upper;
    const double apart = (larger - second.Estimate()) / std::max(second.Estimate(), 1e-300);
    second.Refine(std::clamp(PART * apart, sharp, 0.1), first.Bounds().lower);
    if (second.Bounds().upper > first.Bounds().lower)
    {
        second.Refine(sharp);
    }
}

/// Computes the bound of one direction, REMOVE or ADD. The bound also holds for Direction::BOTH if
/// the steps have equal dominating pairs in both directions.
/// @param sharp target distance between upper and lower bound, as a fraction of epsilon
PldBound
OneSided(OneDirectionBound& directed, double sharp)
{
    const EpsilonBounds& bounds = directed.Refine(sharp);
    PldBound bound;
    bound.epsilon = bounds.upper;
    bound.grouping = directed.Grouping();
    bound.lower = std::max(bounds.lower - bound.grouping, 0.0);
    return bound;
}

/// Groups the steps by dominating pair. With more than MANY_STEPS different steps or MANY_PAIRS
/// pairs, bounds the steps by a mesh of pairs.
DirectedKinds
KindsOf(const StepCounts& steps, Adjacency adjacency)
{
    const bool many = steps.size() > MANY_STEPS || CountPairs(steps) > MANY_PAIRS;
    return many ? MeshKinds(steps, adjacency) : SortKinds(steps, adjacency);
}

/// Target distance between upper and lower bound, as a fraction of epsilon.
double
SharpnessFor(const PldKinds& kinds)
{
    if (!kinds.meshes.empty())
    {
        return MESH_SHARP;
    }
    return kinds.kinds.size() > MANY_KINDS ? LESS_SHARP : SHARP;
}

/// Renyi DP is also evaluated if the distance between upper and lower bound exceeds both: COARSE
/// times epsilon, and SMALLEST.
constexpr double COARSE = 1e-3;
constexpr double SMALLEST = 1e-6;

void
AccountByPld(const StepCounts& steps, const AccountingQuery& question, Guarantee& guarantee)
{
    PldComposition composition(question.adjacency);
    for (const auto& [step, count] : steps)
    {
        composition.Add(step, count);
    }
    const PldBound bound = composition.Bound(question.delta, question.direction);
    guarantee.epsilon = bound.epsilon;
    // The increase of epsilon by meshes (grouping) is subtracted, because a finer grid cannot
    // reduce it.
    const double distance = bound.epsilon - bound.lower - bound.grouping;
    if (!std::isfinite(distance) || distance > std::max(COARSE * bound.epsilon, SMALLEST))
    {
        const double renyi = Accountants().Get("rdp")->Evaluate(steps, question).epsilon;
        if (renyi < bound.epsilon)
        {
            guarantee.epsilon = renyi;
            guarantee.warnings.emplace_back(
                "no grid is fine enough for these steps and this delta; the Renyi bound is given");
        }
    }
    if (bound.grouping > 0.0 && guarantee.epsilon == bound.epsilon)
    {
        guarantee.warnings.emplace_back(
            "very many different steps were grouped; epsilon is slightly high, and still a bound");
    }
    guarantee.lower = std::min(bound.lower, guarantee.epsilon);
    guarantee.error = guarantee.epsilon - guarantee.lower;
}

} // namespace

PldComposition::PldComposition(Adjacency adjacency)
    : m_adjacency(adjacency)
{
}

void
PldComposition::Add(double rate, double mu, std::uint64_t count)
{
    PrivacyStep step;
    step.sampling = rate < 1.0 ? Amplification::POISSON : Amplification::NONE;
    step.rate = rate;
    step.muAddRemove = mu;
    step.muReplace = 2.0 * mu;
    Add(step, count);
}

void
PldComposition::Add(const PrivacyStep& step, std::uint64_t count)
{
    const std::string reason = WhyNoPairs(step, m_adjacency);
    if (!reason.empty())
    {
        throw std::logic_error("no dominating pairs: the accountant " + reason);
    }
    if (step.rate > 0.0 && step.Shift(m_adjacency) > 0.0 && count > 0)
    {
        m_steps[step] += count;
    }
}

PldBound
PldComposition::Bound(double delta, Direction direction) const
{
    PldBound bound;
    const double full = FullMu(m_steps, m_adjacency);
    if (full >= 0.0)
    {
        bound.epsilon = full > 0.0 ? GdpEpsilon(full, delta) : 0.0;
        bound.lower = bound.epsilon;
        return bound;
    }
    const DirectedKinds kinds = KindsOf(m_steps, m_adjacency);
    const double sharp = SharpnessFor(kinds.remove);
    OneDirectionBound remove(kinds.remove, delta);
    if (kinds.symmetric || direction == Direction::REMOVE)
    {
        return OneSided(remove, sharp);
    }
    OneDirectionBound add(kinds.add, delta);
    if (direction == Direction::ADD)
    {
        return OneSided(add, sharp);
    }
    RefineBoth(remove, add, sharp);
    bound.epsilon = std::max(remove.Bounds().upper, add.Bounds().upper);
    const OneDirectionBound& larger = remove.Bounds().lower < add.Bounds().lower ? add : remove;
    bound.grouping = larger.Grouping();
    bound.lower = std::max(larger.Bounds().lower - bound.grouping, 0.0);
    return bound;
}

AccountantRow
PldAccountant()
{
    return {"pld",
            "certified and tight: privacy-loss distributions; Gaussian and Laplace noise, every "
            "sampler",
            "Koskela, Jalko and Honkela 2020; Doroshenko et al. 2022; Zhu, Dong and Wang 2022",
            true,
            WhyNoPairs,
            AccountByPld};
}

} // namespace dpdl
