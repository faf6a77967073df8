// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_ROW_BUFFER_H
#define DPDL_TRACE_ROW_BUFFER_H

#include "dpdl/base/release.h"
#include "dpdl/trace/row-table.h"
#include "seal.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace dpdl
{

/// Binds a value to the parameter with index @p index, from 1. SQLite stores NaN as NULL. The
/// memory behind a FloatView must stay valid until the statement has been executed.
template <class Value>
void
BindValue(SQLite::Statement& statement, int index, const Value& value)
{
    if constexpr (std::is_floating_point_v<Value>)
    {
        statement.bind(index, value);
    }
    else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
    {
        statement.bind(index, static_cast<std::int64_t>(value));
    }
    else if constexpr (std::is_same_v<Value, FloatView>)
    {
        static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vectors are little-endian");
        statement.bindNoCopy(index,
                             static_cast<const void*>(value.values),
                             static_cast<int>(value.count * sizeof(float)));
    }
    else
    {
        statement.bind(index, std::string(std::string_view(value)));
    }
}

template <class Value>
void
BindValue(SQLite::Statement& statement, int index, const std::optional<Value>& value)
{
    value ? BindValue(statement, index, *value) : statement.bind(index);
}

/// Executes an SQL statement.
/// @param values values of the statement's parameters, in order
template <class... Values>
void
Execute(SQLite::Database& database, const std::string& sql, const Values&... values)
{
    SQLite::Statement statement(database, sql);
    int index = 0;
    (BindValue(statement, ++index, values), ...);
    statement.exec();
}

/// Adds a value to a checksum, in the form in which SQLite stores the value after BindValue().
template <class Value>
void
AddValue(RowChecksum& checksum, const Value& value)
{
    if constexpr (std::is_floating_point_v<Value>)
    {
        checksum.AddReal(value);
    }
    else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
    {
        checksum.AddInteger(static_cast<std::int64_t>(value));
    }
    else if constexpr (std::is_same_v<Value, FloatView>)
    {
        checksum.AddBlob(value.values, value.count * sizeof(float));
    }
    else
    {
        checksum.AddText(value);
    }
}

template <class Value>
void
AddValue(RowChecksum& checksum, const std::optional<Value>& value)
{
    value ? AddValue(checksum, *value) : checksum.AddNull();
}

/**
 * @brief Collects the rows of one table and inserts many rows by one SQL statement.
 *
 * Rows are inserted when a block is full, when a row has a vector, and by Write(). The caller
 * begins and commits transactions. A resumed run appends the rows of its trace again (replay). The
 * buffer compares the replayed rows with those in the table by checksum, and does not write them
 * again. The database must outlive this object.
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

    /// Appends a row to the pending rows. Writes all pending rows to the table if a block is full
    /// or the row has a vector.
    /// @param codeOf maps a text to its code in table `word`
    /// @return size in bytes of the vectors in the row
    template <class Row, class CodeOf>
    std::size_t Append(const Row& row, CodeOf codeOf)
    {
        BeginRow();
        std::size_t bytes = 0;
        ForEachColumn(TABLE<Row>, [&](const auto& column) { bytes += Bind(column, row, codeOf); });
        if (m_isTrusted)
        {
            EndTrusted();
            return bytes;
        }
        m_checksum.EndRow();
        if (!m_isThere)
        {
            EndRow(bytes > 0);
        }
        return bytes;
    }

    /// Inserts all pending rows into the table. The caller has begun a transaction.
    void Write();

    /// Name of the table in the database.
    const char* Name() const
    {
        return m_table;
    }

    /// Checksum of all appended rows.
    const RowChecksum& Checksum() const
    {
        return m_checksum;
    }

    /**
     * @brief Announces that the resumed run will replay the first rows of the table.
     * @param rows number and checksum of these rows
     * @param areThere true: the table still has these rows, so they are not written again
     */
    void Expect(const RowChecksum& rows, bool areThere)
    {
        m_expected = rows;
        m_rowsThere = areThere ? rows.Rows() : 0;
    }

    /// Announces that the values of the first replayed rows are not compared.
    /// @param rows number and checksum of these rows
    void Trust(const RowChecksum& rows)
    {
        m_trusted = rows;
    }

    /// True if the table still has its first @p rows rows from before the resumption of the run.
    bool Has(std::int64_t rows) const
    {
        return rows <= m_rowsThere;
    }

    /// True while the resumed run has not yet replayed all rows that Expect() announced.
    bool IsBehind() const
    {
        return m_checksum.Rows() < m_expected.Rows();
    }

    /// True if the last appended row is the last row that Expect() announced, and the checksum of
    /// the replayed rows differs from the announced checksum.
    bool Differs() const
    {
        return m_checksum.Rows() == m_expected.Rows() && m_checksum.Value() != m_expected.Value();
    }

    /// Replaces the checksum, because the caller has changed rows of the table directly.
    void SetChecksum(const RowChecksum& checksum)
    {
        m_checksum = checksum;
    }

  private:
    /// Binds the value of a row's column to the statement's next parameter.
    /// @return size in bytes of the value if it is a vector; 0 if it is not
    template <class Row, class Value, class CodeOf>
    std::size_t Bind(const Column<Row, Value>& column, const Row& row, CodeOf& codeOf)
    {
        using Type = typename Column<Row, Value>::Type;
        const Type& value = std::invoke(column.field, row);
        if constexpr (std::is_same_v<Type, ReleaseFlag>)
        {
            Put(codeOf(ToString(value)));
            return 0;
        }
        if constexpr (std::is_convertible_v<Type, std::string_view>)
        {
            if (column.storage == Storage::WORD)
            {
                Put(codeOf(value));
                return 0;
            }
            if (column.storage == Storage::TEXT_OR_NULL && value.empty())
            {
                Put(std::optional<std::int64_t>());
                return 0;
            }
        }
        Put(value);
        if constexpr (std::is_same_v<Type, FloatView>)
        {
            return value.count * sizeof(float);
        }
        return 0;
    }

    template <class Value>
    void Put(const Value& value)
    {
        if (!m_isThere)
        {
            BindValue(*m_insert, ++m_bound, value);
        }
        if (!m_isTrusted)
        {
            AddValue(m_checksum, value);
        }
    }

    void BeginRow();
    void EndRow(bool hasVector);
    void EndTrusted();

    SQLite::Database& m_database;
    const char* m_table;
    int m_columns;
    int m_bound{0}; ///< number of parameters of the INSERT statement that pending rows have bound
    /// Number of rows, from before the resumption, that are still in the table.
    std::int64_t m_rowsThere{0};
    /// Number and checksum of the rows that the resumed run will replay.
    RowChecksum m_expected;
    /// Number and checksum of the replayed rows whose values are not compared.
    RowChecksum m_trusted;
    /// True: the current row is a replayed row that is still in the table.
    bool m_isThere{false};
    bool m_isTrusted{false}; ///< true: the values of the current row are not compared
    RowChecksum m_checksum;
    std::unique_ptr<SQLite::Statement> m_insert;
};

} // namespace dpdl

#endif // DPDL_TRACE_ROW_BUFFER_H
