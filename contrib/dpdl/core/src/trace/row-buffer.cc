// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-buffer.h"

namespace dpdl
{

namespace
{

/// 64 rows of 14 columns stay below 999 parameters, the limit of the oldest SQLite in use.
constexpr std::size_t ROWS_PER_BLOCK = 64;

/// Binds a value to a parameter of a statement.
struct Binder
{
    void operator()(std::monostate) const
    {
        statement.bind(index);
    }

    void operator()(std::string_view text) const
    {
        statement.bind(index, std::string(text));
    }

    void operator()(FloatView vector) const
    {
        static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vectors are little-endian");
        statement.bindNoCopy(index,
                             static_cast<const void*>(vector.values),
                             static_cast<int>(vector.count * sizeof(float)));
    }

    template <class Number>
    void operator()(Number number) const
    {
        statement.bind(index, number);
    }

    SQLite::Statement& statement;
    int index;
};

} // namespace

void
Cell::Bind(SQLite::Statement& statement, int index) const
{
    std::visit(Binder{statement, index}, content);
}

void
RowBuffer::AppendCells(const Cell* cells)
{
    const std::size_t first = m_cells.size();
    m_cells.insert(m_cells.end(), cells, cells + m_columns);
    bool hasVector = false;
    for (std::size_t i = first; i < m_cells.size(); ++i)
    {
        if (auto* text = std::get_if<std::string_view>(&m_cells[i].content))
        {
            *text = m_texts.emplace_back(*text);
        }
        hasVector = hasVector || std::holds_alternative<FloatView>(m_cells[i].content);
    }
    ++m_rows;
    if (hasVector)
    {
        Write();
    }
    else if (m_rows == ROWS_PER_BLOCK)
    {
        WriteBlock();
    }
}

SQLite::Statement
RowBuffer::Insert(std::size_t rows) const
{
    std::string row = "(?";
    for (std::size_t column = 1; column < m_columns; ++column)
    {
        row += ",?";
    }
    row += ")";
    std::string text = std::string("INSERT INTO ") + m_table + " VALUES " + row;
    for (std::size_t i = 1; i < rows; ++i)
    {
        text += "," + row;
    }
    return SQLite::Statement(m_database, text);
}

void
RowBuffer::Write()
{
    if (m_rows > 0 && !m_one)
    {
        m_one.emplace(Insert(1));
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
        m_many.emplace(Insert(ROWS_PER_BLOCK));
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
        m_cells[row * m_columns + column].Bind(statement,
                                               static_cast<int>(firstParameter + column));
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
