// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_RECORDED_AUDIT_H
#define DPDL_EXPERIMENT_RECORDED_AUDIT_H

#include "dpdl/audit/audit-answer.h"

namespace dpdl
{

/**
 * @brief Audits the releases that a run has recorded, and stores the result in its trace.
 *
 * The game is played against the ledger of one node: the requested one, or the one that spent most
 * by the central-limit formula. What is audited is the schedule that the trace records, with
 * separate independent noise; neither the model nor the run's own noise is looked at. The lower
 * bound is appended to the audits in the trace; the figures claimed and certified are those of the
 * run, and the verdict is that of the largest bound that any audit of the node has shown.
 *
 * @param request of the form TRACE
 * @return the answer
 * @throws UsageError if the trace cannot be read or written, is incomplete, has no such node, or
 *         holds no releases of it or such that cannot be played
 */
AuditAnswer AuditRecordedRun(const AuditRequest& request);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RECORDED_AUDIT_H
