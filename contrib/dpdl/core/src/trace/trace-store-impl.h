// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_STORE_IMPL_H
#define DPDL_TRACE_TRACE_STORE_IMPL_H

#include "dpdl/base/errors.h"
#include "dpdl/trace/trace-store.h"
#include "resumed-rows.h"
#include "row-buffer.h"
#include "run-figures.h"
#include "trace-access.h"

#include <SQLiteCpp/Exception.h>
#include <map>
#include <optional>

namespace dpdl
{

/// Begins a transaction that excludes other writers while the run lasts.
inline constexpr const char* BEGIN_WRITING = "BEGIN IMMEDIATE";

/// The open file behind a TraceStore. It buffers rows, commits them with their checksums, and
/// repeats the rows of a resumed run. SQLite's exceptions are converted by Guarded.
class TraceStore::Impl
{
  public:
    Impl(const std::string& path, const Options& options);

    /// Runs @p action on the open file; converts exceptions of SQLite to Error.
    template <typename Action>
    void Guarded(Action action);

    /// Appends a row, and commits if the transaction has reached its limit.
    template <class Row>
    void Add(const Row& row);

    void SetSetting(std::string_view name, std::string_view value);
    void AddOrigin(std::string_view name, std::string_view value);
    void SetSummary(std::string_view name, const SummaryValue& value);
    void Commit(const std::vector<Delivery>& unsettled = {});

    void SetCheckpoint(const Checkpoint& checkpoint);
    std::optional<Checkpoint> LastCheckpoint();

    /// Commits the rows after which a resumed run continues.
    void Flush(const std::vector<Delivery>& unsettled);
    void Finish(bool complete);
    void Discard() noexcept;

    /// Finishes as incomplete if Finish was not called and nothing has failed.
    void Close() noexcept;

    const std::string& Path() const
    {
        return m_path;
    }

    std::size_t Pending() const
    {
        return m_rowsPending;
    }

    bool IsRepeating() const
    {
        return m_isRepeating;
    }

    /// Closes an open file without the rows since the last commit.
    void Leave();

  private:
    /// Bytes of a vector that count as one row.
    static constexpr std::size_t BYTES_PER_ROW = 64;

    /// Creates the file of a new run, with its schema.
    void Create();

    /// Opens the trace of an incomplete run to resume it.
    void Reopen();

    /// Checks that the open file is still at its path. @throws Error if it was moved or replaced
    void CheckFile();

    /// Updates the progress of the repetition after a row. @param buffer the buffer of the row
    void NoteRepeated(const RowBuffer& buffer);

    /// Code in table `word` of a text; the same text always has the same code.
    std::int64_t Code(std::string_view text);

    /// Writes every known value of the summary. @param figures computed from the rows
    void UpdateSummary(const RunFigures& figures);

    void CountRows(std::size_t rows);

    /// Records the checksums of the tables changed by the transaction.
    void SealWritten();

    std::string m_path; ///< path, as the user gave it
    std::string m_file; ///< absolute path of the trace
    FileId m_id;        ///< device and inode of the open file
    /// Row of view `resumption` for this resumption; empty: the run is new.
    std::optional<Resumption> m_resumption;
    std::size_t m_rowsPerTransaction;
    std::size_t m_rowsPending{0};
    bool m_failed{false};      ///< true: SQLite has failed; no more rows are written
    bool m_isRepeating{false}; ///< true: the run has not yet repeated all rows of the file
    Statements m_begun;        ///< settings and origin of the resumed run
    RunFigures m_figures;      ///< figures of the rows so far
    std::map<std::string, SummaryValue, std::less<>> m_summary; ///< values set by the caller
    std::map<std::string, std::int64_t, std::less<>> m_codes;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<RowBuffer> m_buffers; ///< pending rows, one buffer for each type of TraceRows
    RowChecksum m_journal;            ///< checksum of the checkpoint's journal
};

template <typename Action>
void
TraceStore::Impl::Guarded(Action action)
{
    if (!m_database || m_failed)
    {
        throw Error("trace '" + m_path + "': already closed, or failed before");
    }
    try
    {
        action();
    }
    catch (const SQLite::Exception& exception)
    {
        m_failed = true;
        throw Error("trace '" + m_path + "': " + exception.what());
    }
}

template <class Row>
void
TraceStore::Impl::Add(const Row& row)
{
    m_figures.Note(row);
    RowBuffer& buffer = m_buffers[TraceRows::IndexOf<Row>()];
    const auto codeOf = [this](std::string_view text) { return Code(text); };
    const std::size_t bytes = buffer.Append(row, codeOf);
    if (m_isRepeating)
    {
        NoteRepeated(buffer);
        return;
    }
    CountRows(1 + bytes / BYTES_PER_ROW);
}

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_STORE_IMPL_H
