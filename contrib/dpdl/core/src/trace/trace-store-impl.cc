// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-store-impl.h"

#include "link-totals.h"
#include "schema.h"
#include "trace-file.h"

#include <algorithm>
#include <limits>

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

std::string
CreateTableText(Table table)
{
    const TableDefinition& definition = DefinitionOf(table);
    std::string text = std::string("CREATE TABLE ") + definition.name;
    const char* separator = "(";
    for (const char* column : definition.columns)
    {
        text += separator;
        text += column;
        separator = ", ";
    }
    return text + ")";
}

} // namespace

TraceStore::Impl::Impl(const std::string& path, const Options& options)
    : m_path(path),
      m_file(ClaimTraceFile(path, options.overwrite)),
      m_rowsPerTransaction(std::max<std::uint32_t>(options.rowsPerTransaction, 1))
{
    try
    {
        m_database =
            std::make_unique<SQLite::Database>(m_file, SQLite::OPEN_READWRITE, WRITE_TIMEOUT);
        CreateSchema();
    }
    catch (const SQLite::Exception& exception)
    {
        m_database.reset();
        RemoveTraceFiles(m_file);
        throw Error("trace '" + m_path + "': " + exception.what());
    }
}

void
TraceStore::Impl::CreateSchema()
{
    m_database->exec("PRAGMA application_id=" + std::to_string(TRACE_APPLICATION_ID));
    m_database->exec("PRAGMA user_version=" + std::to_string(TRACE_SCHEMA_VERSION));
    m_database->exec("PRAGMA synchronous=NORMAL");
    SQLite::Statement(*m_database, "PRAGMA journal_mode=WAL").executeStep();
    m_database->exec("BEGIN");
    for (std::size_t table = 0; table < static_cast<std::size_t>(Table::COUNT); ++table)
    {
        m_database->exec(CreateTableText(static_cast<Table>(table)));
        m_buffers.emplace_back(*m_database, static_cast<Table>(table));
    }
    m_database->exec(OTHER_TABLES);
    m_database->exec(VIEWS);
    m_database->exec(COLUMN_PRIVACY);
    SQLite::Statement insert(*m_database,
                             "INSERT INTO summary_item(name, unit, meaning) VALUES (?, ?, ?)");
    for (const SummaryItem& item : SummaryItems())
    {
        insert.bind(1, item.name);
        insert.bind(2, item.unit);
        insert.bind(3, item.meaning);
        insert.exec();
        insert.reset();
    }
    m_database->exec("UPDATE summary_item SET value = 'incomplete' WHERE name = 'state'");
    m_database->exec("COMMIT; BEGIN");
}

void
TraceStore::Impl::Append(Table table, std::initializer_list<Cell> row)
{
    m_buffers[static_cast<std::size_t>(table)].Append(row);
    CountRows(1);
}

void
TraceStore::Impl::AppendLink(const LinkRow& row)
{
    Append(Table::LINK_TOTAL,
           {row.source,
            row.target,
            row.sent,
            row.delivered,
            row.lost,
            row.bytes,
            row.delayMean,
            row.delayP99});
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
    insert.bind(1, code);
    insert.bind(2, std::string(text));
    insert.exec();
    SQLite::Statement find(*m_database, "SELECT id FROM word WHERE text = ?");
    find.bind(1, std::string(text));
    find.executeStep();
    return m_codes.emplace(text, find.getColumn(0).getInt64()).first->second;
}

void
TraceStore::Impl::SetSetting(std::string_view name, std::string_view value)
{
    SQLite::Statement statement(*m_database,
                                "INSERT INTO setting(name, value) VALUES (?, ?) "
                                "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
    statement.bind(1, std::string(name));
    statement.bind(2, std::string(value));
    statement.exec();
    CountRows(1);
}

void
TraceStore::Impl::SetSummary(std::string_view name, const SummaryValue& value)
{
    const auto& items = SummaryItems();
    const bool known = std::any_of(items.begin() + 1, items.end(), [&](const auto& item) {
        return item.name == name;
    });
    if (!known)
    {
        throw Error("trace '" + m_path + "': the summary has no item '" + std::string(name) +
                    "' that can be set");
    }
    SQLite::Statement statement(*m_database, "UPDATE summary_item SET value = ? WHERE name = ?");
    std::visit(
        [&](const auto& content) {
            using Type = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Type, std::string>)
            {
                BindCell(statement, 1, Cell(std::string_view(content)));
            }
            else
            {
                BindCell(statement, 1, Cell(content));
            }
        },
        value.Get());
    statement.bind(2, std::string(name));
    statement.exec();
    m_fixedSummary.emplace(name);
    CountRows(1);
}

void
TraceStore::Impl::AddVector(const char* insert,
                            std::initializer_list<Cell> key,
                            const float* values,
                            std::size_t count)
{
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vectors are stored little-endian");
    const std::size_t bytes = count * sizeof(float);
    SQLite::Statement statement(*m_database, insert);
    int parameter = 0;
    for (const Cell& cell : key)
    {
        BindCell(statement, ++parameter, cell);
    }
    statement.bindNoCopy(++parameter, static_cast<const void*>(values), static_cast<int>(bytes));
    statement.exec();
    CountRows(1 + bytes / BYTES_PER_ROW);
}

void
TraceStore::Impl::WriteFigures()
{
    SQLite::Statement statement(*m_database, "UPDATE summary_item SET value = ? WHERE name = ?");
    for (const auto& [name, value] : figures.Values())
    {
        if (m_fixedSummary.count(name) == 0)
        {
            BindCell(statement, 1, value);
            statement.bind(2, name);
            statement.exec();
            statement.reset();
        }
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
}

void
TraceStore::Impl::Commit()
{
    for (RowBuffer& buffer : m_buffers)
    {
        buffer.Write();
    }
    WriteFigures();
    m_database->exec("COMMIT");
    m_database->exec("BEGIN");
    m_rowsPending = 0;
}

void
TraceStore::Impl::Finish(bool complete)
{
    if (figures.HasOnlyDeliveries())
    {
        Commit();
        // All or none of the totals: the view trusts them as soon as there is one.
        m_rowsPerTransaction = std::numeric_limits<std::size_t>::max();
        for (const LinkRow& row : LinkTotals(*m_database))
        {
            AppendLink(row);
        }
    }
    Commit();
    m_database->exec(INDEXES);
    if (complete)
    {
        m_database->exec("UPDATE summary_item SET value = 'complete' WHERE name = 'state'");
    }
    m_database->exec("COMMIT");
    m_buffers.clear();
    LeaveWal();
    m_database.reset();
}

void
TraceStore::Impl::LeaveWal()
{
    m_database->exec("PRAGMA synchronous=FULL");
    try
    {
        SQLite::Statement(*m_database, "PRAGMA journal_mode=DELETE").executeStep();
    }
    catch (const SQLite::Exception&)
    {
        // Somebody is reading: the file is whole, only its companions stay.
    }
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

} // namespace dpdl
