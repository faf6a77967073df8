// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-access.h"

#include "schema.h"

#include <SQLiteCpp/Statement.h>
#include <filesystem>
#include <limits>
#include <regex>
#include <system_error>

namespace dpdl
{

namespace
{

/// How long to wait for a program that is writing, in milliseconds.
constexpr int BUSY_TIMEOUT = 5000;

int
Pragma(SQLite::Database& database, const std::string& name)
{
    SQLite::Statement statement(database, "PRAGMA " + name);
    return statement.executeStep() ? statement.getColumn(0).getInt() : 0;
}

} // namespace

UsageError
TraceError(const std::string& path, const std::string& accepted)
{
    return UsageError("trace", path, accepted);
}

SQLite::Database
OpenTrace(const std::string& path, int flags)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
    {
        throw TraceError(path, "a file that exists");
    }
    return GuardTrace(path, [&] {
        SQLite::Database database(path, flags, BUSY_TIMEOUT);
        database.exec("PRAGMA trusted_schema=OFF");
        if (Pragma(database, "application_id") != TRACE_APPLICATION_ID)
        {
            throw TraceError(path, "a trace of dpdl");
        }
        const int version = Pragma(database, "user_version");
        if (version < TRACE_OLDEST_VERSION || version > TRACE_SCHEMA_VERSION)
        {
            throw TraceError(path,
                             "a trace of schema version " + std::to_string(TRACE_OLDEST_VERSION) +
                                 " or " + std::to_string(TRACE_SCHEMA_VERSION) +
                                 ", and this one has " + std::to_string(version));
        }
        return database;
    });
}

void
UpgradeSchema(SQLite::Database& database)
{
    if (Pragma(database, "user_version") == TRACE_SCHEMA_VERSION)
    {
        return;
    }
    // Views of the user's own stay; those of the schema are made anew.
    static const std::regex NAME("CREATE VIEW (\\S+) AS");
    const std::string views = VIEWS;
    for (std::sregex_iterator view(views.begin(), views.end(), NAME);
         view != std::sregex_iterator();
         ++view)
    {
        database.exec("DROP VIEW IF EXISTS " + view->str(1));
    }
    database.exec(UPGRADE);
    database.exec(VIEWS);
    database.exec(COLUMN_PRIVACY);
    database.exec("PRAGMA user_version=" + std::to_string(TRACE_SCHEMA_VERSION));
}

bool
IsComplete(SQLite::Database& database)
{
    SQLite::Statement statement(database, "SELECT value FROM summary WHERE name = 'state'");
    return statement.executeStep() && statement.getColumn(0).getString() == "complete";
}

std::uint32_t
ColumnReader::Index(const SQLite::Column& column, std::size_t below) const
{
    const std::int64_t value = column.isInteger() ? column.getInt64() : -1;
    if (value < 0 || static_cast<std::uint64_t>(value) >= below ||
        value > std::numeric_limits<std::uint32_t>::max())
    {
        Refuse(column, "an integer from 0 to " + std::to_string(below == 0 ? 0 : below - 1));
    }
    return static_cast<std::uint32_t>(value);
}

double
ColumnReader::Real(const SQLite::Column& column) const
{
    if (column.isNull())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (!column.isFloat() && !column.isInteger())
    {
        Refuse(column, "a number");
    }
    return column.getDouble();
}

std::string
ColumnReader::Text(const SQLite::Column& column) const
{
    if (!column.isText())
    {
        Refuse(column, "a text");
    }
    return column.getString();
}

void
ColumnReader::Refuse(const SQLite::Column& column, const std::string& expected) const
{
    throw TraceError(m_path,
                     std::string("a trace in which every '") + column.getName() + "' is " +
                         expected);
}

} // namespace dpdl
