// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/observed-epsilon.h"

#include "dpdl/base/errors.h"
#include "row-buffer.h"
#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <algorithm>

namespace dpdl
{

namespace
{

void
CheckObserved(const std::string& path, const std::vector<std::optional<double>>& observed)
{
    for (const std::optional<double>& value : observed)
    {
        if (value.has_value() && !(*value >= 0.0))
        {
            throw UsageError("observed epsilon for trace '" + path + "'",
                             std::to_string(*value),
                             "a number >= 0");
        }
    }
}

/// Whether the guarantees of the trace are those of nodes 0 to @p nodes - 1.
bool
HasGuarantees(SQLite::Database& database, std::size_t nodes)
{
    SQLite::Statement count(database,
                            "SELECT COUNT(*), COUNT(DISTINCT node), MIN(node), MAX(node) "
                            "FROM guarantee_by_node");
    count.executeStep();
    const auto expected = static_cast<std::int64_t>(nodes);
    return nodes > 0 && count.getColumn(0).getInt64() == expected &&
           count.getColumn(1).getInt64() == expected && count.getColumn(2).getInt64() == 0 &&
           count.getColumn(3).getInt64() == expected - 1;
}

void
Write(SQLite::Database& database,
      const std::vector<std::optional<double>>& observed,
      const std::string& note)
{
    SQLite::Statement update(database, "UPDATE guarantee SET observed = ? WHERE node = ?");
    std::optional<double> largest;
    for (std::size_t node = 0; node < observed.size(); ++node)
    {
        BindCell(update, 1, observed[node]);
        update.bind(2, static_cast<std::int64_t>(node));
        update.exec();
        update.reset();
        if (observed[node].has_value())
        {
            largest = std::max(largest.value_or(0.0), *observed[node]);
        }
    }
    SQLite::Statement summary(database,
                              "UPDATE summary_item SET value = ? WHERE name = 'epsilon_observed'");
    BindCell(summary, 1, largest);
    summary.exec();
    SQLite::Statement setting(database,
                              "INSERT INTO setting(name, value) VALUES ('observedBy', ?) "
                              "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
    setting.bind(1, note);
    setting.exec();
}

} // namespace

void
StoreObserved(const std::string& path,
              const std::vector<std::optional<double>>& observed,
              const std::string& note)
{
    CheckObserved(path, observed);
    SQLite::Database database = OpenTrace(path, SQLite::OPEN_READWRITE);
    GuardTrace(path, [&] {
        SQLite::Transaction transaction(database);
        if (!IsComplete(database))
        {
            throw TraceError(path, "the trace of a run that has reached its end");
        }
        if (!HasGuarantees(database, observed.size()))
        {
            throw TraceError(path,
                             "a trace with the guarantees of " + std::to_string(observed.size()) +
                                 " nodes");
        }
        Write(database, observed, note);
        transaction.commit();
    });
}

} // namespace dpdl
