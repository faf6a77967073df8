// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/run-origin.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/trace/trace-rows.h"
#include "resumed-rows.h"
#include "row-buffer.h"
#include "seal.h"
#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <array>
#include <cstdio>
#include <fstream>

namespace dpdl
{

namespace
{

std::string
Hexadecimal(const RowChecksum& checksum)
{
    std::array<char, 17> digits{};
    std::snprintf(digits.data(),
                  digits.size(),
                  "%016llx",
                  static_cast<unsigned long long>(checksum.Value()));
    return digits.data();
}

bool
HasGuarantee(SQLite::Database& database, NodeId node)
{
    SQLite::Statement find(database, "SELECT 1 FROM guarantee_by_node WHERE node = ?");
    find.bind(1, static_cast<std::int64_t>(node));
    return find.executeStep();
}

/// Refuses to change a table whose checksum is wrong, because a new checksum would hide the damage.
/// @throws UsageError naming the trace
void
CheckSeal(SQLite::Database& database, const std::string& path)
{
    for (const char* table : {"setting", "audit_entry"})
    {
        DPDL_REFUSE_IF(IsSealed(database) && !HoldsSeal(database, table),
                       "trace",
                       path,
                       std::string("a trace whose table ") + table +
                           " holds what was written (inspect --check)");
    }
}

/// True if @p observed, a lower bound on epsilon, is above the lower bounds from all earlier audits
/// of any node of the trace.
bool
IsLargest(SQLite::Database& database, double observed)
{
    SQLite::Statement largest(database, "SELECT MAX(observed) FROM guarantee_by_node");
    largest.executeStep();
    return largest.getColumn(0).isNull() || largest.getColumn(0).getDouble() < observed;
}

void
SetObservedBy(SQLite::Database& database, const AuditEntry& entry)
{
    Execute(database,
            "INSERT INTO setting(name, value) VALUES ('observedBy', ?) "
            "ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            entry.game + " game, " + std::to_string(entry.runs) + " runs, confidence " +
                ShowNumber(entry.confidence));
}

} // namespace

RunOrigin
ReadOrigin(const std::string& path)
{
    SQLite::Database database = OpenTrace(path, SQLite::OPEN_READONLY);
    return GuardTrace(path, [&] {
        DPDL_REFUSE_IF(IsComplete(database),
                       "trace",
                       path,
                       "the trace of an incomplete run, and this one is complete");
        const RunOrigin origin =
            database.tableExists("origin") ? ReadStatements(database)["origin"] : RunOrigin();
        DPDL_REFUSE_IF(ValueOf(origin, "program").empty(),
                       "trace",
                       path,
                       "a trace that says how its run was begun: one run of one process, "
                       "killed after its first commit");
        return origin;
    });
}

std::string
ValueOf(const RunOrigin& origin, const std::string& name)
{
    for (const auto& [key, value] : origin)
    {
        if (key == name)
        {
            return value;
        }
    }
    return "";
}

std::string
DigestOf(const void* bytes, std::size_t count)
{
    RowChecksum checksum;
    checksum.AddBlob(bytes, count);
    checksum.EndRow();
    return Hexadecimal(checksum);
}

std::string
DigestOfFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(std::size_t{1} << 20);
    RowChecksum checksum;
    while (file)
    {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        checksum.AddBlob(block.data(), static_cast<std::size_t>(file.gcount()));
        checksum.EndRow();
    }
    return file.eof() ? Hexadecimal(checksum) : "";
}

void
AppendAudit(const std::string& path, const AuditEntry& entry)
{
    DPDL_REFUSE_IF(!(entry.observed >= 0.0),
                   "observed epsilon for trace '" + path + "'",
                   std::to_string(entry.observed),
                   "a number >= 0");
    SQLite::Database database = OpenTrace(path, SQLite::OPEN_READWRITE);
    GuardTrace(path, [&] {
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        DPDL_REFUSE_IF(!IsComplete(database),
                       "trace",
                       path,
                       "the trace of a run that has reached its end");
        DPDL_REFUSE_IF(!HasGuarantee(database, entry.node),
                       "trace",
                       path,
                       "a trace with the guarantee of node " + std::to_string(entry.node));
        CheckSeal(database, path);
        UpgradeSchema(database);
        if (IsLargest(database, entry.observed))
        {
            SetObservedBy(database, entry);
        }
        RowBuffer buffer(database, TABLE<AuditEntry>);
        buffer.Append(entry, [](std::string_view) { return std::int64_t{0}; });
        buffer.Write();
        if (IsSealed(database))
        {
            Seal(database, "setting");
            Seal(database, TABLE<AuditEntry>.name);
            SealAll(database);
        }
        transaction.commit();
    });
}

} // namespace dpdl
