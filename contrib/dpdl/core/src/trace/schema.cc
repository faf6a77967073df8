// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/summary-item.h"
#include "dpdl/trace/trace-rows.h"
#include "row-buffer.h"
#include "seal.h"
#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Creates and upgrades the schema of a trace. Base tables, views and indexes are generated from the
// RowTable of each type of row.

namespace dpdl
{

namespace
{

const char* const OTHER_TABLES = R"sql(
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE setting(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT);
CREATE TABLE summary_item(position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value,
                          unit TEXT NOT NULL, meaning TEXT NOT NULL);
)sql";

/// SQL that creates the tables that version 1 lacks: those to resume an incomplete run, and the
/// checksums.
const char* const LATER_TABLES = R"sql(
CREATE TABLE origin(position INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE settled(name TEXT PRIMARY KEY, rows INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE checkpoint(position INTEGER PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE checksum(name TEXT PRIMARY KEY, rows INTEGER, value INTEGER);
)sql";

const char* const OTHER_VIEWS = R"sql(
CREATE VIEW summary AS
SELECT name, CASE name WHEN 'epsilon_observed'
                       THEN (SELECT MAX(bound) FROM (SELECT summary_item.value AS bound
                                                     UNION ALL SELECT observed FROM audit_entry))
                       ELSE value END AS value, unit, meaning
FROM summary_item ORDER BY position;
CREATE VIEW settings AS SELECT name, value FROM setting ORDER BY position;
)sql";

const char* const INDEXES = R"sql(
CREATE INDEX message_by_round ON message(round);
CREATE INDEX ledger_by_node ON ledger(node, round);
CREATE INDEX node_round_by_node ON node_round(node, round);
CREATE INDEX node_evaluation_by_node ON node_evaluation(node, round);
CREATE INDEX state_by_round ON state(round, node);
CREATE INDEX noise_vector_by_round ON noise_vector(round, node);
)sql";

/// SQL values of the rows in `column_privacy` for columns that are not in any RowTable.
const char* const OTHER_PRIVACY = R"sql(
('summary', 'name', NULL, 'public', NULL), ('summary', 'value', NULL, 'public', NULL),
('summary', 'unit', NULL, 'public', NULL), ('summary', 'meaning', NULL, 'public', NULL),
('settings', 'name', NULL, 'public', NULL), ('settings', 'value', NULL, 'public', NULL),
('settings', 'value', 'seed', 'private', 'gives batches and noise away'),
('settings', 'value', 'run', 'private', 'gives batches and noise away'),
('settings', 'value', 'trace', 'private', 'may hold seed and run'),
('settings', 'value', 'commandLine', 'private', 'may hold seed and run'),
('settings', 'value', 'datasetDigest', 'private', 'tells whether a guess of all examples is right'),
('column_privacy', 'view', NULL, 'public', NULL),
('column_privacy', 'column', NULL, 'public', NULL),
('column_privacy', 'item', NULL, 'public', NULL),
('column_privacy', 'standing', NULL, 'public', NULL),
('column_privacy', 'reason', NULL, 'public', NULL))sql";

const char* const PRIVACY_IN_RUN = R"sql(),
known(certified, part, time) AS (SELECT
  IFNULL((SELECT value < 9e999 FROM summary_item WHERE name = 'epsilon_certified'), 0),
  IFNULL((SELECT value FROM setting WHERE name = 'certifiedPart'), ''),
  IFNULL((SELECT value NOT LIKE 'measured%' FROM setting WHERE name = 'compute'), 0)),
-- Why a standing is private in this run; NULL if it is public.
run(standing, why) AS (
SELECT 'public', NULL UNION ALL
SELECT 'ledger', CASE WHEN NOT certified THEN 'no finite epsilon is certified' END
FROM known UNION ALL
SELECT 'time', CASE WHEN NOT time THEN 'not known to be independent of the data' END
FROM known UNION ALL
SELECT column1, CASE WHEN NOT time THEN 'not known to be independent of the data'
                     WHEN NOT certified THEN 'no finite epsilon is certified'
                     WHEN part NOT IN ('whole', column2)
                     THEN 'not known to follow from the releases' END
FROM (VALUES ('model', 'whole'), ('shared', 'shared')), known)
SELECT "view", "column", item,
       CASE WHEN run.standing IS NULL OR why IS NOT NULL THEN 'private' ELSE 'public' END
       AS standing, IFNULL(reason, why) AS reason
