// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/table-file.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/text.h"

#include <fstream>
#include <istream>
#include <string_view>

namespace dpdl
{

namespace
{

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

} // namespace

std::vector<TableRow>
ParseTable(std::istream& text,
           const std::string& kind,
           const std::string& name,
           const std::string& header)
{
    const std::vector<std::string> columns = Split(header);
    std::vector<TableRow> rows;
    bool hasHeader = false;
    std::size_t number = 0;
    for (std::string line; std::getline(text, line);)
    {
        if (++number == 1 && line.rfind(BYTE_ORDER_MARK, 0) == 0)
        {
            line.erase(0, BYTE_ORDER_MARK.size());
        }
        const std::string content = Strip(line);
        if (content.empty())
        {
            continue;
        }
        const std::string place = kind + " '" + name + "', line " + std::to_string(number);
        std::vector<std::string> fields = Split(content);
        if (!hasHeader && fields != columns)
        {
            throw UsageError(place, Excerpt(content), "the header " + header);
        }
        if (fields.size() != columns.size())
        {
            throw UsageError(place, Excerpt(content), "the fields " + header);
        }
        if (hasHeader)
        {
            rows.push_back({place, std::move(fields)});
        }
        hasHeader = true;
    }
    return rows;
}

std::vector<TableRow>
ReadTable(const std::string& path, const std::string& kind, const std::string& header)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || file.peek() == std::ifstream::traits_type::eof())
    {
        throw UsageError(kind, path, "the path of a file that can be read, not empty");
    }
    return ParseTable(file, kind, path, header);
}

} // namespace dpdl
