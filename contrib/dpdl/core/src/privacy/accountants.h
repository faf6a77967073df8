// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANTS_H
#define DPDL_PRIVACY_ACCOUNTANTS_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/// @throws UsageError naming option 'delta' if it is not in (0, 1)
void CheckDelta(double delta);

/// Privacy-loss distributions; uses the Renyi bound if no grid is fine enough and it is smaller.
AccountantRow PldAccountant();

/// Renyi differential privacy over all real orders, for all kinds of noise and sampling.
AccountantRow RdpAccountant();

/// Closed-form accountants, in the order of the list of accountants.
std::vector<AccountantRow> ClosedFormAccountants();

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANTS_H
