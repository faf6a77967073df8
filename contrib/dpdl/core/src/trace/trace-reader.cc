// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-reader.h"

#include "trace-access.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>
#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

// Reads the views of a trace row by row. ColumnReader checks every value first.

namespace dpdl
{

namespace
{

constexpr std::size_t ANY_ROUND = std::numeric_limits<Round>::max();
// Number of possible indices of a chunk: an index has 16 bits.
constexpr std::size_t ANY_CHUNK = 65536;

/// Converts the columns of a row to values. Every function throws UsageError for an invalid value.
class ColumnReader
{
  public:
    /**
     * @param path path of the trace, for error messages
     * @param nodes number of nodes; indices of nodes must be smaller
     */
    ColumnReader(const std::string& path, std::size_t nodes)
        : m_path(path),
          m_nodes(nodes)
    {
    }

    void Read(const SQLite::Column& column, std::uint32_t& value) const
    {
        const std::string_view name = column.getName();
        const bool isNode = name == "node" || name == "source" || name == "target";
        value = Index(column, isNode ? m_nodes : name == "chunk" ? ANY_CHUNK : ANY_ROUND);
    }

    void Read(const SQLite::Column& column, std::uint64_t& value) const
    {
        value = static_cast<std::uint64_t>(column.getInt64());
    }

    /// Reads a number, which may be infinite. NULL becomes NaN, because NaN is stored as NULL.
    void Read(const SQLite::Column& column, double& value) const
    {
        if (!column.isNull() && !column.isFloat() && !column.isInteger())
        {
            Refuse(column.getName(), "a number");
        }
        value = column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
    }

    /// Reads a text, which stays valid until the next row.
    void Read(const SQLite::Column& column, std::string_view& value) const
    {
        if (!column.isText())
        {
            Refuse(column.getName(), "a text");
        }
        value = {column.getText(), static_cast<std::size_t>(column.getBytes())};
    }

    void Read(const SQLite::Column& column, std::string& value) const
    {
        std::string_view text;
        Read(column, text);
        value = text;
    }

    void Read(const SQLite::Column& column, DeliveryFate& value) const
    {
        std::string_view name;
        Read(column, name);
        const auto* const fate = std::find(DELIVERY_FATES.begin(), DELIVERY_FATES.end(), name);
        if (fate == DELIVERY_FATES.end())
        {
            Refuse(column.getName(), "the name of a fate");
        }
        value = static_cast<DeliveryFate>(1 + (fate - DELIVERY_FATES.begin()));
    }

    /// Reads names of flags. An unknown name becomes ReleaseFlag::UNKNOWN.
    void Read(const SQLite::Column& column, ReleaseFlag& value) const
    {
        std::string names;
        Read(column, names);
        value = ReleaseFlagsFromString(names);
    }

    template <class Value>
    void Read(const SQLite::Column& column, std::optional<Value>& value) const
    {
        if (!column.isNull())
        {
            Read(column, value.emplace());
        }
    }

    template <class Row, class Value>
    void Read(const SQLite::Column& from, const Column<Row, Value>& column, Row& row) const
    {
        if constexpr (std::is_member_object_pointer_v<Value Row::*>)
        {
            if (column.storage != Storage::TEXT_OR_NULL || !from.isNull())
            {
                Read(from, row.*column.field);
            }
        }
    }

    /// Reads an integer.
    /// @throws UsageError if the integer is not in [0, @p below)
    std::uint32_t Index(const SQLite::Column& column, std::size_t below) const
    {
        const std::int64_t value = column.isInteger() ? column.getInt64() : -1;
        if (value < 0 || static_cast<std::uint64_t>(value) >= below ||
            value > std::numeric_limits<std::uint32_t>::max())
        {
            Refuse(column.getName(),
                   "an integer from 0 to " + std::to_string(below == 0 ? 0 : below - 1));
        }
        return static_cast<std::uint32_t>(value);
    }

    /// Rejects a value of the trace.
    /// @throws UsageError naming the trace and @p column; @p expected is the accepted form
    [[noreturn]] void Refuse(const std::string& column, const std::string& expected) const
    {
        throw UsageError("trace", m_path, "a trace in which every '" + column + "' is " + expected);
    }

  private:
    const std::string& m_path; ///< path of the trace; must outlive this object
    std::size_t m_nodes;       ///< number of nodes; indices of nodes must be smaller
};

} // namespace

/// Implementation of TraceReader: the open trace. GuardTrace() converts exceptions of SQLite.
class TraceReader::Impl
{
  public:
    explicit Impl(const std::string& path)
        : m_path(path),
          m_database(OpenTrace(path, SQLite::OPEN_READONLY))
    {
    }

    /// Runs the SQL query @p sql, and calls @p visit with the statement at each row of the result.
    template <typename Visit>
    void ForEach(const std::string& sql, Visit visit)
    {
        GuardTrace(m_path, [&] {
            SQLite::Statement statement(m_database, sql);
            while (statement.executeStep())
            {
                visit(statement);
            }
        });
    }

