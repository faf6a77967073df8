// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_TABLE_FILE_H
#define DPDL_BASE_TABLE_FILE_H

#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/// A row of a table.
struct TableRow
{
    std::string place;               ///< what errors call it: KIND 'NAME', line N
    std::vector<std::string> fields; ///< without blanks at either end, as many as the header has
};

/**
 * @brief Reads a table of comma-separated values. Blank lines are left out; a byte order mark is
 *        skipped.
 * @param text read to its end
 * @param kind what errors call the file, for example `schedule file`
 * @param name the file's name, for errors
 * @param header names of the columns, separated by commas; the first line has to be this
 * @return the rows behind the header; none if there is nothing at all
 * @throws UsageError naming file, line and text if the first line is another one, or a row has
 *         another number of fields
 */
std::vector<TableRow> ParseTable(std::istream& text,
                                 const std::string& kind,
                                 const std::string& name,
                                 const std::string& header);

/// The same of a file. @throws UsageError, also if the file cannot be read or is empty
std::vector<TableRow> ReadTable(const std::string& path,
                                const std::string& kind,
                                const std::string& header);

} // namespace dpdl

#endif // DPDL_BASE_TABLE_FILE_H
