// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_AUDIT_REPORT_H
#define DPDL_AUDIT_AUDIT_REPORT_H

#include "dpdl/audit/audit-answer.h"

#include <string>

namespace dpdl
{

/// The answer for people: one line for each figure, and the verdict.
std::string AuditAsTable(const AuditAnswer& answer);

/**
 * @brief The answer for programs: one JSON object.
 *
 * Numbers read back as the same double. Infinity is the string "inf"; what does not exist is null.
 */
std::string AuditAsJson(const AuditAnswer& answer);

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_REPORT_H
