// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-buffer.h"

#include "dpdl/base/errors.h"

#include <cmath>

namespace dpdl
{

namespace
{

/// 64 rows of 9 columns stay below 999 parameters, the limit of the oldest SQLite in use.
constexpr std::size_t ROWS_PER_BLOCK = 64;

std::string
InsertText(const TableDefinition& table, std::size_t rows)
{
    std::string row = "(?";
    for (std::size_t column = 1; column < table.columns.size(); ++column)
    {
        row += ",?";
    }
    row += ")";
    std::string text = std::string("INSERT INTO ") + table.name + " VALUES " + row;
    for (std::size_t i = 1; i < rows; ++i)
    {
        text += "," + row;
    }
    return text;
}

} // namespace

Cell::Cell(double value)
    : kind(std::isnan(value) ? Kind::EMPTY : Kind::REAL),
      real(value)
{
}

Cell::Cell(std::int64_t value)
    : kind(Kind::INTEGER),
      integer(value)
{
}

Cell::Cell(std::uint64_t value)
    : Cell(static_cast<std::int64_t>(value))
{
}

Cell::Cell(std::uint32_t value)
    : Cell(static_cast<std::int64_t>(value))
{
}

Cell::Cell(bool value)
    : Cell(static_cast<std::int64_t>(value))
{
}

Cell::Cell(std::string_view value)
    : kind(Kind::TEXT),
      integer(static_cast<std::int64_t>(value.size())),
      text(value.data())
{
}

Cell::Cell(std::optional<double> value)
    : Cell(value.value_or(std::nan("")))
{
}

Cell::Cell(std::optional<std::uint32_t> value)
    : kind(value ? Kind::INTEGER : Kind::EMPTY),
      integer(value.value_or(0))
{
}

void
BindCell(SQLite::Statement& statement, int index, const Cell& cell)
{
    switch (cell.kind)
    {
    case Cell::Kind::EMPTY:
        statement.bind(index);
        return;
    case Cell::Kind::INTEGER:
        statement.bind(index, cell.integer);
        return;
    case Cell::Kind::REAL:
        statement.bind(index, cell.real);
        return;
    case Cell::Kind::TEXT:
        statement.bind(index, std::string(cell.text, static_cast<std::size_t>(cell.integer)));
        return;
    }
}

RowBuffer::RowBuffer(SQLite::Database& database, Table table)
    : m_database(database),
      m_table(DefinitionOf(table)),
      m_columns(m_table.columns.size())
{
}

void
RowBuffer::Append(std::initializer_list<Cell> row)
{
    if (row.size() != m_columns)
    {
        throw Error(std::string("trace: a row of table ") + m_table.name + " has " +
                    std::to_string(m_columns) + " columns");
    }
    m_cells.insert(m_cells.end(), row);
    for (std::size_t i = m_cells.size() - m_columns; i < m_cells.size(); ++i)
    {
        if (m_cells[i].kind == Cell::Kind::TEXT)
        {
            m_texts.emplace_back(m_cells[i].text, static_cast<std::size_t>(m_cells[i].integer));
            m_cells[i].text = m_texts.back().data();
        }
    }
    if (++m_rows == ROWS_PER_BLOCK)
    {
        WriteBlock();
    }
}

void
RowBuffer::Write()
{
    if (m_rows > 0 && !m_one)
    {
        m_one = std::make_unique<SQLite::Statement>(m_database, InsertText(m_table, 1));
    }
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        BindRow(*m_one, row, 1);
        m_one->exec();
        m_one->reset();
    }
    Clear();
}

void
RowBuffer::WriteBlock()
{
    if (!m_many)
    {
        m_many =
            std::make_unique<SQLite::Statement>(m_database, InsertText(m_table, ROWS_PER_BLOCK));
    }
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        BindRow(*m_many, row, row * m_columns + 1);
    }
    m_many->exec();
    m_many->reset();
    Clear();
}

void
RowBuffer::BindRow(SQLite::Statement& statement, std::size_t row, std::size_t firstParameter)
{
    for (std::size_t column = 0; column < m_columns; ++column)
    {
        BindCell(statement,
                 static_cast<int>(firstParameter + column),
                 m_cells[row * m_columns + column]);
    }
}

void
RowBuffer::Clear()
{
    m_rows = 0;
    m_cells.clear();
    m_texts.clear();
}

} // namespace dpdl
