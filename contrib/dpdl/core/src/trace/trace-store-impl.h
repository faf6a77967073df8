// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_TRACE_STORE_IMPL_H
#define DPDL_TRACE_TRACE_STORE_IMPL_H

#include "dpdl/base/errors.h"
#include "dpdl/trace/trace-store.h"
#include "row-buffer.h"
#include "run-figures.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dpdl
{

/// The open file behind a TraceStore. SQLite's exceptions stop at Guarded.
class TraceStore::Impl
{
  public:
    Impl(const std::string& path, const Options& options);

    /// Runs @p action on the open file; whatever SQLite throws leaves as Error.
    template <typename Action>
    auto Guarded(Action action)
    {
        if (!m_database || m_failed)
        {
            throw Error("trace '" + m_path + "': already closed, or failed before");
        }
        try
        {
            return action();
        }
        catch (const SQLite::Exception& exception)
        {
            m_failed = true;
            throw Error("trace '" + m_path + "': " + exception.what());
        }
    }

    /// Appends a row, and commits when the transaction has grown long enough.
    void Append(Table table, std::initializer_list<Cell> row);

    void AppendLink(const LinkRow& row);

    /// The code of a text that repeats; the same text always has the same code.
    std::int64_t Code(std::string_view text);

    void SetSetting(std::string_view name, std::string_view value);
    void SetSummary(std::string_view name, const SummaryValue& value);
    void AddVector(const char* insert,
                   std::initializer_list<Cell> key,
                   const float* values,
                   std::size_t count);
    void SettleCertified(double certifiedMax);
    void Commit();
    void Finish(bool complete);
    void Discard() noexcept;

    /// Finishes as incomplete if Finish was not called and nothing has failed.
    void Close() noexcept;

    const std::string& Path() const
    {
        return m_path;
    }

    RunFigures figures; ///< what the rows seen so far add up to

  private:
    void CreateSchema();
    void CountRows(std::size_t rows);
    void WriteFigures();
    void LeaveWal();

    std::string m_path; ///< as the user gave it
    std::string m_file; ///< absolute
    std::size_t m_rowsPerTransaction;
    std::size_t m_rowsPending{0};
    bool m_failed{false}; ///< SQLite has failed once; nothing more is written
    std::set<std::string, std::less<>> m_fixedSummary; ///< items that the caller has set
    std::map<std::string, std::int64_t, std::less<>> m_codes;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<RowBuffer> m_buffers; ///< one for each Table
};

} // namespace dpdl

#endif // DPDL_TRACE_TRACE_STORE_IMPL_H
