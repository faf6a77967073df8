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

/// Runs @p action on the trace at @p path and returns its result.
/// @throws UsageError naming the trace if SQLite reports an error
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
 * @brief Opens an existing trace of this program's schema version or the previous version.
 * @param path path of the trace
 * @param flags SQLite::OPEN_READONLY or OPEN_READWRITE
 * @throws UsageError if the file is not such a trace
 */
SQLite::Database OpenTrace(const std::string& path, int flags);

/**
 * @brief Creates an empty file at @p path for this run, and removes an existing trace if
 *        @p overwrite is true.
 * @param path path, as the user gave it
 * @param overwrite true: an existing trace may be removed
 * @return the absolute path
 * @throws UsageError naming option 'trace' if that fails; no file has changed then
 */
std::string ClaimTraceFile(const std::string& path, bool overwrite);

/// Identifier of a file: device and inode number. Both are 0 if the file does not exist.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

/// Identifier of the file at @p path; zeros if there is no file.
FileId IdOf(const std::string& path) noexcept;

/**
 * @brief Begins a write transaction on a trace, unless another program is writing. Takes about 0.25
 *        s.
 * @param database an open trace; its busy timeout becomes 0
 * @return true if the transaction has begun; false if another program is writing
 */
bool TakeLock(SQLite::Database& database);

/// Removes the trace at @p path and SQLite's files `-wal`, `-shm` and `-journal`, if they exist.
/// Never throws.
void RemoveTraceFiles(const std::string& path) noexcept;

/// Merges the file `-wal` into an open trace, so only one file remains. If another program has the
/// trace open, `-wal` remains.
void LeaveWal(SQLite::Database& database);

/// True if the run that wrote the trace has reached its end.
bool IsComplete(SQLite::Database& database);

/// Version of the base tables that this program writes, stored in the file's `user_version`.
constexpr int TRACE_SCHEMA_VERSION = 2;

/// Oldest version of the base tables that this program reads. Writing to such a trace upgrades it
/// (UpgradeSchema).
constexpr int TRACE_OLDEST_VERSION = 1;

/// "dpdl" in ASCII, stored in the file's `application_id`. file(1) and other tools recognise a
/// trace by it.
constexpr int TRACE_APPLICATION_ID = 0x6470646c;

/// Creates the tables and views of a trace in an empty file, without indexes. The trace has the
/// state `incomplete`.
void CreateSchema(SQLite::Database& database);

/**
 * @brief Upgrades an open trace from TRACE_OLDEST_VERSION to TRACE_SCHEMA_VERSION. No effect on a
 *        trace of TRACE_SCHEMA_VERSION.
 * @param database trace that is open for writing, in a transaction
 */
void UpgradeSchema(SQLite::Database& database);

/// Smallest code of a text that a run adds to table `word`. Smaller codes are reserved for the
/// names of message fates: the code of a name is its value of DeliveryFate.
constexpr int FIRST_CODE = 16;

/// Creates the indexes of a trace. Call it after the run, because indexes would halve the speed of
/// writing.
void CreateIndexes(SQLite::Database& database);

/// Removes the indexes of a trace, if they exist.
void DropIndexes(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_ACCESS_H
