// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-store.h"

#include "seal.h"
#include "trace-store-impl.h"

#include <algorithm>
#include <utility>

// Buffers rows and commits them, with their checksums, in large transactions.

namespace dpdl
{

namespace
{

/// Number of rows in one INSERT statement. 64 rows of up to 15 columns have fewer than 999
/// parameters, the limit of the oldest supported SQLite.
constexpr int ROWS_PER_BLOCK = 64;

} // namespace

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
TraceStore::AddOrigin(std::string_view name, std::string_view value)
{
    m_impl->Guarded([&] { m_impl->AddOrigin(name, value); });
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
TraceStore::Flush(const std::vector<Delivery>& unsettled)
{
    m_impl->Guarded([&] { m_impl->Flush(unsettled); });
}

std::size_t
TraceStore::Pending() const
{
    return m_impl->Pending();
}

void
TraceStore::SetCheckpoint(const Checkpoint& checkpoint)
{
    m_impl->Guarded([&] { m_impl->SetCheckpoint(checkpoint); });
}

std::optional<Checkpoint>
TraceStore::LastCheckpoint()
{
    std::optional<Checkpoint> found;
    m_impl->Guarded([&] { found = m_impl->LastCheckpoint(); });
    return found;
}

bool
TraceStore::IsRepeating() const
{
    return m_impl->IsRepeating();
}

void
TraceStore::Leave()
{
    m_impl->Guarded([&] { m_impl->Leave(); });
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
    Execute(*m_database, "INSERT OR IGNORE INTO word VALUES (?, ?)", code, text);
    SQLite::Statement find(*m_database, "SELECT id FROM word WHERE text = ?");
    BindValue(find, 1, text);
    find.executeStep();
    return m_codes.emplace(text, find.getColumn(0).getInt64()).first->second;
}

void
TraceStore::Impl::SetSetting(std::string_view name, std::string_view value)
{
    Execute(*m_database,
            "INSERT INTO setting(name, value) VALUES (?, ?) "
            "ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            name,
            value);
    CountRows(1);
}

void
TraceStore::Impl::AddOrigin(std::string_view name, std::string_view value)
{
    Execute(*m_database, "INSERT INTO origin(name, value) VALUES (?, ?)", name, value);
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
TraceStore::Impl::UpdateSummary(const RunFigures& figures)
{
    std::map<std::string, SummaryValue> values = figures.Values();
    for (const auto& [name, value] : m_summary)
    {
        values.insert_or_assign(name, value);
    }
    WriteSummary(*m_database, values);
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
    CheckFile();
    m_database->exec(BEGIN_WRITING);
    m_rowsPending = 0;
    if (!unsettled.empty())
    {
        m_database->exec("DELETE FROM message WHERE rowid > " + std::to_string(settled.Rows()));
        messages.SetChecksum(settled);
    }
}

void
TraceStore::Impl::Flush(const std::vector<Delivery>& unsettled)
{
    if (!m_begun.empty())
    {
        CompareStatements(m_path, std::exchange(m_begun, {}), ReadStatements(*m_database));
    }
    if (!m_isRepeating)
    {
        NoteSettled(*m_database, m_buffers);
        Commit(unsettled);
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
