// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_ACCESS_H
#define DPDL_TRACE_TRACE_ACCESS_H

#include "dpdl/base/errors.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <cstdint>
#include <string>
#include <utility>

namespace dpdl
{

/// Runs @p action on a trace; converts exceptions of SQLite to UsageError.
template <typename Action>
auto
GuardTrace(const std::string& path, Action action)
{
    try
    {
        return action();
    }
    catch (const SQLite::Exception& exception)
    {
        throw UsageError("trace", path, std::string("a readable trace (") + exception.what() + ")");
    }
}

/**
 * @brief Opens an existing trace of this program's schema version, or the previous one.
 * @param path the file
 * @param flags SQLite::OPEN_READONLY or OPEN_READWRITE
 * @throws UsageError if the file is not such a trace
 */
SQLite::Database OpenTrace(const std::string& path, int flags);

/**
 * @brief Makes @p path an empty file that belongs to this run alone.
 * @param path as the user gave it
 * @param overwrite true: an existing trace may be removed
 * @return the absolute path
 * @throws UsageError if that fails; no file has changed then
 */
std::string ClaimTraceFile(const std::string& path, bool overwrite);

/// Identifier of an existing file: device and inode; zeros if it does not exist.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

/// Identifier of the file at @p path.
FileId IdOf(const std::string& path) noexcept;

/**
 * @brief Begins a write transaction, unless another program is writing.
 * @param database an open trace, whose busy timeout is set to 0
 * @return false if another program is writing
 */
bool TakeLock(SQLite::Database& database);

/// Removes the file and SQLite's files `-wal`, `-shm` and `-journal`, if they exist. Never throws.
void RemoveTraceFiles(const std::string& path) noexcept;

/// Merges the file `-wal` into an open trace, so only one file remains, unless another program has
/// it open.
void LeaveWal(SQLite::Database& database);

/// True if the run of an open trace is complete.
bool IsComplete(SQLite::Database& database);

/// Version of the base tables, stored in the file's `user_version`.
constexpr int TRACE_SCHEMA_VERSION = 2;

/// The oldest readable version; writing to such a trace upgrades it (UpgradeSchema).
constexpr int TRACE_OLDEST_VERSION = 1;

/// "dpdl" in ASCII, stored in the file's `application_id`, so file(1) and tools recognise a trace.
constexpr int TRACE_APPLICATION_ID = 0x6470646c;

/// Turns an empty file into a trace without indexes, with state `incomplete`.
void CreateSchema(SQLite::Database& database);

/**
 * @brief Upgrades an open trace from TRACE_OLDEST_VERSION to this program's schema version; has no
 *        effect on a trace of that version.
 * @param database open for writing, in a transaction
 */
void UpgradeSchema(SQLite::Database& database);

/// First code of a repeated text in table `word`; smaller codes belong to DeliveryFate.
constexpr int FIRST_CODE = 16;

/// Creates the indexes. Called after the run, because they would halve the speed of writing.
void CreateIndexes(SQLite::Database& database);

/// Drops the indexes if they exist.
void DropIndexes(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_ACCESS_H
