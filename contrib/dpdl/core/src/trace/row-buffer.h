// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_BUFFER_H
#define DPDL_TRACE_ROW_BUFFER_H

#include "schema.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dpdl
{

/// One value of a row on its way to SQLite. A text must live until the row has been appended.
struct Cell
{
    enum class Kind : std::uint8_t
    {
        EMPTY,
        INTEGER,
        REAL,
        TEXT
    };

    Cell(double value);
    Cell(std::int64_t value);
    Cell(std::uint64_t value);
    Cell(std::uint32_t value);
    Cell(bool value);
    Cell(std::string_view value);
    Cell(const char*) = delete; ///< it would become a bool
    Cell(std::optional<double> value);
    Cell(std::optional<std::uint32_t> value);

    Kind kind{Kind::EMPTY};
    std::int64_t integer{0}; ///< for a text: its length
    double real{0};
    const char* text{nullptr};
};

/// Binds @p cell to parameter @p index of @p statement; NaN becomes NULL.
void BindCell(SQLite::Statement& statement, int index, const Cell& cell);

/**
 * @brief Collects the rows of one table and inserts many with one statement.
 *
 * Rows reach SQLite when a block is full or at Write; whoever owns the buffer owns the transaction.
 */
class RowBuffer
{
  public:
    RowBuffer(SQLite::Database& database, Table table);

    /// Appends a row: as many cells as the table has columns.
    void Append(std::initializer_list<Cell> row);

    /// Hands every pending row to SQLite.
    void Write();

  private:
    void WriteBlock();
    void BindRow(SQLite::Statement& statement, std::size_t row, std::size_t firstParameter);
    void Clear();

    SQLite::Database& m_database;
    const TableDefinition& m_table;
    std::size_t m_columns;
    std::size_t m_rows{0};                     ///< pending rows
    std::vector<Cell> m_cells;                 ///< pending rows, row-major
    std::deque<std::string> m_texts;           ///< what the pending text cells point to
    std::unique_ptr<SQLite::Statement> m_many; ///< inserts a full block
    std::unique_ptr<SQLite::Statement> m_one;  ///< inserts one row
};

} // namespace dpdl

#endif // DPDL_TRACE_ROW_BUFFER_H
