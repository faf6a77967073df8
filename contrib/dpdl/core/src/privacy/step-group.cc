// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/step-group.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

// Counts the steps of planned groups. ShuffledPasses keeps the most revealing step of each epoch
// of the sampler `shuffle`.

namespace dpdl
{

namespace
{

/// Epochs of the sampler `shuffle`; each counts once, with its most revealing step.
class ShuffledPasses
{
  public:
    explicit ShuffledPasses(StepCounts& steps)
        : m_steps(steps)
    {
    }

    /**
     * @param step of this group
     * @param rate fraction of the examples in one batch
     * @param steps number of steps
     */
    void Add(const PrivacyStep& step, double rate, std::uint64_t steps)
    {
        // The examples left over at the end of an epoch, fewer than a batch, are not used.
        const double passes = static_cast<double>(steps) / std::floor(Snapped(1.0 / rate));
        const double end =
            std::max(Snapped(m_position + passes), std::nextafter(m_position, m_position + 1.0));
        const double boundary = std::ceil(m_position);
        if (m_position < boundary)
        {
            m_worst.muAddRemove = std::max(m_worst.muAddRemove, step.muAddRemove);
            m_worst.muReplace = std::max(m_worst.muReplace, step.muReplace);
            if (end < boundary)
            {
                m_position = end;
                return;
            }
            Finish();
        }
        const double whole = std::floor(end) - m_position;
        if (whole >= 1.0)
        {
            m_steps[step] += static_cast<std::uint64_t>(whole);
        }
        m_position = end;
        m_worst = step;
    }

    /// Counts the unfinished epoch, if any.
    void Finish()
    {
        if (m_position != std::floor(m_position))
        {
            ++m_steps[m_worst];
            m_position = std::ceil(m_position);
        }
    }

  private:
    /// Rates such as 0.1 are inexact, so quotients miss integers by a little; rounds to them.
    static double Snapped(double passes)
    {
        const double whole = std::round(passes);
        return std::abs(passes - whole) <= 1e-12 * whole ? whole : passes;
    }

    StepCounts& m_steps;
    PrivacyStep m_worst;    ///< most revealing step of the unfinished epoch
    double m_position{0.0}; ///< number of epochs so far
};

void
Check(const StepGroup& group, std::uint64_t before)
{
    if (!(group.noise > 0.0) || !std::isfinite(group.noise) || !std::isfinite(4.0 / group.noise))
    {
        throw UsageError("noise", ShowNumber(group.noise), "a finite number > 0");
    }
    if (!(group.rate > 0.0 && group.rate <= 1.0))
    {
        throw UsageError("rate", ShowNumber(group.rate), "a number in (0, 1]");
    }
    if (group.steps == 0 || group.steps > MOST_STEPS - before)
    {
        throw UsageError("steps",
                         std::to_string(group.steps),
                         "a whole number >= 1, at most 2^63 in all");
    }
}

} // namespace

Release::Fields
FieldsOf(const StepGroup& group)
{
    Release::Fields fields;
    fields.mechanism = group.mechanism;
    fields.sampler = group.sampler;
    fields.rate = group.rate;
    fields.sensitivity = 1.0;
    fields.noise = group.noise;
    fields.flags = group.flags;
    return fields;
}

StepCounts
CountSteps(const std::vector<StepGroup>& groups)
{
    if (groups.empty())
    {
        throw UsageError("a schedule needs at least one step");
    }
    StepCounts steps;
    ShuffledPasses passes(steps);
    std::uint64_t total = 0;
    for (const StepGroup& group : groups)
    {
        Check(group, total);
        total += group.steps;
        if (group.mechanism != groups.front().mechanism || group.sampler != groups.front().sampler)
        {
            throw UsageError("the groups of a schedule need the same mechanism and sampler");
        }
        const Release release(FieldsOf(group));
        const std::string reason = release.UnsupportedReason();
        if (!reason.empty())
        {
            throw UsageError(reason);
        }
        for (const auto& [step, count] : ToStepCounts({release}))
        {
            if (group.sampler == "shuffle")
            {
                passes.Add(step, group.rate, group.steps);
            }
            else
            {
                steps[step] += group.steps;
            }
        }
    }
    passes.Finish();
    return steps;
}

std::uint32_t
EpochOf(Round round, double rate)
{
    if (!(rate > 0.0 && rate <= 1.0))
    {
        return round;
    }
    // Rounding may bring 1 / rate slightly below an integer.
    const double rounds = std::floor(1.0 / rate + 1e-9);
    return static_cast<std::uint32_t>(round / rounds);
}

} // namespace dpdl
