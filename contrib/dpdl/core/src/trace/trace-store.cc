// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-store.h"

#include "dpdl/base/errors.h"
#include "row-buffer.h"
#include "run-figures.h"
#include "schema.h"
#include "seal.h"
#include "trace-access.h"

#include <SQLiteCpp/Exception.h>
#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace dpdl
{

namespace
{

/// How long a reader may hold the file before the writer gives up, in milliseconds.
constexpr int WRITE_TIMEOUT = 5000;

/// A vector in a row weighs as many rows as it has this many bytes.
constexpr std::size_t BYTES_PER_ROW = 64;

/// The first code that is free; those below belong to DeliveryFate.
constexpr std::int64_t FIRST_CODE = 16;

} // namespace

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
    void SetSummary(std::string_view name, const SummaryValue& value);
    void SettleCertified(double certifiedMax);
    void Commit(const std::vector<Delivery>& unsettled = {});
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

  private:
    /// The code of a text that repeats; the same text always has the same code.
    std::int64_t Code(std::string_view text);

    /// Writes a value of the summary.
    void UpdateSummary(std::string_view name, const SummaryValue& value);

    /// Writes every value of the summary that is known. @param figures what the rows add up to
    void UpdateSummary(const RunFigures& figures);

    void CountRows(std::size_t rows);

    /// Notes the checksums of what the transaction has written.
    void SealWritten();

    std::string m_path; ///< as the user gave it
    std::string m_file; ///< absolute
    std::size_t m_rowsPerTransaction;
    std::size_t m_rowsPending{0};
    bool m_failed{false}; ///< SQLite has failed once; nothing more is written
    RunFigures m_figures; ///< what the rows seen so far add up to
    std::map<std::string, SummaryValue, std::less<>> m_summary; ///< what the caller has set
    std::map<std::string, std::int64_t, std::less<>> m_codes;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<RowBuffer> m_buffers; ///< one for each of TraceRows
};

TraceStore::Impl::Impl(const std::string& path, const Options& options)
    : m_path(path),
      m_file(ClaimTraceFile(path, options.overwrite)),
      m_rowsPerTransaction(options.rowsPerTransaction == 0 ? std::numeric_limits<std::size_t>::max()
                                                           : options.rowsPerTransaction)
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
        m_database->exec("BEGIN");
    }
    catch (const SQLite::Exception& exception)
    {
        m_database.reset();
        RemoveTraceFiles(m_file);
        throw Error("trace '" + m_path + "': " + exception.what());
    }
}

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
    CountRows(1 + buffer.Append(row, codeOf) / BYTES_PER_ROW);
}

void
TraceStore::Impl::CountRows(std::size_t rows)
{
    m_rowsPending += rows;
    if (m_rowsPending >= m_rowsPerTransaction)
    {
        Commit();
    }
}

std::int64_t
TraceStore::Impl::Code(std::string_view text)
{
    const auto known = m_codes.find(text);
    if (known != m_codes.end())
    {
        return known->second;
    }
    const std::int64_t code = FIRST_CODE + static_cast<std::int64_t>(m_codes.size());
    SQLite::Statement insert(*m_database, "INSERT OR IGNORE INTO word VALUES (?, ?)");
    BindValue(insert, 1, code);
    BindValue(insert, 2, text);
    insert.exec();
    SQLite::Statement find(*m_database, "SELECT id FROM word WHERE text = ?");
    BindValue(find, 1, text);
    find.executeStep();
    return m_codes.emplace(text, find.getColumn(0).getInt64()).first->second;
}

