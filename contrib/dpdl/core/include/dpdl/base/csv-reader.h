// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BASE_CSV_READER_H
#define DPDL_BASE_CSV_READER_H

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace dpdl
{

/// A row of a table.
struct CsvRow
{
    std::string place;               ///< what errors call it: KIND 'NAME', line N
    std::vector<std::string> fields; ///< without blanks at either end, as many as the header has
};

/// Reads lines of comma-separated values one after another. Blank lines are left out.
class CsvReader
{
  public:
    /**
     * @param text read on by Next(); a byte order mark is skipped
     * @param file what errors call it: KIND 'NAME'
     */
    CsvReader(std::istream& text, std::string file);

    /// @brief Reads the next line. @return false at the end of the text
    bool Next();

    /// What errors call the line that was read last: KIND 'NAME', line N.
    std::string Place() const;

    /// That line, without blanks at either end.
    const std::string& Line() const
    {
        return m_line;
    }

    /// Its fields, without blanks at either end.
    std::vector<std::string> Fields() const;

  private:
    std::istream& m_text;    ///< what is read
    std::string m_file;      ///< see the constructor
    std::string m_line;      ///< see Line()
    std::size_t m_number{0}; ///< of that line, from 1
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
std::vector<CsvRow> ParseCsv(std::istream& text,
                             const std::string& kind,
                             const std::string& name,
                             const std::string& header);

/// The same of a file. @throws UsageError, also if the file cannot be read or is empty
std::vector<CsvRow> ReadCsv(const std::string& path,
                            const std::string& kind,
                            const std::string& header);

} // namespace dpdl

#endif // DPDL_BASE_CSV_READER_H
