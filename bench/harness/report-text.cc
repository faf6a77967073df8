// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "report-text.h"

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

} // namespace

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

} // namespace dpdl
