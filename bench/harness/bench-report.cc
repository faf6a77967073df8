// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "bench-report.h"

#include "dpdl/base/json.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dpdl
{

namespace
{

constexpr int DIGITS = 3;

/// Three digits, and all of a whole part that has more.
std::string
Rounded(double value)
{
    return std::abs(value) >= 1000.0 ? std::to_string(std::llround(value))
                                     : ShowRounded(value, DIGITS);
}

/// The cells of one line: what, figure, ratio, spread, goal, met or missed.
using Cells = std::array<std::string, 6>;

const Cells HEAD{"what", "figure", "ratio", "quartiles", "goal", ""};

std::string
Quartiles(double low, double high)
{
    return Rounded(std::min(low, high)) + " to " + Rounded(std::max(low, high));
}

std::string
RatioWords(RatioOf kind)
{
    switch (kind)
    {
    case RatioOf::FLOOR:
        return " x floor";
    case RatioOf::PEER:
        return " x as fast";
    default:
        return " x its time";
    }
}

void
FillGoal(const std::optional<Goal>& goal, double value, Cells& cells)
{
    if (goal)
    {
        cells[4] = (goal->atMost ? "at most " : "at least ") + Rounded(goal->bound);
        cells[5] = goal->MetBy(value) ? "met" : "missed";
    }
}

std::string
Figure(const Unit& unit, const Measurement& values)
{
    return Rounded(InUnit(unit, values.Median())) + " " + unit.name;
}

Cells
OwnCells(const BenchRow& row)
{
    Cells cells{row.what, Figure(row.unit, row.ours), "", "", "", ""};
    cells[3] = Quartiles(InUnit(row.unit, row.ours.Quantile(0.25)),
                         InUnit(row.unit, row.ours.Quantile(0.75)));
    FillGoal(row.goal, InUnit(row.unit, row.ours.Median()), cells);
    return cells;
}

Cells
ComparisonCells(const BenchRow& row, const Comparison& other, const std::string& indent)
{
    const double ratio = other.ratio.Median();
    Cells cells{indent + other.with,
                Figure(row.unit, other.seconds),
                Rounded(ratio) + RatioWords(other.kind),
                Quartiles(other.ratio.Quantile(0.25), other.ratio.Quantile(0.75)),
                "",
                ""};
    FillGoal(other.goal, ratio, cells);
    return cells;
}

std::vector<Cells>
Lines(const BenchReport& report, const std::string& indent)
{
    std::vector<Cells> lines;
    for (const BenchRow& row : report.Rows())
    {
        lines.push_back(OwnCells(row));
        for (const Comparison& other : row.comparisons)
        {
            lines.push_back(ComparisonCells(row, other, indent));
        }
    }
    return lines;
}

std::string
Aligned(std::vector<Cells> lines)
{
    lines.insert(lines.begin(), HEAD);
    std::array<std::size_t, HEAD.size()> widths{};
    for (const Cells& cells : lines)
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            widths[i] = std::max(widths[i], cells[i].size());
        }
    }
    std::string text;
    for (const Cells& cells : lines)
    {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            line += cells[i] + std::string(widths[i] - cells[i].size() + 2, ' ');
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

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

Unit
Milliseconds()
{
    return {"ms", 1e-3, false};
}

Unit
Microseconds()
{
    return {"us", 1e-6, false};
}

double
InUnit(const Unit& unit, double value)
{
    return unit.isRate ? unit.size / value : value / unit.size;
}

bool
Goal::MetBy(double value) const
{
    return atMost ? value <= bound : value >= bound;
}

std::optional<Goal>
AtMost(double bound)
{
    return std::isinf(bound) ? std::nullopt : std::optional<Goal>({true, bound});
}

std::optional<Goal>
AtLeast(double bound)
{
    return bound > 0.0 ? std::optional<Goal>({false, bound}) : std::nullopt;
}

void
BenchRow::AddFloor(const std::string& with, const Measurement& seconds, double goal)
{
    comparisons.push_back({RatioOf::FLOOR, with, seconds, Ratios(ours, seconds), AtMost(goal)});
}

void
BenchRow::AddPeer(const std::string& with, const Measurement& seconds, double goal)
{
    comparisons.push_back({RatioOf::PEER, with, seconds, Ratios(seconds, ours), AtLeast(goal)});
}

void
BenchRow::AddVariant(const std::string& with, const Measurement& seconds, double goal)
{
    comparisons.push_back({RatioOf::VARIANT, with, seconds, Ratios(ours, seconds), AtMost(goal)});
}

BenchRow&
BenchReport::AddRow(const std::string& what, const Unit& unit, const Measurement& ours)
{
    BenchRow& row = m_rows.emplace_back();
    row.what = what;
    row.unit = unit;
    row.ours = ours;
    return row;
}

void
BenchReport::AddFigure(const std::string& what,
                       const std::string& unit,
                       const Measurement& values,
                       const std::optional<Goal>& goal)
{
    AddRow(what, {unit, 1.0, false}, values).goal = goal;
}

void
BenchReport::AddNote(const std::string& line)
{
    m_notes.push_back(line);
}

const std::deque<BenchRow>&
BenchReport::Rows() const
{
    return m_rows;
}

const std::vector<std::string>&
BenchReport::Notes() const
{
    return m_notes;
}

std::string
ReportTable(const BenchReport& report, const BenchFacts& facts)
{
    std::string text;
    for (const auto& [name, value] : facts)
    {
        text += name + ": " + value + "\n";
    }
    text += "\n" + Aligned(Lines(report, "  "));
    for (const std::string& note : report.Notes())
    {
        text += "note: " + note + "\n";
    }
    return text;
}

std::string
ReportMarkdown(const BenchReport& report)
{
    std::string text =
        "| what | figure | ratio | quartiles | goal | |\n|---|---|---|---|---|---|\n";
    for (const Cells& cells : Lines(report, "... "))
    {
        for (const std::string& cell : cells)
        {
            text += "| " + cell + (cell.empty() ? "" : " ");
        }
        text += "|\n";
    }
    return text;
}

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
