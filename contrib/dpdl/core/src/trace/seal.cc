// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "seal.h"

#include "row-buffer.h"

#include <SQLiteCpp/Column.h>
#include <algorithm>
#include <limits>

namespace dpdl
{

namespace
{

/// SQL query for the objects of the schema that have a checksum. Its first column is the object's
/// name in table `checksum`.
const char* const SCHEMA = "SELECT type || ' ' || name, type, name, tbl_name, sql "
                           "FROM sqlite_master ORDER BY rowid";

/// Checksum of the first rows of an SQL query.
/// @param most largest number of rows
RowChecksum
ChecksumOfQuery(SQLite::Database& database, const std::string& sql, std::int64_t most)
{
    RowChecksum checksum;
    SQLite::Statement rows(database, sql);
    while (checksum.Rows() < most && rows.executeStep())
    {
        checksum.AddRow(rows);
    }
    return checksum;
}

std::string
RowsOf(const std::string& table)
{
    return "SELECT * FROM " + table + " ORDER BY rowid";
}

} // namespace

bool
IsSealed(SQLite::Database& database)
{
    return database.tableExists("checksum");
}

RowChecksum
ChecksumOf(SQLite::Database& database, const std::string& table)
{
    return ChecksumOfQuery(database, RowsOf(table), std::numeric_limits<std::int64_t>::max());
}

void
Seal(SQLite::Database& database, const std::string& table, const RowChecksum& checksum)
{
    Execute(database,
            "INSERT INTO checksum VALUES (?, ?, ?) ON CONFLICT(name) DO UPDATE "
            "SET rows = excluded.rows, value = excluded.value",
            table,
            checksum.Rows(),
            checksum.Value());
}

void
Seal(SQLite::Database& database, const std::string& table)
{
    Seal(database, table, ChecksumOf(database, table));
}

void
SealChanging(SQLite::Database& database)
{
    for (const char* table : {"word", "setting", "summary_item", "origin", "settled"})
    {
        Seal(database, table);
    }
}

std::optional<RowChecksum>
NotedChecksum(SQLite::Database& database, const std::string& notes, const std::string& name)
{
    SQLite::Statement noted(database, "SELECT rows, value FROM " + notes + " WHERE name = ?");
    noted.bind(1, name);
    if (!noted.executeStep())
    {
        return std::nullopt;
    }
    return RowChecksum(noted.getColumn(0).getInt64(), noted.getColumn(1).getInt64());
}

bool
HoldsSeal(SQLite::Database& database, const std::string& table, const std::string& notes)
{
    const auto noted = NotedChecksum(database, notes, table);
    const RowChecksum found = ChecksumOfQuery(database, RowsOf(table), noted ? noted->Rows() : 0);
    return noted && found.Rows() == noted->Rows() && found.Value() == noted->Value();
}

void
SealSchema(SQLite::Database& database)
{
    SQLite::Statement objects(database, SCHEMA);
    while (objects.executeStep())
    {
        RowChecksum checksum;
        checksum.AddRow(objects);
        Seal(database, objects.getColumn(0).getString(), checksum);
    }
    RowChecksum identity;
    identity.AddInteger(database.execAndGet("PRAGMA application_id").getInt64());
    identity.AddInteger(database.execAndGet("PRAGMA user_version").getInt64());
    identity.EndRow();
    Seal(database, "file", identity);
}

void
SealAll(SQLite::Database& database)
{
    Seal(database,
         "checksum",
         ChecksumOfQuery(database,
                         "SELECT name, rows, value FROM checksum WHERE name <> 'checksum' "
                         "ORDER BY name",
                         std::numeric_limits<std::int64_t>::max()));
}

void
RowChecksum::AddBytes(const char* bytes, std::size_t count)
{
    constexpr std::size_t WORD = sizeof(std::uint64_t);
    AddWord(count);
    for (std::size_t i = 0; i < count; i += WORD)
    {
        unsigned char word[WORD] = {};
        std::memcpy(word, bytes + i, std::min(WORD, count - i));
        std::uint64_t value = 0;
        for (const unsigned char byte : word)
        {
            value = value << 8 | byte;
        }
        AddWord(value);
    }
}

void
RowChecksum::AddRow(SQLite::Statement& row)
{
    for (int i = 0; i < row.getColumnCount(); ++i)
    {
        const SQLite::Column column = row.getColumn(i);
        if (column.isNull())
        {
            AddNull();
        }
        else if (column.isInteger())
        {
            AddInteger(column.getInt64());
        }
        else if (column.isFloat())
        {
            AddReal(column.getDouble());
        }
        else
        {
            const void* const bytes = column.getBlob();
            const auto count = static_cast<std::size_t>(column.getBytes());
            column.isText() ? AddText({static_cast<const char*>(bytes), count})
                            : AddBlob(bytes, count);
        }
    }
    EndRow();
}

} // namespace dpdl
