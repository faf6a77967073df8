// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_RUN_ORIGIN_H
#define DPDL_TRACE_RUN_ORIGIN_H

#include "dpdl/base/types.h"
#include "dpdl/trace/row-table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/**
 * @brief Origin of a run: the command that starts the run again, as pairs of name and value. The
 *        names are `program`, `folder`, `trace`, `word` (once for each word of the command line),
 *        and those of the digests of its input files.
 *
 * Table `origin` of a trace; doc/formats/trace.md defines each name.
 */
using RunOrigin = std::vector<std::pair<std::string, std::string>>;

/// State of a run at one moment, apart from its rows.
struct Checkpoint
{
    std::string journal; ///< results computed so far; each checkpoint appends to it
    std::string state;   ///< state needed to resume; each checkpoint replaces it
};

/// One resumption of an incomplete run; view `resumption`.
struct Resumption
{
    Round round{0};        ///< rounds in the trace when the run was resumed
    std::string resumedBy; ///< program and version that resumed the run
    std::string resumedAt; ///< time of resumption, UTC, as in 2026-01-02T03:04:05Z
};

template <>
inline constexpr auto TABLE<Resumption> =
    RowTable("resumption",
             "resumption_entry",
             Column("round", &Resumption::round, PUBLIC),
             Column("resumed_by", &Resumption::resumedBy, PUBLIC),
             Column("resumed_at", &Resumption::resumedAt, PUBLIC))
        .Ending(" ORDER BY rowid");

/**
 * @brief Reads the command and digests needed to resume an incomplete run.
 * @param path trace of the run
 * @return the rows of `origin`, in their order
 * @throws UsageError if the file is not a trace, its run is complete, or table `origin` has no
 *         program
 */
RunOrigin ReadOrigin(const std::string& path);

/// Value of the first entry with that name; empty if there is none.
std::string ValueOf(const RunOrigin& origin, const std::string& name);

/// Digest of @p count bytes, as 16 hexadecimal digits. It detects accidents, not forgery.
std::string DigestOf(const void* bytes, std::size_t count);

/// Digest of a file's content, as 16 hexadecimal digits; empty if it cannot be read. It detects
/// accidents, not forgery. From 1 MiB on it differs from DigestOf() of the same bytes.
std::string DigestOfFile(const std::string& path);

/// Result of one audit of one node, for the delta and the adjacency of the trace; view `audit`.
struct AuditEntry
{
    NodeId node{0};       ///< audited node
    double observed{0.0}; ///< lower bound on epsilon, at least 0; may be infinite
    /// Confidence level of the bound, in (0, 1]; 1: the bound was derived, not measured.
    double confidence{0.0};
    /// Number of runs with the canary, equal to the number of runs without it; 1 for a one-run
    /// audit.
    std::uint64_t runs{0};
    std::string game;      ///< attack of the audit, for example `canary`
    std::string auditedBy; ///< program and version of the audit
    std::string auditedAt; ///< time of the audit, UTC, as in 2026-01-02T03:04:05Z
};

template <>
inline constexpr auto TABLE<AuditEntry> =
    RowTable("audit",
             "audit_entry",
             Column("node", &AuditEntry::node, PUBLIC),
             Column("observed", &AuditEntry::observed, PUBLIC),
             Column("confidence", &AuditEntry::confidence, PUBLIC),
             Column("runs", &AuditEntry::runs, PUBLIC),
             Column("game", &AuditEntry::game, PUBLIC),
             Column("audited_by", &AuditEntry::auditedBy, PUBLIC),
             Column("audited_at", &AuditEntry::auditedAt, PUBLIC))
        .Ending(" ORDER BY rowid");

/// Largest lower bound on epsilon that the audits of a node have shown.
struct ObservedBound
{
    double observed{0.0};   ///< largest lower bound on the node's epsilon
    double confidence{0.0}; ///< confidence level of that audit's bound; NaN: the trace does not say
};

/**
 * @brief Appends the result of an audit to a complete trace.
 *
 * Earlier entries stay: the views `guarantee_by_node` and `summary` show the largest bound of all.
 * The setting `observedBy` describes the audit with the largest bound. A trace of the previous
 * schema version is upgraded.
 *
 * @param path the trace
 * @param entry the result to append
 * @throws UsageError as TraceReader does, and if the trace is incomplete, has no guarantee of that
 *         node, or cannot be written, or the bound is negative or NaN
 */
void AppendAudit(const std::string& path, const AuditEntry& entry);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_ORIGIN_H
