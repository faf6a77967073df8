// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "bench-report.h"

#include <cmath>

namespace dpdl
{

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
BenchReport::AddNote(const std::string& sentence)
{
    m_notes.push_back(sentence);
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

} // namespace dpdl
