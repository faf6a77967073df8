// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_CSV_READER_H
#define DPDL_BASE_CSV_READER_H

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace dpdl
{

/// One data row of a CSV file.
struct CsvRow
{
    std::string place; ///< position for errors, such as `schedule file 's.csv', line 3`
    /// Fields of the row, one per column of the header, without surrounding blanks.
    std::vector<std::string> fields;
};

/// Reads lines of comma-separated values one after another. Skips blank lines. A field may be in
/// double quotes, but cannot contain a line break.
class CsvReader
{
  public:
    /**
     * @param text text that Next() reads; must outlive the reader
     * @param file kind and name of the text for errors, such as `schedule file 's.csv'`
     */
    CsvReader(std::istream& text, std::string file);

    /**
     * @brief Reads the next line that is not blank.
     * @return false at the end of the text
     * @throws UsageError naming the line if semicolons or tabs separate its fields, or a quotation
     *         mark is missing
     */
    bool Next();

    /// Position of the last line read, for errors, such as `schedule file 's.csv', line 3`.
    std::string Place() const;

    /// The last line read, trimmed.
    const std::string& Line() const
    {
        return m_line;
    }

    /// Fields of the last line read, trimmed and without the quotation marks around them.
    std::vector<std::string> Fields() const;

  private:
    std::istream& m_text;    ///< text to read
    std::string m_file;      ///< kind and name of the text, for errors
    std::string m_line;      ///< last line read, trimmed
    std::size_t m_number{0}; ///< number of the last line read, from 1
};

/**
 * @brief Reads a table of comma-separated values. Skips blank lines.
 * @param text text to read, to its end
 * @param kind kind of the file in errors, for example `schedule file`
 * @param name the file's name, for errors
 * @param header required first line: column names, separated by commas
 * @return the rows after the header; none if the text is empty
 * @throws UsageError naming file, line and text if the header differs, or if a row has a different
 *         number of fields
 */
std::vector<CsvRow> ParseCsv(std::istream& text,
                             const std::string& kind,
                             const std::string& name,
                             const std::string& header);

/// Opens the CSV file at @p path, for ParseCsv().
/// @param kind kind of the file in errors
/// @throws UsageError naming the path if it cannot be read or is empty
std::ifstream OpenCsv(const std::string& path, const std::string& kind);

} // namespace dpdl

#endif // DPDL_BASE_CSV_READER_H