    /// Calls @p visit with each row of a view.
    /// @param nodes number of nodes of the run
    /// @param order SQL that orders the rows
    template <class Row, class Visit>
    void Read(std::size_t nodes, const std::string& order, Visit visit)
    {
        const ColumnReader read(m_path, nodes);
        const std::string view = TABLE<Row>.view;
        std::set<std::string> present; // columns of the view; earlier schema versions have fewer
        ForEach("SELECT name FROM pragma_table_info('" + view + "')",
                [&](SQLite::Statement& column) { present.insert(column.getColumn(0)); });
        std::string names;
        ForEachColumn(TABLE<Row>, [&](const auto& column) {
            names.append(names.empty() ? "" : ", ")
                .append(present.count(column.name) > 0 ? "" : "NULL AS ")
                .append(column.name);
        });
        ForEach("SELECT " + names + " FROM \"" + view + "\" ORDER BY " + order,
                [&](SQLite::Statement& statement) {
                    Row row;
                    int index = 0;
                    ForEachColumn(TABLE<Row>, [&](const auto& column) {
                        read.Read(statement.getColumn(index++), column, row);
                    });
                    visit(row);
                });
    }

    std::string m_path;          ///< path of the trace, as the user gave it
    SQLite::Database m_database; ///< open trace, for reading
};

TraceReader::TraceReader(const std::string& path)
    : m_impl(std::make_unique<Impl>(path))
{
}

TraceReader::~TraceReader() = default;

const std::string&
TraceReader::Path() const
{
    return m_impl->m_path;
}

bool
TraceReader::Complete() const
{
    return GuardTrace(Path(), [&] { return IsComplete(m_impl->m_database); });
}

std::optional<std::string>
TraceReader::Setting(const std::string& name) const
{
    return GuardTrace(Path(), [&]() -> std::optional<std::string> {
        SQLite::Statement find(m_impl->m_database, "SELECT value FROM settings WHERE name = ?");
        find.bind(1, name);
        if (!find.executeStep() || find.getColumn(0).isNull())
        {
            return std::nullopt;
        }
        return find.getColumn(0).getString();
    });
}

std::optional<double>
TraceReader::SummaryNumber(const std::string& name) const
{
    return GuardTrace(Path(), [&]() -> std::optional<double> {
        SQLite::Statement find(m_impl->m_database, "SELECT value FROM summary WHERE name = ?");
        find.bind(1, name);
        if (!find.executeStep() || !(find.getColumn(0).isInteger() || find.getColumn(0).isFloat()))
        {
            return std::nullopt;
        }
        return find.getColumn(0).getDouble();
    });
}

bool
TraceReader::HasViolation(const std::string& assumption) const
{
    return GuardTrace(Path(), [&]() {
        SQLite::Statement find(m_impl->m_database,
                               "SELECT 1 FROM violation WHERE assumption = ? LIMIT 1");
        find.bind(1, assumption);
        return find.executeStep();
    });
}

std::vector<Round>
TraceReader::RoundsByNode(std::size_t nodes) const
{
    const ColumnReader read(Path(), nodes);
    std::vector<Round> rounds(nodes, 0);
    m_impl->ForEach("SELECT node, COUNT(*) FROM round_by_node GROUP BY node",
                    [&](SQLite::Statement& row) {
                        rounds[read.Index(row.getColumn(0), nodes)] =
                            read.Index(row.getColumn(1), ANY_ROUND);
                    });
    return rounds;
}

void
TraceReader::ReadReleases(std::size_t nodes, const std::function<void(const Release&)>& visit) const
{
    m_impl->Read<Release>(nodes, "node, round", visit);
}

void
TraceReader::ReadGuarantees(std::size_t nodes,
                            const std::function<void(const GuaranteeByNode&)>& visit) const
{
    m_impl->Read<GuaranteeByNode>(nodes, "node", visit);
}

std::optional<ObservedBound>
TraceReader::StrongestAudit(NodeId node) const
{
    const ColumnReader read(Path(), ANY_ROUND);
    std::string confidence = "NULL"; // traces of schema version 1 have no confidence
    m_impl->ForEach("SELECT 1 FROM sqlite_master WHERE name = 'audit'", [&](SQLite::Statement&) {
        confidence = "(SELECT MAX(confidence) FROM audit WHERE audit.node = guarantee_by_node.node "
                     "AND audit.observed = guarantee_by_node.observed)";
    });
    std::optional<ObservedBound> bound;
    m_impl->ForEach(
        "SELECT observed, " + confidence +
            " FROM guarantee_by_node WHERE observed IS NOT NULL AND node = " + std::to_string(node),
        [&](SQLite::Statement& row) {
            read.Read(row.getColumn(0), bound.emplace().observed);
            read.Read(row.getColumn(1), bound->confidence);
        });
    return bound;
}

std::vector<Delivery>
TraceReader::Deliveries(std::size_t nodes) const
{
    std::vector<Delivery> deliveries;
    m_impl->Read<Delivery>(nodes, "round, source, target, chunk", [&](const Delivery& row) {
        if (!(row.weight >= 0.0 && row.weight <= 1.0))
        {
            ColumnReader(Path(), nodes).Refuse("weight", "a number in [0, 1]");
        }
        deliveries.push_back(row);
    });
    return deliveries;
}

} // namespace dpdl
