// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_STORE_IMPL_H
#define DPDL_TRACE_TRACE_STORE_IMPL_H

#include "dpdl/base/errors.h"
#include "dpdl/trace/trace-store.h"
#include "repetition.h"
#include "row-buffer.h"
#include "run-figures.h"
#include "trace-access.h"

#include <SQLiteCpp/Exception.h>
#include <map>
#include <optional>

namespace dpdl
{

/// The open file behind a TraceStore. SQLite's exceptions stop at Guarded.
class TraceStore::Impl
{
  public:
    Impl(const std::string& path, const Options& options);

    /// Runs @p action on the open file; whatever SQLite throws leaves as Error.
    template <typename Action>
    void Guarded(Action action);

    /// Appends a row, and commits when the transaction has grown long enough.
    template <class Row>
    void Add(const Row& row);

    void SetSetting(std::string_view name, std::string_view value);
    void AddOrigin(std::string_view name, std::string_view value);
    void SetSummary(std::string_view name, const SummaryValue& value);
    void Commit(const std::vector<Delivery>& unsettled = {});

    void SetCheckpoint(const Checkpoint& checkpoint);
    std::optional<Checkpoint> LastCheckpoint();

    /// Commits what a resumed run goes on behind.
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

    /// Closes an open file as it was at the last commit.
    void Leave();

  private:
    /// A vector in a row weighs as many rows as it has this many bytes.
    static constexpr std::size_t BYTES_PER_ROW = 64;

    /// Makes a new file.
    void Create();

    /// Opens the trace of an incomplete run to go on with it.
    void Reopen();

    /// Begins to write. @throws UsageError if another program does
    void CheckFile();

    /// Notes how far a resumed run has repeated itself. @param buffer has got another row
    void NoteRepeated(const RowBuffer& buffer);

    /// The code of a text that repeats; the same text always has the same code.
    std::int64_t Code(std::string_view text);

    /// Writes every value of the summary that is known. @param figures what the rows add up to
    void UpdateSummary(const RunFigures& figures);

    void CountRows(std::size_t rows);

    /// Notes the checksums of what the transaction has written.
    void SealWritten();

    std::string m_path;                     ///< as the user gave it
    std::string m_file;                     ///< absolute
    FileId m_id;                            ///< of the file that is open
    std::optional<Resumption> m_resumption; ///< of a resumed run
    std::size_t m_rowsPerTransaction;
    std::size_t m_rowsPending{0};
    bool m_failed{false};      ///< SQLite has failed once; nothing more is written
    bool m_isRepeating{false}; ///< rows are not yet behind those that the file holds
    Statements m_begun;        ///< first rows of the resumed run
    RunFigures m_figures;      ///< what the rows seen so far add up to
    std::map<std::string, SummaryValue, std::less<>> m_summary; ///< what the caller has set
    std::map<std::string, std::int64_t, std::less<>> m_codes;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<RowBuffer> m_buffers; ///< one for each of TraceRows
    RowChecksum m_journal;            ///< of the checkpoint's journal
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
