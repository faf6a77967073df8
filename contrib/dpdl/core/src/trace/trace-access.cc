// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "trace-access.h"

#include "schema.h"

#include <SQLiteCpp/Statement.h>
#include <filesystem>
#include <system_error>

namespace dpdl
{

namespace
{

/// How long to wait for a program that is writing, in milliseconds.
constexpr int BUSY_TIMEOUT = 5000;

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
        if (database.execAndGet("PRAGMA application_id").getInt() != TRACE_APPLICATION_ID)
        {
            throw TraceError(path, "a trace of dpdl");
        }
        const int version = database.execAndGet("PRAGMA user_version").getInt();
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

bool
IsComplete(SQLite::Database& database)
{
    SQLite::Statement statement(database, "SELECT value FROM summary WHERE name = 'state'");
    return statement.executeStep() && statement.getColumn(0).getString() == "complete";
}

} // namespace dpdl
