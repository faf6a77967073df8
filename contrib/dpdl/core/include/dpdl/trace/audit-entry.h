// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRACE_AUDIT_ENTRY_H
#define DPDL_TRACE_AUDIT_ENTRY_H

#include "dpdl/base/types.h"
#include "dpdl/trace/row-table.h"

#include <cstdint>
#include <string>

namespace dpdl
{

/// Result of one audit of one node, for the delta and the adjacency of the trace; view `audit`.
struct AuditEntry
{
    NodeId node{0};         ///< audited node
    double observed{0.0};   ///< lower bound on epsilon, at least 0; may be infinite
    double confidence{0.0}; ///< confidence level of the bound, in (0, 1]; 1: it was derived, not
                            ///< measured
    std::uint64_t runs{0};  ///< number of runs of each kind
    std::string game;       ///< attack, for example `canary`
    std::string auditedBy;  ///< program and version
    std::string auditedAt;  ///< UTC, as in 2026-01-02T03:04:05Z
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
    double observed{0.0};   ///< lower bound on epsilon
    double confidence{0.0}; ///< confidence level of that audit's bound; NaN: the trace does not say
};

/**
 * @brief Appends the result of an audit to a complete trace.
 *
 * Earlier entries stay: the views `guarantee_by_node` and `summary` show the largest bound of all.
 * The setting `observedBy` names the audit that found it. A trace of the previous schema version is
 * upgraded.
 *
 * @param path the trace
 * @param entry the result to append
 * @throws UsageError as TraceReader does, and if the trace is incomplete, has no guarantee of that
 *         node, or cannot be written, or the bound is negative or NaN
 */
void AppendAudit(const std::string& path, const AuditEntry& entry);

} // namespace dpdl

#endif // DPDL_TRACE_AUDIT_ENTRY_H
