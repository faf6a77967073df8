// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/step-group.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <cmath>

// Counts the steps of groups of equal steps (StepGroup), and parses schedule files.

namespace dpdl
{

namespace
{

/// Counts the epochs of the sampler `shuffle`. Each epoch counts as one step: the most revealing
/// step of the epoch.
class ShuffledPasses
{
  public:
    explicit ShuffledPasses(StepCounts& steps)
        : m_steps(steps)
    {
    }

    /**
     * @param step privacy cost of each step of the group
     * @param rate sampling rate: fraction of the examples in one batch
     * @param steps number of steps of the group
     */
    void Add(const PrivacyStep& step, double rate, std::uint64_t steps)
    {
        // An epoch has floor(1 / rate) batches: examples that do not fill a batch are not used.
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

    /// Counts and ends the unfinished epoch. No effect without an unfinished epoch.
    void Finish()
    {
        if (m_position != std::floor(m_position))
        {
            ++m_steps[m_worst];
            m_position = std::ceil(m_position);
        }
    }

  private:
    /// Rounds to the nearest integer if the relative difference is at most 1e-12, because double
    /// precision represents rates such as 0.1 inexactly.
    static double Snapped(double passes)
    {
        const double whole = std::round(passes);
        return std::abs(passes - whole) <= 1e-12 * whole ? whole : passes;
    }

    StepCounts& m_steps;
    PrivacyStep m_worst;    ///< most revealing step of the unfinished epoch
    double m_position{0.0}; ///< number of epochs so far; its fractional part is the used part of
                            ///< the unfinished epoch
};

void
Check(const StepGroup& group, std::uint64_t before)
{
    DPDL_REFUSE_IF(!(group.noise > 0.0) || !std::isfinite(group.noise) ||
                       !std::isfinite(4.0 / group.noise),
                   "noise",
                   ShowNumber(group.noise),
                   "a finite number > 0");
    DPDL_REFUSE_IF(!(group.rate > 0.0 && group.rate <= 1.0),
                   "rate",
                   ShowNumber(group.rate),
                   "a number in (0, 1]");
    DPDL_REFUSE_IF(group.steps == 0 || group.steps > MOST_STEPS - before,
                   "steps",
                   std::to_string(group.steps),
                   "a whole number >= 1, at most 2^63 in all");
}

constexpr const char* KIND = "schedule file";
constexpr const char* HEADER = "noise,rate,steps";

StepGroup
ReadGroup(const CsvRow& row)
{
    StepGroup group;
    group.noise =
        ParseNumber(row.place + ", noise",
                    Excerpt(row.fields[0]),
                    "a finite number > 0",
                    [](double noise) { return noise > 0.0 && std::isfinite(4.0 / noise); });
    group.rate = ParseNumber(row.place + ", rate",
                             Excerpt(row.fields[1]),
                             "a number in (0, 1]",
                             [](double rate) { return rate > 0.0 && rate <= 1.0; });
    group.steps = ParseInteger(row.place + ", steps", Excerpt(row.fields[2]), 1, MOST_STEPS);
    return group;
}

} // namespace

Release
ReleaseOf(const StepGroup& group)
{
    Release fields;
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
    DPDL_REFUSE_IF(groups.empty(), "a schedule needs at least one step");
    StepCounts steps;
    ShuffledPasses passes(steps);
    std::uint64_t total = 0;
    for (const StepGroup& group : groups)
    {
        Check(group, total);
        total += group.steps;
        DPDL_REFUSE_IF(group.mechanism != groups.front().mechanism ||
                           group.sampler != groups.front().sampler,
                       "the groups of a schedule need the same mechanism and sampler");
        const Release release = ReleaseOf(group);
        const std::string reason = release.UnsupportedReason();
        DPDL_REFUSE_IF(!reason.empty(), reason);
        const std::optional<PrivacyStep> step = StepOf(release);
        if (step && group.sampler == "shuffle")
        {
            passes.Add(*step, group.rate, group.steps);
        }
        else if (step)
        {
            steps[*step] += group.steps;
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
    // In floating point, 1 / rate may be slightly below an integer. The addend corrects this.
    const double rounds = std::floor(1.0 / rate + 1e-9);
    return static_cast<std::uint32_t>(round / rounds);
}

std::vector<StepGroup>
ParseSchedule(std::istream& text, const std::string& name)
{
    std::vector<StepGroup> groups;
    std::uint64_t total = 0;
    for (const CsvRow& row : ParseCsv(text, KIND, name, HEADER))
    {
        groups.push_back(ReadGroup(row));
        DPDL_REFUSE_IF(groups.back().steps > MOST_STEPS - total,
                       row.place + ", steps",
                       row.fields[2],
                       "at most " + std::to_string(MOST_STEPS) + " steps in all");
        total += groups.back().steps;
    }
    DPDL_REFUSE_IF(groups.empty(),
                   std::string(KIND) + " '" + name + "' has no step; expected the header " +
                       HEADER + " and one row per distinct step");
    return groups;
}

std::vector<StepGroup>
ReadScheduleFile(const std::string& path, const StepGroup& common)
{
    std::ifstream file = OpenCsv(path, KIND);
    std::vector<StepGroup> groups = ParseSchedule(file, path);
    for (StepGroup& group : groups)
    {
        group.mechanism = common.mechanism;
        group.sampler = common.sampler;
        DPDL_REFUSE_IF(group.sampler == "full" && group.rate != 1.0,
                       "schedule file '" + path +
                           "': expected a rate of 1 in every row with --sampler=none");
    }
    return groups;
}

} // namespace dpdl
