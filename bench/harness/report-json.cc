// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/json.h"
#include "report-text.h"

namespace dpdl
{

namespace
{

std::string
Numbers(const Measurement& values)
{
    std::string text;
    for (const double value : values.Values())
    {
        text += (text.empty() ? "" : ", ") + JsonNumber(value);
    }
    return "[" + text + "]";
}

std::string
GoalJson(const std::optional<Goal>& goal, double value)
{
    if (!goal)
    {
        return "null";
    }
    return std::string("{\"") + (goal->atMost ? "at_most" : "at_least") +
           "\": " + JsonNumber(goal->bound) +
           ", \"met\": " + (goal->MetBy(value) ? "true" : "false") + "}";
}

std::string
KindName(RatioOf kind)
{
    switch (kind)
    {
    case RatioOf::FLOOR:
        return "floor";
    case RatioOf::PEER:
        return "peer";
    default:
        return "variant";
    }
}

std::string
ComparisonJson(const Comparison& other)
{
    return "      {\"kind\": " + JsonText(KindName(other.kind)) +
           ", \"with\": " + JsonText(other.with) +
           ",\n       \"seconds\": " + Numbers(other.seconds) +
           ",\n       \"ratio\": " + Numbers(other.ratio) +
           ", \"median\": " + JsonNumber(other.ratio.Median()) +
           ", \"goal\": " + GoalJson(other.goal, other.ratio.Median()) + "}";
}

std::string
RowJson(const BenchRow& row)
{
    std::string comparisons;
    for (const Comparison& other : row.comparisons)
    {
        comparisons += (comparisons.empty() ? "\n" : ",\n") + ComparisonJson(other);
    }
    const double shown = InUnit(row.unit, row.ours.Median());
    return "    {\"what\": " + JsonText(row.what) + ", \"unit\": " + JsonText(row.unit.name) +
           ", \"median\": " + JsonNumber(shown) + ", \"goal\": " + GoalJson(row.goal, shown) +
           ",\n     \"repetitions\": " + Numbers(row.ours) + ",\n     \"comparisons\": [" +
           comparisons + "]}";
}

} // namespace

std::string
ReportJson(const std::string& name, const BenchReport& report, const BenchFacts& facts)
{
    std::string machine;
    for (const auto& [fact, value] : facts)
    {
        machine +=
            (machine.empty() ? "\n    " : ",\n    ") + JsonText(fact) + ": " + JsonText(value);
    }
    std::string rows;
    for (const BenchRow& row : report.Rows())
    {
        rows += (rows.empty() ? "\n" : ",\n") + RowJson(row);
    }
    std::string notes;
    for (const std::string& note : report.Notes())
    {
        notes += (notes.empty() ? "" : ", ") + JsonText(note);
    }
    return "{\n  \"benchmark\": " + JsonText(name) + ",\n  \"machine\": {" + machine +
           "},\n  \"rows\": [" + rows + "],\n  \"notes\": [" + notes + "]\n}\n";
}

} // namespace dpdl
