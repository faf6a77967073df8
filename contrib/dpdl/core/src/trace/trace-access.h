// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_ACCESS_H
#define DPDL_TRACE_TRACE_ACCESS_H

#include "dpdl/base/errors.h"
#include "dpdl/base/types.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <string>
#include <type_traits>

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
 * @brief Brings an open trace of TRACE_OLDEST_VERSION to this program's schema version; does
 *        nothing to one that has it.
 * @param database open for writing, in a transaction
 */
void UpgradeSchema(SQLite::Database& database);

/// Whether the run of an open trace has reached its end.
bool IsComplete(SQLite::Database& database);

/// Turns the columns of a row into values, and refuses those that cannot be.
class ColumnReader
{
  public:
    /// @param path of the trace, for errors
    explicit ColumnReader(const std::string& path)
        : m_path(path)
    {
    }

    /// An integer in [0, below).
    std::uint32_t Index(const SQLite::Column& column, std::size_t below) const;

    /// A number, infinity included; NULL becomes NaN, as it was before it was stored.
    double Real(const SQLite::Column& column) const;

    /// A text.
    std::string Text(const SQLite::Column& column) const;

    /// Throws the error for a column that holds something else than @p expected.
    [[noreturn]] void Refuse(const SQLite::Column& column, const std::string& expected) const;

  private:
    const std::string& m_path; ///< of the trace
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_ACCESS_H
