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

/// Accountant `pld`: privacy-loss distributions. If its bounds stay too far apart, it also
/// evaluates Renyi DP and returns the smaller epsilon.
AccountantRow PldAccountant();

/// Accountant `rdp`: Renyi differential privacy at the best real order, for all kinds of noise and
/// sampling.
AccountantRow RdpAccountant();

/// Accountants with closed formulas, in the order in which `list accountants` shows them.
std::vector<AccountantRow> ClosedFormAccountants();

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANTS_H
