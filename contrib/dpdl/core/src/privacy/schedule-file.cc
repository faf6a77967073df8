// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/privacy/schedule-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/base/text.h"

#include <cmath>
#include <fstream>
#include <istream>
#include <string_view>

namespace dpdl
{

namespace
{

constexpr const char* HEADER = "noise,rate,steps";
/// UTF-8's, which spreadsheets write.
constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";

std::vector<std::string>
Split(const std::string& line)
{
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t comma = line.find(','); comma != std::string::npos;
         begin = comma + 1, comma = line.find(',', begin))
    {
        fields.push_back(Strip(line.substr(begin, comma - begin)));
    }
    fields.push_back(Strip(line.substr(begin)));
    return fields;
}

/// Collects the rows of a schedule, line by line.
class ScheduleReader
{
  public:
    explicit ScheduleReader(std::string name)
        : m_name(std::move(name))
    {
    }

    void AddLine(std::size_t lineNumber, const std::string& line)
    {
        const std::string place =
            "schedule file '" + m_name + "', line " + std::to_string(lineNumber);
        const std::vector<std::string> fields = Split(line);
        if (!m_hasHeader)
        {
            m_hasHeader = true;
            if (fields != Split(HEADER))
            {
                throw UsageError(place, Excerpt(line), std::string("the header ") + HEADER);
            }
            return;
        }
        if (fields.size() != 3)
        {
            throw UsageError(place, Excerpt(line), std::string("the three fields ") + HEADER);
        }
        AddRow(place, fields);
    }

    std::vector<StepGroup> Finish() const
    {
        if (m_groups.empty())
        {
            throw UsageError("schedule file '" + m_name + "' has no step; expected the header " +
                             HEADER + " and one row per distinct step");
        }
        return m_groups;
    }

  private:
    void AddRow(const std::string& place, const std::vector<std::string>& fields)
    {
        StepGroup group;
        group.noise =
            ParseNumber(place + ", noise",
                        Excerpt(fields[0]),
                        "a finite number > 0",
                        [](double noise) { return noise > 0.0 && std::isfinite(4.0 / noise); });
        group.rate = ParseNumber(place + ", rate",
                                 Excerpt(fields[1]),
                                 "a number in (0, 1]",
                                 [](double rate) { return rate > 0.0 && rate <= 1.0; });
        group.steps = ParseInteger(place + ", steps", Excerpt(fields[2]), 1, MOST_STEPS);
        if (group.steps > MOST_STEPS - m_total)
        {
            throw UsageError(place + ", steps",
                             fields[2],
                             "at most " + std::to_string(MOST_STEPS) + " steps in all");
        }
        m_total += group.steps;
        m_groups.push_back(group);
    }

    std::string m_name;              ///< for messages
    bool m_hasHeader{false};         ///< the first line with content was read
    std::uint64_t m_total{0};        ///< steps of all rows
    std::vector<StepGroup> m_groups; ///< one a row
};

} // namespace

std::vector<StepGroup>
ParseSchedule(std::istream& text, const std::string& name)
{
    ScheduleReader reader(name);
    std::size_t lineNumber = 0;
    for (std::string line; std::getline(text, line);)
    {
        if (++lineNumber == 1 && line.rfind(BYTE_ORDER_MARK, 0) == 0)
        {
            line.erase(0, BYTE_ORDER_MARK.size());
        }
        const std::string content = Strip(line);
        if (!content.empty())
        {
            reader.AddLine(lineNumber, content);
        }
    }
    return reader.Finish();
}

std::vector<StepGroup>
ReadScheduleFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof())
    {
        throw UsageError("schedule file", path, "the path of a file that can be read, not empty");
    }
    return ParseSchedule(file, path);
}

} // namespace dpdl
