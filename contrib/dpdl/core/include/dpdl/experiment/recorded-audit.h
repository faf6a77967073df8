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
 * by the central-limit formula. The audit simulates the recorded schedule with independent noise;
 * it uses neither the model nor the run's noise. The lower bound is appended to the audits in the
 * trace. The figures claimed and certified are those of the run, and the verdict uses the largest
 * bound of all audits of the node.
 *
 * @param request of the form TRACE
 * @return the answer
 * @throws UsageError if the trace cannot be read or written, is incomplete, has no such node, or
 *         has no releases of it that can be simulated
 */
AuditAnswer AuditRecordedRun(const AuditRequest& request);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_RECORDED_AUDIT_H
