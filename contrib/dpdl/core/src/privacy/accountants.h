// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANTS_H
#define DPDL_PRIVACY_ACCOUNTANTS_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/// Checks a delta. @throws UsageError naming option 'delta' if it is not in (0, 1)
void CheckDelta(double delta);

/// Accountant `pld`: privacy-loss distributions. It uses the Renyi bound if no grid is fine enough
/// and that bound is smaller.
AccountantRow PldAccountant();

/// Accountant `rdp`: Renyi differential privacy over all real orders, for all kinds of noise and
/// sampling.
AccountantRow RdpAccountant();

/// Closed-form accountants, in the order of the list of accountants.
std::vector<AccountantRow> ClosedFormAccountants();

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANTS_H
