// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/csv-reader.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/input-file.h"

#include <algorithm>
#include <utility>

namespace dpdl
{

namespace
{

/// Splits a line at its commas, except commas between quotation marks (RFC 4180).
std::vector<std::string>
FieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::string field;
    bool isQuoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const bool isMark = line[i] == '"';
        if (isMark && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
        {
            field += line[i++];
        }
        else if (isMark && (isQuoted || Strip(field).empty()))
        {
            isQuoted = !isQuoted;
        }
        else if (line[i] == ',' && !isQuoted)
        {
            fields.push_back(Strip(field));
            field.clear();
        }
        else
        {
            field += line[i];
        }
    }
    fields.push_back(Strip(field));
    return fields;
}

} // namespace

CsvReader::CsvReader(std::istream& text, std::string file)
    : m_text(text),
      m_file(std::move(file))
{
}

bool
CsvReader::Next()
{
    m_line.clear();
    while (m_line.empty() && std::getline(m_text, m_line))
    {
        ++m_number;
        m_line = Strip(m_line);
    }
    DPDL_REFUSE_IF(std::count(m_line.begin(), m_line.end(), '"') % 2 != 0,
                   Place(),
                   m_line,
                   "a closing quotation mark on the same line");
    const std::size_t separator = m_line.find_first_of(";\t");
    DPDL_REFUSE_IF(separator != std::string::npos && m_line.find(',') == std::string::npos,
                   Place(),
                   m_line,
                   std::string("fields separated by commas, not by ") +
                       (m_line[separator] == ';' ? "semicolons" : "tabs"));
    return !m_line.empty();
}

std::string
CsvReader::Place() const
{
    return m_file + ", line " + std::to_string(m_number);
}

std::vector<std::string>
CsvReader::Fields() const
{
    return FieldsOf(m_line);
}

std::vector<CsvRow>
ParseCsv(std::istream& text,
         const std::string& kind,
         const std::string& name,
         const std::string& header)
{
    const std::vector<std::string> columns = FieldsOf(header);
    std::vector<CsvRow> rows;
    CsvReader reader(text, kind + " '" + name + "'");
    for (bool isHeader = true; reader.Next(); isHeader = false)
    {
        std::vector<std::string> fields = reader.Fields();
        DPDL_REFUSE_IF(isHeader && fields != columns,
                       reader.Place(),
                       Excerpt(reader.Line()),
                       "the header " + header);
        DPDL_REFUSE_IF(fields.size() != columns.size(),
                       reader.Place(),
                       Excerpt(reader.Line()),
                       "the fields " + header);
        if (!isHeader)
        {
            rows.push_back({reader.Place(), std::move(fields)});
        }
    }
    return rows;
}

std::ifstream
OpenCsv(const std::string& path, const std::string& kind)
{
    return OpenInputFile(kind, path, "the path of a file that can be read, not empty", false);
}

} // namespace dpdl
