// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H
#define DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H

#include "dpdl/audit/audit-request.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// One option of `audit`.
struct AuditOption
{
    std::string name;          ///< without the dashes
    std::string accepted;      ///< what it takes; "" for a flag
    std::string meaning;       ///< one line
    std::string defaultValue;  ///< as text; "" for none
    std::set<AuditForm> uses;  ///< the forms that know it
    std::set<AuditForm> needs; ///< the forms that cannot do without it
    /// reads the value
    std::function<void(AuditRequest&, const std::string&)> set;
};

/// All of them, in the order of the help.
const std::vector<AuditOption>& AuditOptions();

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_AUDIT_OPTION_TABLE_H
