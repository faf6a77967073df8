// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "row-buffer.h"

namespace dpdl
{

namespace
{

/// 64 rows of 14 columns stay below 999 parameters, the limit of the oldest SQLite in use.
constexpr int ROWS_PER_BLOCK = 64;

} // namespace

void
RowBuffer::BeginRow()
{
    m_isThere = m_checksum.Rows() < m_rowsThere;
    m_isTrusted = m_checksum.Rows() < m_trusted.Rows();
    if (m_insert || m_isThere)
    {
        return;
    }
    std::string row = "(?";
    for (int column = 1; column < m_columns; ++column)
    {
        row += ",?";
    }
    row += ")";
    std::string rows = row;
    for (int i = 1; i < ROWS_PER_BLOCK; ++i)
    {
        rows += "," + row;
    }
    m_insert = std::make_unique<SQLite::Statement>(
        m_database,
        std::string("INSERT INTO ") + m_table + " SELECT * FROM (VALUES " + rows + ") LIMIT ?");
}

void
RowBuffer::EndRow(bool hasVector)
{
    if (hasVector || m_bound == ROWS_PER_BLOCK * m_columns)
    {
        Write();
    }
}

void
RowBuffer::EndTrusted()
{
    m_checksum.SkipRow();
    if (m_checksum.Rows() == m_trusted.Rows())
    {
        m_checksum = m_trusted;
    }
}

void
RowBuffer::Write()
{
    if (m_bound > 0)
    {
        m_insert->bind(ROWS_PER_BLOCK * m_columns + 1, m_bound / m_columns);
        m_insert->exec();
        m_insert->reset();
        m_bound = 0;
    }
}

} // namespace dpdl
