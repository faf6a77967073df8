// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/canary-game.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

void
CheckRelease(const Release::Fields& fields)
{
    if (fields.mechanism != "gaussian" && fields.mechanism != "none")
    {
        throw UsageError("mechanism of an audited release", fields.mechanism, "gaussian, none");
    }
    if (fields.sampler != "poisson" && fields.sampler != "fixed" && fields.sampler != "shuffle" &&
        fields.sampler != "full")
    {
        throw UsageError("sampler of an audited release",
                         fields.sampler,
                         "poisson, fixed, shuffle, full");
    }
    if (!(fields.rate >= 0.0 && fields.rate <= 1.0))
    {
        throw UsageError("rate of an audited release",
                         ShowNumber(fields.rate),
                         "a number in [0, 1]");
    }
}

/// Shift by the canary: twice the bound if other examples may oppose it. For a batch clipped as a
/// whole, Mu() already has the factor 2.
double
ShiftOf(const Release& release, Adjacency adjacency)
{
    const Release::Fields& fields = release.Get();
    const bool poisson = fields.sampler == "poisson" && fields.rate < 1.0;
    const bool fixed = fields.sampler == "fixed" && fields.rate < 1.0;
    const bool opposed = fixed || (adjacency == Adjacency::REPLACE && !poisson);
    const bool doubled = opposed && !HasFlag(fields.flags, ReleaseFlag::BATCH_CLIP);
    const double shift = (doubled ? 2.0 : 1.0) * release.Mu();
    return std::isnan(shift) ? LARGEST_SHIFT : std::min(shift, LARGEST_SHIFT);
}

} // namespace

std::vector<CanaryStep>
CanarySteps(const std::vector<Release>& releases, Adjacency adjacency)
{
    std::vector<CanaryStep> steps;
    steps.reserve(releases.size());
    for (const Release& release : releases)
    {
        const Release::Fields& fields = release.Get();
        CheckRelease(fields);
        const double shift = ShiftOf(release, adjacency);
        if (fields.rate > 0.0 && shift > 0.0)
        {
            const bool epoch = fields.sampler == "shuffle" && fields.rate < 1.0;
            steps.push_back({fields.rate, shift, epoch ? fields.epoch + 1 : 0});
        }
    }
    return steps;
}

} // namespace dpdl