FROM rule LEFT JOIN run USING (standing);
)sql";

template <class Row, class Value>
constexpr const char*
TypeOf(const Column<Row, Value>& column)
{
    using Type = typename Column<Row, Value>::Type;
    if (std::is_same_v<Type, double> || std::is_same_v<Type, std::optional<double>>)
    {
        return "REAL";
    }
    if (std::is_convertible_v<Type, std::string_view> && column.storage != Storage::WORD)
    {
        return "TEXT";
    }
    return std::is_same_v<Type, FloatView> ? "BLOB" : "INTEGER";
}

/// Calls @p visit with each column of a view: the column, its name in the view, and its SQL
/// expression, in order.
template <class Table, class Visit>
void
ForEachShown(const Table& table, Visit visit)
{
    for (const bool last : {false, true})
    {
        ForEachColumn(table, [&](const auto& column) {
            if (column.formerName && !last)
            {
                visit(column, column.formerName, column.name);
            }
            else if (column.isLast == last)
            {
                visit(column, column.name, column.shown);
            }
        });
    }
}

template <class Table>
std::string
CreateTable(const Table& table)
{
    std::string columns;
    ForEachColumn(table, [&](const auto& column) {
        columns += std::string(columns.empty() ? "" : ", ") + column.name + " " + TypeOf(column);
    });
    return std::string("CREATE TABLE ") + table.name + "(" + columns + ")";
}

template <class Table>
std::string
CreateView(const Table& table)
{
    std::string columns;
    ForEachShown(table, [&](const auto& column, const std::string& name, std::string shown) {
        if (column.storage == Storage::WORD)
        {
            shown = "(SELECT text FROM word WHERE id = " + shown + ")";
        }
        columns += (columns.empty() ? "" : ", ") + (shown == name ? name : shown + " AS " + name);
    });
    return std::string("CREATE VIEW \"") + table.view + "\" AS SELECT " + columns + " FROM " +
           table.name + table.ending;
}

/// SQL of one row of view `column_privacy`.
/// @param where SQL of the values that identify the column: view, column and item
std::string
PrivacyRule(const std::string& where, const Privacy& privacy)
{
    const std::string reason = privacy.reason ? "'" + std::string(privacy.reason) + "'" : "NULL";
    return ",\n(" + where + ", '" + privacy.standing + "', " + reason + ")";
}

/// SQL that creates view `column_privacy`. Columns that the view does not list count as private.
std::string
CreateColumnPrivacy()
{
    std::string rules = OTHER_PRIVACY;
    for (const SummaryItem& item : SummaryItems())
    {
        if (std::string_view(item.privacy.standing) != PUBLIC.standing)
        {
            rules +=
                PrivacyRule("'summary', 'value', '" + std::string(item.name) + "'", item.privacy);
        }
    }
    TraceRows::ForEachTable([&](const auto& table) {
        ForEachShown(table, [&](const auto& column, const std::string& name, const auto&) {
            rules += PrivacyRule("'" + std::string(table.view) + "', '" + name + "', NULL",
                                 column.privacy);
        });
    });
    return "CREATE VIEW column_privacy AS\n"
           "WITH rule(\"view\", \"column\", item, standing, reason) AS (VALUES" +
           rules + PRIVACY_IN_RUN;
}

void
CreateViews(SQLite::Database& database)
{
    database.exec(OTHER_VIEWS);
    TraceRows::ForEachTable([&](const auto& table) { database.exec(CreateView(table)); });
    database.exec(CreateColumnPrivacy());
}

