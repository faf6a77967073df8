// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANTS_H
#define DPDL_PRIVACY_ACCOUNTANTS_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/// Checks the delta of a guarantee.
/// @throws UsageError naming option 'delta' if @p delta is not in (0, 1)
void CheckDelta(double delta);

/// Accountant `pld`: composes privacy-loss distributions. If its upper and lower bounds of epsilon
/// stay too far apart, it also evaluates Renyi DP and returns the smaller epsilon.
AccountantRow PldAccountant();

/// Accountant `rdp`: Renyi differential privacy at the best real order, for all kinds of noise and
/// sampling.
AccountantRow RdpAccountant();

/// Accountants with closed formulas, such as `clt`, in the order of `./dpdl list accountants`.
std::vector<AccountantRow> ClosedFormAccountants();

} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANTS_H
