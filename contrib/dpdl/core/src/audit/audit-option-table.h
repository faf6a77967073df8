// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H
#define DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H

#include "dpdl/audit/audit-request.h"
#include "dpdl/base/command-options.h"

namespace dpdl
{

/// What `audit` can be told.
using AuditOptionTable = CommandOptions<AuditRequest, AuditForm>;

/// All options, in the order in which help shows them.
const AuditOptionTable& AuditOptions();

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H
