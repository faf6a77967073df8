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
 * @brief Origin of a run: the data from which an interrupted run is started again and resumed, as
 *        pairs of name and value.
 *
 * `program` is the name of the scenario, `folder` its working directory, and `trace` the path of
 * the trace as given when the run began. Each word of the command line is in a pair with the name
 * `word`, in order. The other pairs are environment variables that affect rounding, and digests of
 * program, input files, dataset and model. Table `origin` of a trace stores the pairs;
 * doc/formats/trace.md defines each name.
 */
using RunOrigin = std::vector<std::pair<std::string, std::string>>;

/// Data from which a run can be resumed at the end of a round, in addition to the rows of its
/// trace.
struct Checkpoint
{
    /// Results of jobs since the last checkpoint; appended to the stored journal.
    std::string journal;
    std::string state; ///< current vectors and pending results; replaces the stored state
};

/// A resumption of an incomplete run; view `resumption`.
struct Resumption
{
    Round round{0};        ///< number of completed rounds in the trace when the run was resumed
    std::string resumedBy; ///< program and version that resumed the run
    std::string resumedAt; ///< time of the resumption in UTC, such as 2026-01-02T03:04:05Z
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
 * @brief Reads the command and the digests that are needed to resume an incomplete run.
 * @param path trace of the run
 * @return pairs of table `origin`, in stored order
 * @throws UsageError if the file is not a trace, its run is complete, or table `origin` has no
 *         program
 */
RunOrigin ReadOrigin(const std::string& path);

/// Value of the first entry with that name; "" if there is none.
std::string ValueOf(const RunOrigin& origin, const std::string& name);

/// Digest of @p count bytes, as 16 hexadecimal digits. Not cryptographic: it detects accidental
/// changes only.
std::string DigestOf(const void* bytes, std::size_t count);

/// Digest of a file's contents, as 16 hexadecimal digits; "" if the file cannot be read. Not
/// cryptographic: it detects accidental changes only. For files of 1 MiB or more, it differs from
/// DigestOf() of the same bytes.
std::string DigestOfFile(const std::string& path);

/// Result of one audit of one node; view `audit`. Delta and neighbouring relation are those of the
/// trace.
struct AuditEntry
{
    NodeId node{0};       ///< audited node
    double observed{0.0}; ///< lower bound on the node's epsilon, >= 0; may be infinite
    /// Confidence of the bound, in (0, 1]; 1: the bound is a closed form, without statistics.
    double confidence{0.0};
    /// Number of simulated runs with the canary, which equals the number of runs without it; 1 for
    /// the one-run game.
    std::uint64_t runs{0};
    std::string game;      ///< name of the attack, such as `canary`
    std::string auditedBy; ///< name and version of the program that made the audit
    std::string auditedAt; ///< time of the audit in UTC, such as 2026-01-02T03:04:05Z
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

/// Largest lower bound on epsilon from all audits of a node.
struct ObservedBound
{
    double observed{0.0};   ///< largest lower bound on the node's epsilon, >= 0
    double confidence{0.0}; ///< confidence of `observed`, in (0, 1]; NaN: not recorded in the trace
};

/**
 * @brief Appends the result of an audit to a complete trace.
 *
 * Earlier entries stay. View `guarantee_by_node` shows the largest lower bound of each node, and
 * view `summary` that of all nodes. The setting `observedBy` describes the audit with the largest
 * lower bound. A trace of the previous schema version is upgraded.
 *
 * @param path path of the trace
 * @param entry result of the audit
 * @throws UsageError if TraceReader rejects the trace, or if the trace is incomplete, has no
 *         guarantee of that node or cannot be written, or the lower bound is negative or NaN
 */
void AppendAudit(const std::string& path, const AuditEntry& entry);

} // namespace dpdl

#endif // DPDL_TRACE_RUN_ORIGIN_H
