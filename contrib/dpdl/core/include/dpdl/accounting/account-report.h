// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_REPORT_H
#define DPDL_ACCOUNTING_ACCOUNT_REPORT_H

#include "dpdl/accounting/account-answer.h"

#include <string>

namespace dpdl
{

/// The answer for people: one line for each number, with what it means.
std::string AccountAsTable(const AccountAnswer& answer);

/**
 * @brief The answer for programs: one JSON object.
 *
 * Numbers have 17 significant digits and read back as the same double. Infinity is the string
 * "inf"; what does not exist is null.
 */
std::string AccountAsJson(const AccountAnswer& answer);

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_REPORT_H
