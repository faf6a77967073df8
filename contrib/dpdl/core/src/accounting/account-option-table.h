// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H
#define DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H

#include "dpdl/accounting/account-options.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace dpdl
{

/// One option of `account`.
struct AccountOption
{
    std::string name;             ///< without dashes
    std::string accepted;         ///< what it takes; "" for one that stands alone
    std::string meaning;          ///< one line
    std::string defaultValue;     ///< as text; "" for none
    std::set<AccountForm> forms;  ///< those that it goes with
    std::set<AccountForm> needed; ///< those that cannot do without
    /// Puts a value into the request; throws UsageError.
    std::function<void(AccountRequest&, const std::string&)> set;
};

/// All options, in the order in which help shows them.
const std::vector<AccountOption>& AccountOptions();

/// The option of that name; throws UsageError with the nearest name if there is none.
const AccountOption& AccountOptionNamed(const std::string& name);

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H