void
FillTables(SQLite::Database& database)
{
    for (const char* fate : DELIVERY_FATES)
    {
        Execute(database, "INSERT INTO word(text) VALUES (?)", fate);
    }
    for (const SummaryItem& item : SummaryItems())
    {
        Execute(database,
                "INSERT INTO summary_item(name, unit, meaning) VALUES (?, ?, ?)",
                item.name,
                item.unit,
                item.meaning);
    }
    database.exec("UPDATE summary_item SET value = 'incomplete' WHERE name = 'state'");
}

/// Records the checksums of the schema and of all tables in table `checksum`.
void
SealFile(SQLite::Database& database)
{
    SealSchema(database);
    TraceRows::ForEachTable([&](const auto& table) { Seal(database, table.name); });
    SealChanging(database);
    Seal(database, "checkpoint");
    SealAll(database);
}

} // namespace

void
CreateSchema(SQLite::Database& database)
{
    // SQLite's first checkpoint flushes the file header to the disk later. The file has no data
    // until then, so these settings need no synchronous writes.
    database.exec("PRAGMA synchronous=OFF");
    database.exec("PRAGMA application_id=" + std::to_string(TRACE_APPLICATION_ID));
    database.exec("PRAGMA user_version=" + std::to_string(TRACE_SCHEMA_VERSION));
    SQLite::Statement(database, "PRAGMA journal_mode=WAL").executeStep();
    database.exec("PRAGMA synchronous=NORMAL");
    database.exec("BEGIN");
    TraceRows::ForEachTable([&](const auto& table) { database.exec(CreateTable(table)); });
    database.exec(OTHER_TABLES);
    database.exec(LATER_TABLES);
    CreateViews(database);
    FillTables(database);
    SealFile(database);
    database.exec("COMMIT");
}

void
UpgradeSchema(SQLite::Database& database)
{
    if (database.execAndGet("PRAGMA user_version").getInt() == TRACE_SCHEMA_VERSION)
    {
        return;
    }
    // Creates the schema's views again. The user's views stay in the trace.
    database.exec("DROP VIEW IF EXISTS summary; DROP VIEW IF EXISTS settings");
    TraceRows::ForEachTable([&](const auto& table) {
        database.exec("DROP VIEW IF EXISTS \"" + std::string(table.view) + "\"");
    });
    database.exec("ALTER TABLE node_round RENAME COLUMN batch TO examples_drawn");
    database.exec(CreateTable(TABLE<AuditEntry>));
    database.exec(CreateTable(TABLE<Resumption>));
    TraceRows::ForEachTable([&](const auto& table) {
        const std::string name = table.name;
        // Versions of the schema only append columns to a table.
        int present =
            database.execAndGet("SELECT COUNT(*) FROM pragma_table_info('" + name + "')").getInt();
        ForEachColumn(table, [&](const auto& column) {
            if (--present < 0)
            {
                database.exec("ALTER TABLE " + name + " ADD COLUMN " + column.name + " " +
                              TypeOf(column));
            }
        });
    });
    database.exec(LATER_TABLES);
    CreateViews(database);
    database.exec("PRAGMA user_version=" + std::to_string(TRACE_SCHEMA_VERSION));
    SealFile(database);
}

void
CreateIndexes(SQLite::Database& database)
{
    database.exec(INDEXES);
    SealSchema(database);
}

void
DropIndexes(SQLite::Database& database)
{
    std::vector<std::string> names;
    SQLite::Statement indexes(database,
                              "SELECT name FROM sqlite_master WHERE type = 'index' AND sql <> '' "
                              "AND 'index ' || name IN (SELECT name FROM checksum)");
    while (indexes.executeStep())
    {
        names.push_back(indexes.getColumn(0).getString());
    }
    indexes.reset();
    for (const std::string& name : names)
    {
        database.exec("DROP INDEX \"" + name + "\"");
        Execute(database, "DELETE FROM checksum WHERE name = 'index ' || ?", name);
    }
}

} // namespace dpdl
