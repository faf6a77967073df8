// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/audit-entry.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/trace/trace-rows.h"
#include "row-buffer.h"
#include "seal.h"
#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

namespace dpdl
{

namespace
{

bool
HasGuarantee(SQLite::Database& database, NodeId node)
{
    SQLite::Statement find(database, "SELECT 1 FROM guarantee_by_node WHERE node = ?");
    find.bind(1, static_cast<std::int64_t>(node));
    return find.executeStep();
}

/// Refuses to change a table with a wrong checksum: the new checksum would hide the damage.
void
CheckSeal(SQLite::Database& database, const std::string& path)
{
    for (const char* table : {"setting", "audit_entry"})
    {
        if (IsSealed(database) && !HoldsSeal(database, table))
        {
            throw TraceError(path,
                             std::string("a trace whose table ") + table +
                                 " holds what was written (inspect --check)");
        }
    }
}

/// True if no audit of any node of the trace has shown a larger bound.
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
    SQLite::Statement setting(database,
                              "INSERT INTO setting(name, value) VALUES ('observedBy', ?) "
                              "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
    setting.bind(1,
                 entry.game + " game, " + std::to_string(entry.runs) + " runs, confidence " +
                     ShowNumber(entry.confidence));
    setting.exec();
}

} // namespace

void
AppendAudit(const std::string& path, const AuditEntry& entry)
{
    if (!(entry.observed >= 0.0))
    {
        throw UsageError("observed epsilon for trace '" + path + "'",
                         std::to_string(entry.observed),
                         "a number >= 0");
    }
    SQLite::Database database = OpenTrace(path, SQLite::OPEN_READWRITE);
    GuardTrace(path, [&] {
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        if (!IsComplete(database))
        {
            throw TraceError(path, "the trace of a run that has reached its end");
        }
        if (!HasGuarantee(database, entry.node))
        {
            throw TraceError(path,
                             "a trace with the guarantee of node " + std::to_string(entry.node));
        }
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
