// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/trace/trace-reader.h"

#include "trace-access.h"

#include <SQLiteCpp/Statement.h>
#include <cmath>
#include <limits>
#include <map>

namespace dpdl
{

namespace
{

constexpr std::size_t ANY_ROUND = std::numeric_limits<Round>::max();
constexpr std::size_t ANY_CHUNK = 65536; // a message counts them with 16 bits

DeliveryFate
FateOf(const ColumnReader& read, const SQLite::Column& column)
{
    static const std::map<std::string, DeliveryFate> FATES{
        {"delivered", DeliveryFate::DELIVERED},
        {"lost", DeliveryFate::LOST},
        {"late", DeliveryFate::LATE},
        {"duplicate", DeliveryFate::DUPLICATE},
        {"corrupt", DeliveryFate::CORRUPT},
        {"refunded", DeliveryFate::REFUNDED},
    };
    const auto fate = FATES.find(read.Text(column));
    if (fate == FATES.end())
    {
        read.Refuse(column, "the name of a fate");
    }
    return fate->second;
}

/// Reads a time or count that need not be there.
std::optional<double>
OptionalReal(const ColumnReader& read, const SQLite::Column& column)
{
    return column.isNull() ? std::nullopt : std::optional<double>(read.Real(column));
}

Delivery
DeliveryOf(const ColumnReader& read, SQLite::Statement& row, std::size_t nodes)
{
    Delivery delivery;
    delivery.round = read.Index(row.getColumn(0), ANY_ROUND);
    delivery.source = read.Index(row.getColumn(1), nodes);
    delivery.target = read.Index(row.getColumn(2), nodes);
    delivery.weight = read.Real(row.getColumn(3));
    if (!(delivery.weight >= 0.0 && delivery.weight <= 1.0))
    {
        read.Refuse(row.getColumn(3), "a number in [0, 1]");
    }
    delivery.bytes = static_cast<std::uint64_t>(row.getColumn(4).getInt64());
    delivery.sentAt = read.Real(row.getColumn(5));
    delivery.arrivedAt = OptionalReal(read, row.getColumn(6));
    if (!row.getColumn(7).isNull())
    {
        delivery.usedInRound = read.Index(row.getColumn(7), ANY_ROUND);
    }
    delivery.fate = FateOf(read, row.getColumn(8));
    delivery.chunk = read.Index(row.getColumn(9), ANY_CHUNK);
    return delivery;
}

} // namespace

/// The open file. SQLite's exceptions stop at GuardTrace.
class TraceReader::Impl
{
  public:
    explicit Impl(const std::string& path)
        : m_path(path),
          m_database(OpenTrace(path, SQLite::OPEN_READONLY))
    {
    }

    /// Calls @p visit with the statement at each row of @p sql.
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

    std::string m_path;          ///< as the user gave it
    SQLite::Database m_database; ///< open for reading
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

std::vector<Round>
TraceReader::RoundsByNode(std::size_t nodes) const
{
    const ColumnReader read(Path());
    std::vector<Round> rounds(nodes, 0);
    m_impl->ForEach("SELECT node, COUNT(*) FROM round_by_node GROUP BY node",
                    [&](SQLite::Statement& row) {
                        rounds[read.Index(row.getColumn(0), nodes)] =
                            read.Index(row.getColumn(1), ANY_ROUND);
                    });
    return rounds;
}

void
TraceReader::ReadReleases(std::size_t nodes,
                          const std::function<void(const ReleaseEntry&)>& visit) const
{
    const ColumnReader read(Path());
    m_impl->ForEach("SELECT node, round, mechanism, sampler, rate, sensitivity, noise, "
                    "noise_multiplier, flags FROM \"release\" ORDER BY node, round",
                    [&](SQLite::Statement& row) {
                        const std::string mechanism = read.Text(row.getColumn(2));
                        const std::string sampler = read.Text(row.getColumn(3));
                        const std::string flags = read.Text(row.getColumn(8));
                        ReleaseEntry release;
                        release.node = read.Index(row.getColumn(0), nodes);
                        release.round = read.Index(row.getColumn(1), ANY_ROUND);
                        release.mechanism = mechanism;
                        release.sampler = sampler;
                        release.rate = read.Real(row.getColumn(4));
                        release.sensitivity = read.Real(row.getColumn(5));
                        release.noise = read.Real(row.getColumn(6));
                        release.noiseMultiplier = read.Real(row.getColumn(7));
                        release.flags = flags;
                        visit(release);
                    });
}

void
TraceReader::ReadGuarantees(std::size_t nodes,
                            const std::function<void(const GuaranteeByNode&)>& visit) const
{
    const ColumnReader read(Path());
    m_impl->ForEach("SELECT node, claimed, certified, observed, delta, adjacency, reason "
                    "FROM guarantee_by_node ORDER BY node",
                    [&](SQLite::Statement& row) {
                        const std::string adjacency = read.Text(row.getColumn(5));
                        const std::string reason = row.getColumn(6).getString();
                        GuaranteeByNode guarantee;
                        guarantee.node = read.Index(row.getColumn(0), nodes);
                        guarantee.claimed = read.Real(row.getColumn(1));
                        guarantee.certified = read.Real(row.getColumn(2));
                        guarantee.observed = OptionalReal(read, row.getColumn(3));
                        guarantee.delta = read.Real(row.getColumn(4));
                        guarantee.adjacency = adjacency;
                        guarantee.reason = reason;
                        visit(guarantee);
                    });
}

std::optional<ObservedBound>
TraceReader::StrongestAudit(NodeId node) const
{
    const ColumnReader read(Path());
    std::string confidence = "NULL"; // traces of schema version 1 do not tell
    m_impl->ForEach("SELECT 1 FROM sqlite_master WHERE name = 'audit'", [&](SQLite::Statement&) {
        confidence = "(SELECT MAX(confidence) FROM audit WHERE audit.node = guarantee_by_node.node "
                     "AND audit.observed = guarantee_by_node.observed)";
    });
    std::optional<ObservedBound> bound;
    m_impl->ForEach(
        "SELECT observed, " + confidence +
            " FROM guarantee_by_node WHERE observed IS NOT NULL AND node = " + std::to_string(node),
        [&](SQLite::Statement& row) {
            bound = {read.Real(row.getColumn(0)), read.Real(row.getColumn(1))};
        });
    return bound;
}

std::vector<Delivery>
TraceReader::Deliveries(std::size_t nodes) const
{
    const ColumnReader read(Path());
    std::vector<Delivery> deliveries;
    m_impl->ForEach(
        "SELECT round, source, target, weight, bytes, sent_at, arrived_at, "
        "used_in_round, fate, chunk FROM delivery ORDER BY round, source, target, chunk",
        [&](SQLite::Statement& row) { deliveries.push_back(DeliveryOf(read, row, nodes)); });
    return deliveries;
}

} // namespace dpdl
