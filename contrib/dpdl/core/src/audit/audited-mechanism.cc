// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/planned-claim.h"
#include "dpdl/audit/audit-answer.h"
#include "dpdl/audit/canary-game.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/step-group.h"

#include <algorithm>
#include <cmath>

namespace dpdl
{

namespace
{

/// Largest number of steps of an audited mechanism. The audit simulates every step.
constexpr std::uint64_t MOST_RELEASES = 10000000;

void
AppendSteps(const StepGroup& group, std::vector<Release>& releases)
{
    DPDL_REFUSE_IF(group.steps > MOST_RELEASES - releases.size(),
                   "option 'steps'",
                   std::to_string(group.steps),
                   "at most " + std::to_string(MOST_RELEASES) + " steps in an audit");
    Release fields = ReleaseOf(group);
    for (std::uint64_t k = 0; k < group.steps; ++k)
    {
        fields.round = static_cast<Round>(releases.size());
        if (fields.sampler == "shuffle")
        {
            fields.epoch = EpochOf(fields.round, fields.rate);
        }
        releases.emplace_back(fields);
    }
}

/// Computes the certified epsilon at delta of the mechanism with the accountant `pld`, and stores
/// it in the mechanism.
void
Certify(AuditedMechanism& mechanism)
{
    const Guarantee guarantee =
        Accountants().Get("pld")->Evaluate(mechanism.releases,
                                           {mechanism.delta, mechanism.adjacency, Direction::BOTH});
    mechanism.certified = guarantee.epsilon;
    mechanism.reason = guarantee.reason;
}

void
DescribeEqualSteps(const AuditRequest& request, AuditedMechanism& mechanism)
{
    const StepGroup& group = request.group;
    AppendSteps(group, mechanism.releases);
    mechanism.name = std::to_string(group.steps) + " steps, noise " + ShowNumber(group.noise) +
                     ", rate " + ShowNumber(group.rate) + ", sampler " + request.sampler;
    mechanism.claimed = request.claimed;
}

void
DescribeSchedule(const AuditRequest& request, AuditedMechanism& mechanism)
{
    for (const StepGroup& group : ReadScheduleFile(request.schedule, request.group))
    {
        AppendSteps(group, mechanism.releases);
    }
    mechanism.name = "the schedule of " + request.schedule + ", sampler " + request.sampler;
    mechanism.claimed = request.claimed;
}

/// Describes the planned run of an algorithm: releases with the requested sampler, and the claimed
/// epsilon.
void
DescribeClaim(const AuditRequest& request, AuditedMechanism& mechanism)
{
    ClaimSettings settings = request;
    settings.epsilon = request.claimed.value_or(settings.epsilon);
    const LearningPlan plan = PlanOf(settings);
    mechanism.releases = plan.Releases(0);
    mechanism.name = request.algorithm + ", mode " + ToString(request.mode) + ", " +
                     std::to_string(request.rounds) + " rounds, sampler " + request.sampler;
    mechanism.claimed = ClaimedBy(plan);
}

void
CheckRelease(const Release& fields)
{
    DPDL_REFUSE_IF(fields.mechanism != "gaussian" && fields.mechanism != "none",
                   "mechanism of an audited release",
                   fields.mechanism,
                   "gaussian, none");
    DPDL_REFUSE_IF(fields.sampler != "poisson" && fields.sampler != "fixed" &&
                       fields.sampler != "shuffle" && fields.sampler != "full",
                   "sampler of an audited release",
                   fields.sampler,
                   "poisson, fixed, shuffle, full");
    DPDL_REFUSE_IF(!(fields.rate >= 0.0 && fields.rate <= 1.0),
                   "rate of an audited release",
                   ShowNumber(fields.rate),
                   "a number in [0, 1]");
}

/// Distance, in standard deviations of the noise, by which the canary moves the sum; at most
/// LARGEST_SHIFT. The distance is twice the clip norm if the canary replaces an example with the
/// opposite gradient. For a batch clipped as a whole, Release::Mu() already contains the factor 2.
double
ShiftOf(const Release& release, Adjacency adjacency)
{
    const bool poisson = release.sampler == "poisson" && release.rate < 1.0;
    const bool fixed = release.sampler == "fixed" && release.rate < 1.0;
    const bool opposed = fixed || (adjacency == Adjacency::REPLACE && !poisson);
    const bool doubled = opposed && !HasFlag(release.flags, ReleaseFlag::BATCH_CLIP);
    const double shift = (doubled ? 2.0 : 1.0) * release.Mu();
    return std::isnan(shift) ? LARGEST_SHIFT : std::min(shift, LARGEST_SHIFT);
}

} // namespace

AuditedMechanism
MechanismOf(const AuditRequest& request)
{
    AuditedMechanism mechanism;
    mechanism.adjacency = request.question.adjacency;
    mechanism.delta = request.question.delta;
    switch (request.form)
    {
    case AuditForm::SCHEDULE:
        DescribeSchedule(request, mechanism);
        break;
    case AuditForm::CLAIM:
        DescribeClaim(request, mechanism);
        break;
    default:
        DescribeEqualSteps(request, mechanism);
    }
    Certify(mechanism);
    return mechanism;
}

std::vector<CanaryStep>
CanarySteps(const std::vector<Release>& releases, Adjacency adjacency)
{
    std::vector<CanaryStep> steps;
    steps.reserve(releases.size());
    for (const Release& release : releases)
    {
        CheckRelease(release);
        const double shift = ShiftOf(release, adjacency);
        if (release.rate > 0.0 && shift > 0.0)
        {
            const bool epoch = release.sampler == "shuffle" && release.rate < 1.0;
            steps.push_back({release.rate, shift, epoch ? release.epoch.value_or(0) + 1 : 0});
        }
    }
    return steps;
}

} // namespace dpdl
