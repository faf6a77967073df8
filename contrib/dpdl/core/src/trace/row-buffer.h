// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_BUFFER_H
#define DPDL_TRACE_ROW_BUFFER_H

#include "dpdl/trace/row-table.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace dpdl
{

/// One value of a row on its way to SQLite; std::monostate is NULL. What a text or a vector points
/// to must live until the row has been appended.
class Cell
{
  public:
    Cell() = default;

    template <class Value>
    Cell(const Value& value)
    {
        if constexpr (std::is_floating_point_v<Value>)
        {
            if (!std::isnan(value))
            {
                content = value;
            }
        }
        else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
        {
            content = static_cast<std::int64_t>(value);
        }
        else if constexpr (std::is_same_v<Value, FloatView>)
        {
            content = value;
        }
        else
        {
            content = std::string_view(value);
        }
    }

    template <class Value>
    Cell(const std::optional<Value>& value)
        : Cell(value ? Cell(*value) : Cell())
    {
    }

    /// Binds it to parameter @p index of @p statement.
    void Bind(SQLite::Statement& statement, int index) const;

    std::variant<std::monostate, std::int64_t, double, std::string_view, FloatView> content;
};

/**
 * @brief Collects the rows of one table and inserts many with one statement.
 *
 * Rows reach SQLite when a block is full, when they have a vector, or at Write; whoever owns the
 * buffer owns the transaction.
 */
class RowBuffer
{
  public:
    template <class... Columns>
    RowBuffer(SQLite::Database& database, const RowTable<Columns...>& table)
        : m_database(database),
          m_table(table.name),
          m_columns(sizeof...(Columns))
    {
    }

    /// Appends a row of the table. @param codeOf gives the code of a word
    template <class Row, class CodeOf>
    void Append(const Row& row, CodeOf codeOf)
    {
        const auto append = [&](const auto&... columns) {
            const std::array<Cell, sizeof...(columns)> cells{CellOf(columns, row, codeOf)...};
            AppendCells(cells.data());
        };
        std::apply(append, TABLE<Row>.columns);
    }

    /// Hands every pending row to SQLite.
    void Write();

  private:
    /// What is stored of a row in a column.
    template <class Row, class Value, class CodeOf>
    static Cell CellOf(const Column<Row, Value>& column, const Row& row, CodeOf& codeOf)
    {
        const Value& value = row.*column.field;
        if constexpr (std::is_convertible_v<Value, std::string_view>)
        {
            if (column.storage == Storage::WORD)
            {
                return codeOf(value);
            }
            if (column.storage == Storage::TEXT_OR_NULL && value.empty())
            {
                return {};
            }
        }
        return value;
    }

    /// Appends as many cells as the table has columns.
    void AppendCells(const Cell* cells);

    /// A statement that inserts @p rows rows.
    SQLite::Statement Insert(std::size_t rows) const;

    void WriteBlock();
    void BindRow(SQLite::Statement& statement, std::size_t row, std::size_t firstParameter);
    void Clear();

    SQLite::Database& m_database;
    const char* m_table;
    std::size_t m_columns;
    std::size_t m_rows{0};                   ///< pending rows
    std::vector<Cell> m_cells;               ///< pending rows, row-major
    std::deque<std::string> m_texts;         ///< what the pending text cells point to
    std::optional<SQLite::Statement> m_many; ///< inserts a full block
    std::optional<SQLite::Statement> m_one;  ///< inserts one row
};

} // namespace dpdl

#endif // DPDL_TRACE_ROW_BUFFER_H
