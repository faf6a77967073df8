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

/// SQL that begins a transaction and excludes other writers until the commit.
inline constexpr const char* BEGIN_WRITING = "BEGIN IMMEDIATE";

/// Implementation of TraceStore: the open file. Buffers rows, commits them with their checksums,
/// and checks the replayed rows of a resumed run. Guarded() converts exceptions of SQLite.
class TraceStore::Impl
{
  public:
    Impl(const std::string& path, const Options& options);

    /// Runs @p action on the open file. Converts exceptions of SQLite to Error naming the trace.
    template <typename Action>
    void Guarded(Action action);

    /// Appends a row. Commits if the transaction has reached its limit of rows.
    template <class Row>
    void Add(const Row& row);

    void SetSetting(std::string_view name, std::string_view value);
    void AddOrigin(std::string_view name, std::string_view value);
    void SetSummary(std::string_view name, const SummaryValue& value);
    void Commit(const std::vector<Delivery>& unsettled = {});

    void SetCheckpoint(const Checkpoint& checkpoint);
    std::optional<Checkpoint> LastCheckpoint();

    /// Commits all rows, after which a resumed run may continue. While a resumed run replays rows,
    /// only compares its settings and origin with those in the trace, at the first call.
    /// @param unsettled messages whose outcome may still change; written for readers of the trace
    void Flush(const std::vector<Delivery>& unsettled);
    void Finish(bool complete);
    void Discard() noexcept;

    /// Finishes the trace as incomplete, unless Finish() was called or an error has occurred.
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

    /// Closes the open file and drops the rows since the last commit.
    void Leave();

  private:
    /// Every 64 bytes of a row's vectors count as one more row against the transaction's limit of
    /// rows.
    static constexpr std::size_t BYTES_PER_ROW = 64;

    /// Creates the file of a new run, with its schema.
    void Create();

    /// Opens the trace of an incomplete run to resume it.
    /// @throws UsageError if another program is writing it
    void Reopen();

    /// Checks that the path still leads to the open file.
    /// @throws Error if the file was moved, removed or replaced
    void CheckFile();

    /// Updates m_isRepeating after a replayed row. When the replay is complete, adds the row of the
    /// resumption.
    /// @param buffer buffer of the row
    /// @throws Error if the replayed rows differ from those in the trace
    void NoteRepeated(const RowBuffer& buffer);

    /// Code in table `word` of a text. Equal texts have equal codes.
    std::int64_t Code(std::string_view text);

    /// Writes the figures and the values of SetSummary() to table `summary_item`. A value of
    /// SetSummary() replaces the figure of the same name.
    /// @param figures items of the summary that depend only on rows
    void UpdateSummary(const RunFigures& figures);

    /// Adds @p rows to the pending rows. Commits if the transaction has reached its limit of rows.
    void CountRows(std::size_t rows);

    /// Records the checksums of all tables that a transaction may have changed.
    void SealWritten();

    std::string m_path; ///< path of the trace, as the user gave it
    std::string m_file; ///< absolute path of the trace
    FileId m_id;        ///< device and inode of the open file
    /// Row of view `resumption` for this resumption; empty if the run is new.
    std::optional<Resumption> m_resumption;
    std::size_t m_rowsPerTransaction; ///< limit of rows in a transaction
    std::size_t m_rowsPending{0};     ///< number of rows since the last commit
    bool m_failed{false};             ///< true: an error has occurred, and no more rows are written
    bool m_isRepeating{false}; ///< true: the resumed run has not yet replayed all rows of the file
    Statements m_begun;        ///< settings and origin in the trace of the resumed run
    RunFigures m_figures;      ///< figures that depend on the rows so far
    /// Values set by the caller; key: item of the summary.
    std::map<std::string, SummaryValue, std::less<>> m_summary;
    std::map<std::string, std::int64_t, std::less<>> m_codes;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<RowBuffer> m_buffers; ///< pending rows, one buffer per type of TraceRows
    RowChecksum m_journal;            ///< checksum of the journal in table `checkpoint`
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
