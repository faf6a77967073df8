// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-store-impl.h"

#include <algorithm>
#include <limits>
#include <sqlite3.h>

// Opens a trace, checks the replayed rows of a resumed run, and finishes or discards the trace.

namespace dpdl
{

namespace
{

/// Longest time, in milliseconds, that the writer waits for a reader's lock.
constexpr int WRITE_TIMEOUT = 5000;

} // namespace

TraceStore::Impl::Impl(const std::string& path, const Options& options)
    : m_path(path),
      m_file(options.resumption ? path : ClaimTraceFile(path, options.overwrite)),
      m_resumption(options.resumption),
      m_rowsPerTransaction(options.rowsPerTransaction == 0 ? std::numeric_limits<std::size_t>::max()
                                                           : options.rowsPerTransaction)
{
    m_resumption ? Reopen() : Create();
    m_id = IdOf(m_file);
}

void
TraceStore::Impl::Create()
{
    try
    {
        m_database =
            std::make_unique<SQLite::Database>(m_file,
                                               SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX,
                                               WRITE_TIMEOUT);
        CreateSchema(*m_database);
        TraceRows::ForEachTable(
            [this](const auto& table) { m_buffers.emplace_back(*m_database, table); });
        m_database->exec(BEGIN_WRITING);
    }
    catch (const SQLite::Exception& exception)
    {
        m_database.reset();
        RemoveTraceFiles(m_file);
        throw Error("trace '" + m_path + "': " + exception.what());
    }
}

void
TraceStore::Impl::Reopen()
{
    m_database = std::make_unique<SQLite::Database>(OpenTrace(m_file, SQLite::OPEN_READWRITE));
    GuardTrace(m_path, [this] {
        m_database->exec("PRAGMA synchronous=NORMAL");
        SQLite::Statement(*m_database, "PRAGMA journal_mode=WAL").executeStep();
        DPDL_REFUSE_IF(!TakeLock(*m_database),
                       "trace",
                       m_path,
                       "a trace that no other program is writing");
        m_database->setBusyTimeout(WRITE_TIMEOUT);
        TraceRows::ForEachTable(
            [this](const auto& table) { m_buffers.emplace_back(*m_database, table); });
        m_resumption->round =
            m_database->execAndGet("SELECT IFNULL(value, 0) FROM summary WHERE name = 'rounds'")
                .getUInt();
        m_begun = ReadStatements(*m_database);
        RemoveUnsettled(*m_database, m_buffers);
    });
    m_isRepeating = true;
}

void
TraceStore::Impl::CheckFile()
{
    if (IdOf(m_file) != m_id)
    {
        m_failed = true;
        // Closing would remove the files `-wal` and `-shm`. They may belong to another trace at the
        // same path.
        sqlite3_db_config(m_database->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        throw Error("trace '" + m_path + "': was moved, removed or replaced during the run");
    }
}

void
TraceStore::Impl::NoteRepeated(const RowBuffer& buffer)
{
    if (buffer.Differs())
    {
        m_failed = true;
        throw Error("trace '" + m_path + "': the run does not repeat the rows of table " +
                    buffer.Name() + "; the trace is as it was");
    }
    const auto isBehind = [](const RowBuffer& table) { return table.IsBehind(); };
    m_isRepeating = std::any_of(m_buffers.begin(), m_buffers.end(), isBehind);
    if (!m_isRepeating)
    {
        if (const auto last = LastEvaluation(*m_database))
        {
            m_figures.Note(*last);
        }
        Add(*m_resumption);
    }
}

void
TraceStore::Impl::SetCheckpoint(const Checkpoint& checkpoint)
{
    WriteCheckpoint(*m_database, m_buffers, checkpoint, m_journal);
}

std::optional<Checkpoint>
TraceStore::Impl::LastCheckpoint()
{
    return ReadCheckpoint(*m_database, m_buffers, m_journal);
}

void
TraceStore::Impl::Finish(bool complete)
{
    // The time for the totals of links grows with the number of messages. An interrupted run must
    // end quickly, so it writes no totals, and the view computes them from the messages.
    if (complete && m_figures.HasOnlyDeliveries())
    {
        Commit();
        // The view `delivery_by_link` uses only the rows of totals if there is at least one. So the
        // totals of all links must be in one transaction.
        m_rowsPerTransaction = std::numeric_limits<std::size_t>::max();
        for (const DeliveryByLink& link : LinkTotals(*m_database))
        {
            Add(link);
        }
    }
    m_figures.End();
    Commit();
    if (complete)
    {
        CreateIndexes(*m_database);
        WriteSummary(*m_database, {{"state", "complete"}});
        m_database->exec("DELETE FROM settled");
        DropCheckpoint(*m_database);
    }
    SealWritten();
    m_database->exec("COMMIT");
    CheckFile();
    m_buffers.clear();
    GiveBackSpace(*m_database);
    LeaveWal(*m_database);
    m_database.reset();
}

void
TraceStore::Impl::Leave()
{
    m_buffers.clear();
    m_database->exec("ROLLBACK");
    LeaveWal(*m_database);
    m_database.reset();
}

void
TraceStore::Impl::Discard() noexcept
{
    m_buffers.clear();
    m_database.reset();
    if (IdOf(m_file) == m_id)
    {
        RemoveTraceFiles(m_file);
    }
}

void
TraceStore::Impl::Close() noexcept
{
    try
    {
        if (m_database && !m_failed)
        {
            m_isRepeating ? Leave() : Finish(false);
        }
    }
    catch (...)
    {
        m_failed = true;
    }
    m_buffers.clear();
    m_database.reset();
}

} // namespace dpdl
