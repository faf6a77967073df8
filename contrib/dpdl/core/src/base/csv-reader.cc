// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/csv-reader.h"

#include "dpdl/base/errors.h"

#include <filesystem>
#include <istream>
#include <string_view>
#include <utility>

namespace dpdl
{

namespace
{

/// UTF-8 byte order mark, written by spreadsheets.
constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";

std::vector<std::string>
FieldsOf(const std::string& line)
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
        if (++m_number == 1 && m_line.rfind(BYTE_ORDER_MARK, 0) == 0)
        {
            m_line.erase(0, BYTE_ORDER_MARK.size());
        }
        m_line = Strip(m_line);
    }
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
        if (isHeader && fields != columns)
        {
            throw UsageError(reader.Place(), Excerpt(reader.Line()), "the header " + header);
        }
        if (fields.size() != columns.size())
        {
            throw UsageError(reader.Place(), Excerpt(reader.Line()), "the fields " + header);
        }
        if (!isHeader)
        {
            rows.push_back({reader.Place(), std::move(fields)});
        }
    }
    return rows;
}

std::vector<CsvRow>
ReadCsv(const std::string& path, const std::string& kind, const std::string& header)
{
    std::ifstream file =
        OpenInputFile(kind, path, "the path of a file that can be read, not empty", false);
    return ParseCsv(file, kind, path, header);
}

std::ifstream
OpenInputFile(const std::string& kind,
              const std::string& path,
              const std::string& accepted,
              bool mayBeEmpty)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
        throw UsageError(kind, path, "a regular file, not a folder, a device or a pipe");
    }
    const std::uint64_t bytes = fs::exists(status) ? fs::file_size(path, error) : 0;
    if (!error && bytes > LARGEST_INPUT_FILE)
    {
        throw UsageError(kind,
                         path,
                         "a file of at most " + std::to_string(LARGEST_INPUT_FILE >> 20U) +
                             " MiB, not " + std::to_string(bytes >> 20U) + " MiB");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file || (!mayBeEmpty && file.peek() == std::ifstream::traits_type::eof()))
    {
        throw UsageError(kind, path, accepted);
    }
    return file;
}

void
ForEachContentLine(std::istream& text,
                   const std::function<void(std::size_t, const std::string&)>& use)
{
    std::size_t number = 0;
    for (std::string line; std::getline(text, line);)
    {
        ++number;
        const std::string content = Strip(line.substr(0, line.find('#')));
        if (!content.empty())
        {
            use(number, content);
        }
    }
}

} // namespace dpdl
