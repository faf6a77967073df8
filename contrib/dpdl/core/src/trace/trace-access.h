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

/// The error for a trace that cannot be used. @param accepted what it should have been
UsageError TraceError(const std::string& path, const std::string& accepted);

/// Runs @p action on a trace; what SQLite throws leaves as UsageError.
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
        throw TraceError(path, std::string("a readable trace (") + exception.what() + ")");
    }
}

/**
 * @brief Opens an existing trace of this program's schema version, or the one before.
 * @param path the file
 * @param flags SQLite::OPEN_READONLY or OPEN_READWRITE
 * @throws UsageError otherwise
 */
SQLite::Database OpenTrace(const std::string& path, int flags);

/**
 * @brief Makes @p path an empty file that belongs to this run alone.
 * @param path as the user gave it
 * @param overwrite whether an existing trace may be removed
 * @return the absolute path
 * @throws UsageError if that cannot be; nothing has changed then
 */
std::string ClaimTraceFile(const std::string& path, bool overwrite);

/// Identifier of an existing file: device and inode; zeros: there is none.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

/// Of the file at @p path.
FileId IdOf(const std::string& path) noexcept;

/**
 * @brief Begins a transaction that writes, unless another program is writing.
 * @param database whose busy timeout is 0 then
 * @return false if one is
 */
bool TakeLock(SQLite::Database& database);

/// Removes the file and SQLite's companions of it, as far as they exist. Never throws.
void RemoveTraceFiles(const std::string& path) noexcept;

/// Makes an open trace one file again: its companions go unless another program has it open.
void LeaveWal(SQLite::Database& database);

/// True if the run of an open trace is complete.
bool IsComplete(SQLite::Database& database);

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_ACCESS_H
