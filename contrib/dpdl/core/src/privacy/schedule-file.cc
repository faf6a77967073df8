// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/schedule-file.h"

#include "dpdl/base/csv-reader.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <cmath>

namespace dpdl
{

namespace
{

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

std::vector<StepGroup>
ReadGroups(const std::vector<CsvRow>& rows, const std::string& name)
{
    std::vector<StepGroup> groups;
    std::uint64_t total = 0;
    for (const CsvRow& row : rows)
    {
        groups.push_back(ReadGroup(row));
        if (groups.back().steps > MOST_STEPS - total)
        {
            throw UsageError(row.place + ", steps",
                             row.fields[2],
                             "at most " + std::to_string(MOST_STEPS) + " steps in all");
        }
        total += groups.back().steps;
    }
    if (groups.empty())
    {
        throw UsageError(std::string(KIND) + " '" + name + "' has no step; expected the header " +
                         HEADER + " and one row per distinct step");
    }
    return groups;
}

} // namespace

std::vector<StepGroup>
ParseSchedule(std::istream& text, const std::string& name)
{
    return ReadGroups(ParseCsv(text, KIND, name, HEADER), name);
}

std::vector<StepGroup>
ReadScheduleFile(const std::string& path)
{
    return ReadGroups(ReadCsv(path, KIND, HEADER), path);
}

} // namespace dpdl
