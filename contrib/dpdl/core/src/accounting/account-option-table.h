// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H
#define DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H

#include "dpdl/accounting/account-options.h"
#include "dpdl/base/command-options.h"

namespace dpdl
{

/// What `account` can be told.
using AccountOptionTable = CommandOptions<AccountRequest, AccountForm>;

/// All options, in the order in which help shows them.
const AccountOptionTable& AccountOptions();

} // namespace dpdl

#endif // DPDL_ACCOUNTING_ACCOUNT_OPTION_TABLE_H
