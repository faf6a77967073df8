// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "file-schedule.h"

#include "dpdl/algorithm/algorithm-preset.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace dpdl
{

FileSchedule::FileSchedule(const std::string& path)
{
    constexpr const char* KIND = "round schedule";
    constexpr const char* HEADER = "round,clip,noise";
    for (const TableRow& row : ReadTable(path, KIND, HEADER))
    {
        Add(row);
    }
    if (m_parts.empty())
    {
        throw UsageError(std::string(KIND) + " '" + path +
                         "' has no row; expected one for round "
                         "0 behind the header " +
                         HEADER);
    }
}

void
FileSchedule::Add(const TableRow& row)
{
    const auto positive = [&row](std::size_t field, const char* name) {
        return ParseNumber(row.place + ", " + name,
                           Excerpt(row.fields[field]),
                           "a number > 0",
                           [](double value) { return value > 0.0; });
    };
    const std::string text = Excerpt(row.fields[0]);
    const std::string what = row.place + ", round";
    Part part;
    part.from = static_cast<Round>(ParseInteger(what, text, 0, std::numeric_limits<Round>::max()));
    if (m_parts.empty() && part.from != 0)
    {
        throw UsageError(what, text, "0 in the first row");
    }
    if (!m_parts.empty() && part.from <= m_parts.back().from)
    {
        throw UsageError(what, text, "a round behind that of the row above");
    }
    part.clip = positive(1, "clip");
    part.noise = positive(2, "noise");
    m_parts.push_back(part);
}

RoundShape
FileSchedule::At(const AlgorithmPreset& preset, Round round, Round /* rounds */) const
{
    const auto next =
        std::upper_bound(m_parts.begin(), m_parts.end(), round, [](Round k, const Part& part) {
            return k < part.from;
        });
    const Part& part = *std::prev(next);
    RoundShape shape;
    shape.stepSize = preset.stepSize;
    shape.clip = part.clip;
    shape.unit = part.clip;
    shape.strength = part.clip / part.noise;
    return shape;
}

} // namespace dpdl
