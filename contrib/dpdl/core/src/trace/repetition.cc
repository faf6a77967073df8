// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "repetition.h"

#include "dpdl/trace/run-origin.h"
#include "schema.h"
#include "seal.h"
#include "trace-access.h"

#include <algorithm>

namespace dpdl
{

namespace
{

/// What a statement was or is; @p i counts those of a table.
std::string
Shown(const NamedValues& values, std::size_t i)
{
    return i < values.size() ? "'" + values[i].second + "'" : "not there";
}

/// Leaves the settled rows of a table, if it still begins with them.
void
TakeBackRows(SQLite::Database& database, RowBuffer& buffer)
{
    const std::string table = buffer.Name();
    SQLite::Statement settled(database, "SELECT rows, value FROM settled WHERE name = ?");
    settled.bind(1, table);
    if (!settled.executeStep())
    {
        throw SQLite::Exception("nothing is known of table " + table);
    }
    const std::int64_t rows = settled.getColumn(0).getInt64();
    const bool isThere = HoldsSeal(database, table, "settled");
    database.exec("DELETE FROM " + table + " WHERE rowid > " + std::to_string(isThere ? rows : 0));
    buffer.Expect(rows, settled.getColumn(1).getInt64(), isThere);
}

} // namespace

void
NoteSettled(SQLite::Database& database, const std::vector<RowBuffer>& buffers)
{
    SQLite::Statement note(database, "INSERT OR REPLACE INTO settled VALUES (?, ?, ?)");
    for (const RowBuffer& buffer : buffers)
    {
        note.bind(1, buffer.Name());
        note.bind(2, buffer.Checksum().Rows());
        note.bind(3, buffer.Checksum().Value());
        note.exec();
        note.reset();
    }
}

Statements
ReadStatements(SQLite::Database& database)
{
    Statements statements;
    for (const char* table : {"setting", "origin"})
    {
        SQLite::Statement rows(database,
                               std::string("SELECT name, value FROM ") + table +
                                   " ORDER BY position");
        while (rows.executeStep())
        {
            statements[table].emplace_back(rows.getColumn(0).getString(),
                                           rows.getColumn(1).getString());
        }
    }
    return statements;
}

void
TakeBack(SQLite::Database& database, std::vector<RowBuffer>& buffers)
{
    for (RowBuffer& buffer : buffers)
    {
        if (buffer.Name() == std::string(TABLE<Resumption>.name))
        {
            buffer.SetChecksum(ChecksumOf(database, buffer.Name()));
            continue;
        }
        TakeBackRows(database, buffer);
    }
    database.exec("DELETE FROM setting; DELETE FROM origin");
    database.exec("DELETE FROM word WHERE id >= " + std::to_string(FIRST_CODE));
    DropIndexes(database);
}

void
CompareStatements(const std::string& path, const Statements& begun, const Statements& now)
{
    for (const auto& [table, before] : begun)
    {
        const auto found = now.find(table);
        const NamedValues after = found == now.end() ? NamedValues() : found->second;
        for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i)
        {
            if (i >= before.size() || i >= after.size() || before[i] != after[i])
            {
                const std::string name = i < before.size() ? before[i].first : after[i].first;
                throw UsageError("trace '" + path + "': " + table + " '" + name + "' was " +
                                 Shown(before, i) + " when the run began and is " +
                                 Shown(after, i) + " now; it can only go on as it was");
            }
        }
    }
}

} // namespace dpdl
