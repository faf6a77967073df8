// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/csv-reader.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <utility>

namespace dpdl
{

namespace
{

/// Splits a line at its commas, except those between quotation marks (RFC 4180).
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

/// Moves behind a UTF-8 byte order mark. @throws UsageError for UTF-16 and gzip
void
SkipByteOrderMark(std::ifstream& file, const std::string& place)
{
    std::string start(3, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    const auto begins = [&start](const char* mark) { return start.rfind(mark, 0) == 0; };
    if (begins("\xff\xfe") || begins("\xfe\xff"))
    {
        throw UsageError(place, "UTF-16", "text in UTF-8");
    }
    if (begins("\x1f\x8b"))
    {
        throw UsageError(place, "gzip", "text that is not compressed");
    }
    file.seekg(begins("\xef\xbb\xbf") ? 3 : 0);
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
    if (std::count(m_line.begin(), m_line.end(), '"') % 2 != 0)
    {
        throw UsageError(Place(), m_line, "a closing quotation mark on the same line");
    }
    const std::size_t separator = m_line.find_first_of(";\t");
    if (separator != std::string::npos && m_line.find(',') == std::string::npos)
    {
        throw UsageError(Place(),
                         m_line,
                         std::string("fields separated by commas, not by ") +
                             (m_line[separator] == ';' ? "semicolons" : "tabs"));
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
    if (file)
    {
        SkipByteOrderMark(file, kind + " '" + path + "', line 1");
    }
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

const char*
NumberBegin(const std::string& text)
{
    const bool hasPlus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return text.data() + (hasPlus ? 1 : 0);
}

std::string
WarnOfTimes(const InputTimes& times, double end)
{
    if (times.last <= 0.0 || (times.last >= end && times.first <= end / 2.0))
    {
        return "";
    }
    return times.file + " has times from " + ShowRounded(times.first, 6) + "s to " +
           ShowRounded(times.last, 6) + "s, but the run lasted from 0s to " + ShowRounded(end, 6) +
           "s; " + times.shift + " shifts them";
}

} // namespace dpdl
