// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "resumed-rows.h"

#include "seal.h"
#include "trace-access.h"

#include <algorithm>
#include <limits>
#include <string_view>

// Prepares the trace of an interrupted run for its resumption. Stores checkpoints, removes rows
// that may still change, and compares the settings and origin of the resumed run with those in the
// trace.

namespace dpdl
{

namespace
{

/// Value of entry @p i in quotes, for an error message; `not there` if there is no such entry.
std::string
Shown(const NamedValues& values, std::size_t i)
{
    return i < values.size() ? "'" + values[i].second + "'" : "not there";
}

/// Table `settled` has two rows for each table of the trace: the settled rows at the last commit
/// and, under a name with this prefix, the rows at the last checkpoint.
const char* const AT_CHECKPOINT = "checkpoint ";

/// Length in characters of the digest that follows the content of each blob in table `checkpoint`.
constexpr std::size_t DIGITS = 16;

/// Key of the run's state in table `checkpoint`. It sorts after the keys of all parts of the
/// journal, so further parts can be appended to the journal and its checksum.
constexpr std::int64_t STATE_POSITION = std::numeric_limits<std::int64_t>::max();

/// Largest size in bytes of one stored part of the journal. Each part is copied before it is
/// written, so this limits the memory for the copy.
constexpr std::size_t PART_BYTES = std::size_t{1} << 20;

/// Writes a part of a checkpoint and its digest as a row of table `checkpoint`.
/// @param position key of the row
/// @param content the part, without its digest
/// @param[in,out] checksum checksum of the rows before this row; on return it includes this row
void
WritePart(SQLite::Database& database,
          std::int64_t position,
          std::string_view content,
          RowChecksum& checksum)
{
    std::string whole(content);
    whole += DigestOf(content.data(), content.size());
    SQLite::Statement write(database, "INSERT OR REPLACE INTO checkpoint VALUES (?, ?)");
    write.bind(1, position);
    write.bindNoCopy(2, static_cast<const void*>(whole.data()), static_cast<int>(whole.size()));
    write.exec();
    checksum.AddInteger(position);
    checksum.AddBlob(whole.data(), whole.size());
    checksum.EndRow();
}

/// Appends the content of a stored part, without its digest, to @p to.
/// @return true if the digest matches the content
bool
AddPart(const SQLite::Column& column, std::string& to)
{
    const std::string whole(static_cast<const char*>(column.getBlob()),
                            static_cast<std::size_t>(column.getBytes()));
    const std::size_t size = whole.size() < DIGITS ? 0 : whole.size() - DIGITS;
    to += whole.substr(0, size);
    return whole.substr(size) == DigestOf(whole.data(), size);
}

/// Keeps the settled rows of a table, as recorded in table `settled`, if their checksum is correct.
/// Deletes all other rows, or all rows if the checksum is wrong. @p buffer then expects the resumed
/// run to replay the settled rows.
void
TakeBackRows(SQLite::Database& database, RowBuffer& buffer)
{
    const std::string table = buffer.Name();
    const auto settled = NotedChecksum(database, "settled", table);
    if (!settled)
    {
        throw SQLite::Exception("nothing is known of table " + table);
    }
    const bool isThere = HoldsSeal(database, table, "settled");
    database.exec("DELETE FROM " + table + " WHERE rowid > " +
                  std::to_string(isThere ? settled->Rows() : 0));
    buffer.Expect(*settled, isThere);
}

} // namespace

void
NoteSettled(SQLite::Database& database,
            const std::vector<RowBuffer>& buffers,
            const std::string& prefix)
{
    for (const RowBuffer& buffer : buffers)
    {
        Execute(database,
                "INSERT OR REPLACE INTO settled VALUES (?, ?, ?)",
                prefix + buffer.Name(),
                buffer.Checksum().Rows(),
                buffer.Checksum().Value());
    }
}

void
WriteCheckpoint(SQLite::Database& database,
                const std::vector<RowBuffer>& buffers,
                const Checkpoint& checkpoint,
                RowChecksum& journal)
{
    NoteSettled(database, buffers, AT_CHECKPOINT);
    const std::string_view added(checkpoint.journal);
    for (std::size_t begin = 0; begin < added.size(); begin += PART_BYTES)
    {
        WritePart(database, journal.Rows() + 1, added.substr(begin, PART_BYTES), journal);
    }
    RowChecksum all = journal;
    WritePart(database, STATE_POSITION, checkpoint.state, all);
    Seal(database, "checkpoint", all);
}

void
DropCheckpoint(SQLite::Database& database)
{
    database.exec("DELETE FROM checkpoint");
    Seal(database, "checkpoint");
}

void
GiveBackSpace(SQLite::Database& database)
{
    const std::int64_t unused = database.execAndGet("PRAGMA freelist_count").getInt64();
    if (4 * unused < database.execAndGet("PRAGMA page_count").getInt64())
    {
        return;
    }
    try
    {
        database.exec("VACUUM");
    }
    catch (const SQLite::Exception&)
    {
        // The disk is full or another program is reading. The file stays valid but is not
        // compacted.
    }
}

std::optional<Checkpoint>
ReadCheckpoint(SQLite::Database& database, std::vector<RowBuffer>& buffers, RowChecksum& journal)
{
    Checkpoint checkpoint;
    // The digest of a part does not reveal that the part comes from another run. So the checksum of
    // the whole table is also checked.
    bool isWhole = HoldsSeal(database, "checkpoint", "checksum");
    SQLite::Statement parts(database, "SELECT position, content FROM checkpoint ORDER BY position");
    while (parts.executeStep())
    {
        const bool isState = parts.getColumn(0).getInt64() == STATE_POSITION;
        isWhole =
            AddPart(parts.getColumn(1), isState ? checkpoint.state : checkpoint.journal) && isWhole;
        if (!isState)
        {
            journal.AddRow(parts);
        }
    }
    // A resumed run replays the rows of all tables except the table of resumptions.
    const auto isTold = [](const RowBuffer& buffer) {
        return buffer.Name() != std::string(TABLE<Resumption>.name);
    };
    std::vector<RowChecksum> marks;
    for (const RowBuffer& buffer : buffers)
    {
        const auto mark =
            NotedChecksum(database, "settled", std::string(AT_CHECKPOINT) + buffer.Name());
        isWhole = isWhole && mark && (buffer.Has(mark->Rows()) || !isTold(buffer));
        marks.push_back(mark.value_or(RowChecksum()));
    }
    if (!isWhole || checkpoint.state.empty())
    {
        // Deletes the unusable journal, so the next checkpoint starts a new one.
        parts.reset();
        DropCheckpoint(database);
        journal = RowChecksum();
        return std::nullopt;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
    {
        if (isTold(buffers[i]))
        {
            buffers[i].Trust(marks[i]);
        }
    }
    return checkpoint;
}

std::optional<AccuracyByRound>
LastEvaluation(SQLite::Database& database)
{
    SQLite::Statement rows(database, "SELECT * FROM evaluation ORDER BY rowid DESC LIMIT 1");
    if (!rows.executeStep())
    {
        return std::nullopt;
    }
    // A diverged run has NaN as result. SQLite stores NaN as NULL. A result that was not computed is
    // NULL as well, and becomes NaN.
    const auto number = [&rows](int column) {
        const SQLite::Column value = rows.getColumn(column);
        return value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.getDouble();
    };
    return AccuracyByRound{rows.getColumn(0).getUInt(),
                           rows.getColumn(1).getDouble(),
                           number(2),
                           number(3),
                           number(4),
                           number(5),
                           number(6),
                           static_cast<std::uint64_t>(rows.getColumn(7).getInt64())};
}

Statements
ReadStatements(SQLite::Database& database)
{
    Statements statements;
    for (const char* table : {"setting", "origin"})
    {
        // Skips the entry `commit`: a different commit of the source code may give the same
        // results.
        SQLite::Statement rows(database,
                               std::string("SELECT name, value FROM ") + table +
                                   " WHERE name <> 'commit' ORDER BY position");
        while (rows.executeStep())
        {
            statements[table].emplace_back(rows.getColumn(0).getString(),
                                           rows.getColumn(1).getString());
        }
    }
    return statements;
}

void
RemoveUnsettled(SQLite::Database& database, std::vector<RowBuffer>& buffers)
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
    const auto refuse = [&path](const std::string& table,
                                const std::string& name,
                                const std::string& before,
                                const std::string& after) {
        throw UsageError("trace '" + path + "': " + table + " '" + name + "' was " + before +
                         " when the run began and is " + after +
                         " now; it can only go on as it was");
    };
    for (const auto& [table, before] : begun)
    {
        const auto found = now.find(table);
        const NamedValues after = found == now.end() ? NamedValues() : found->second;
        for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i)
        {
            if (i >= before.size() || i >= after.size() || before[i] != after[i])
            {
                const std::string name = i < before.size() ? before[i].first : after[i].first;
                refuse(table, name, Shown(before, i), Shown(after, i));
            }
        }
    }
}

} // namespace dpdl