void
TraceStore::Impl::SetSetting(std::string_view name, std::string_view value)
{
    SQLite::Statement statement(*m_database,
                                "INSERT INTO setting(name, value) VALUES (?, ?) "
                                "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
    BindValue(statement, 1, name);
    BindValue(statement, 2, value);
    statement.exec();
    CountRows(1);
}

void
TraceStore::Impl::SetSummary(std::string_view name, const SummaryValue& value)
{
    const auto isIt = [name](const SummaryItem& item) { return item.name == name; };
    if (name == "state" || std::none_of(SummaryItems().begin(), SummaryItems().end(), isIt))
    {
        throw Error("trace '" + m_path + "': the summary has no item '" + std::string(name) +
                    "' that can be set");
    }
    m_summary.insert_or_assign(std::string(name), value);
}

void
TraceStore::Impl::UpdateSummary(std::string_view name, const SummaryValue& value)
{
    SQLite::Statement update(*m_database, "UPDATE summary_item SET value = ? WHERE name = ?");
    std::visit([&](const auto& content) { BindValue(update, 1, content); }, value.Get());
    BindValue(update, 2, name);
    update.exec();
}

void
TraceStore::Impl::UpdateSummary(const RunFigures& figures)
{
    std::map<std::string, SummaryValue> values = figures.Values();
    for (const auto& [name, value] : m_summary)
    {
        values.insert_or_assign(name, value);
    }
    for (const auto& [name, value] : values)
    {
        UpdateSummary(name, value);
    }
}

void
TraceStore::Impl::SettleCertified(double certifiedMax)
{
    Commit();
    SQLite::Statement lower(*m_database,
                            "UPDATE guarantee_growth SET certified_max = ?1 "
                            "WHERE certified_max > ?1 "
                            "OR round = (SELECT MAX(round) FROM guarantee_growth)");
    lower.bind(1, certifiedMax);
    lower.exec();
    RowBuffer& growth = m_buffers[TraceRows::IndexOf<GuaranteeByRound>()];
    growth.SetChecksum(ChecksumOf(*m_database, growth.Name()));
}

void
TraceStore::Impl::Commit(const std::vector<Delivery>& unsettled)
{
    RowBuffer& messages = m_buffers[TraceRows::IndexOf<Delivery>()];
    const RowChecksum settled = messages.Checksum();
    RunFigures figures = m_figures;
    const auto codeOf = [this](std::string_view text) { return Code(text); };
    for (const Delivery& row : unsettled)
    {
        figures.Note(row);
        messages.Append(row, codeOf);
    }
    for (RowBuffer& buffer : m_buffers)
    {
        buffer.Write();
    }
    UpdateSummary(figures);
    SealWritten();
    m_database->exec("COMMIT");
    m_database->exec("BEGIN");
    m_rowsPending = 0;
    if (!unsettled.empty())
    {
        m_database->exec("DELETE FROM message WHERE rowid > " + std::to_string(settled.Rows()));
        messages.SetChecksum(settled);
    }
}

void
TraceStore::Impl::SealWritten()
{
    for (const RowBuffer& buffer : m_buffers)
    {
        Seal(*m_database, buffer.Name(), buffer.Checksum());
    }
    SealChanging(*m_database);
    SealAll(*m_database);
}

void
TraceStore::Impl::Finish(bool complete)
{
    if (m_figures.HasOnlyDeliveries())
    {
        Commit();
        // All or none of the totals: the view trusts them as soon as there is one.
        m_rowsPerTransaction = std::numeric_limits<std::size_t>::max();
        for (const DeliveryByLink& link : LinkTotals(*m_database))
        {
            Add(link);
        }
    }
    Commit();
    CreateIndexes(*m_database);
    if (complete)
    {
        UpdateSummary("state", "complete");
    }
    SealWritten();
    m_database->exec("COMMIT");
    m_buffers.clear();
    LeaveWal(*m_database);
    m_database.reset();
}

void
TraceStore::Impl::Discard() noexcept
{
    m_buffers.clear();
    m_database.reset();
    RemoveTraceFiles(m_file);
}

void
TraceStore::Impl::Close() noexcept
{
    try
    {
        if (m_database && !m_failed)
        {
            Finish(false);
        }
    }
    catch (...)
    {
        m_failed = true;
    }
    m_buffers.clear();
    m_database.reset();
}

TraceStore::TraceStore(const std::string& path, const Options& options)
    : m_impl(std::make_unique<Impl>(path, options))
{
}

TraceStore::~TraceStore()
{
    m_impl->Close();
}

void
TraceStore::SetSetting(std::string_view name, std::string_view value)
{
    m_impl->Guarded([&] { m_impl->SetSetting(name, value); });
}

void
TraceStore::SetSummary(std::string_view name, const SummaryValue& value)
{
    m_impl->Guarded([&] { m_impl->SetSummary(name, value); });
}

void
TraceStore::AddRow(std::size_t table, const void* row)
{
    m_impl->Guarded(
        [&] { TraceRows::Apply(table, row, [this](const auto& typed) { m_impl->Add(typed); }); });
}

void
TraceStore::SettleCertified(double certifiedMax)
{
    m_impl->Guarded([&] { m_impl->SettleCertified(certifiedMax); });
}

void
TraceStore::Flush(const std::vector<Delivery>& unsettled)
{
    m_impl->Guarded([&] { m_impl->Commit(unsettled); });
}

std::size_t
TraceStore::Pending() const
{
    return m_impl->Pending();
}

void
TraceStore::Finish(bool complete)
{
    m_impl->Guarded([&] { m_impl->Finish(complete); });
}

void
TraceStore::Discard() noexcept
{
    m_impl->Discard();
}

const std::string&
TraceStore::Path() const
{
    return m_impl->Path();
}

} // namespace dpdl
