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

/// What one audit has shown of one node, for the delta and the adjacency of the trace; view
/// `audit`.
struct AuditEntry
{
    NodeId node{0};         ///< whose releases were attacked
    double observed{0.0};   ///< lower bound on epsilon, at least 0; may be infinite
    double confidence{0.0}; ///< with which it holds, in (0, 1]; 1: it was derived, not measured
    std::uint64_t runs{0};  ///< how many runs were made of either kind
    std::string game;       ///< what the attacker did, for example `canary`
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

/// The largest bound that the audits of a node have shown.
struct ObservedBound
{
    double observed{0.0}; ///< lower bound on epsilon
    double confidence{
        0.0}; ///< with which that one audit's bound holds; NaN: the trace does not say
};

/**
 * @brief Appends what an audit has shown to a complete trace.
 *
 * Earlier entries stay: the views `guarantee_by_node` and `summary` have the largest bound of all.
 * The setting `observedBy` says how that one was found. A trace of the schema version before is
 * brought to the present one.
 *
 * @param path the trace
 * @param entry what is appended
 * @throws UsageError as TraceReader does, and if the trace is incomplete, has no guarantee of that
 *         node, or cannot be written, or the bound is negative or NaN
 */
void AppendAudit(const std::string& path, const AuditEntry& entry);

} // namespace dpdl

#endif // DPDL_TRACE_AUDIT_ENTRY_H
