// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_ACCOUNTANTS_H
#define DPDL_PRIVACY_ACCOUNTANTS_H

#include "dpdl/privacy/accountant.h"

#include <vector>

namespace dpdl
{

/// Privacy-loss distributions; the Renyi bound where no grid is fine enough and it is smaller.
AccountantRow PldAccountant();

/// Renyi differential privacy over all real orders, for every kind of noise and sampling.
AccountantRow RdpAccountant();

/// The accountants that are formulas, in the order in which they are listed.
std::vector<AccountantRow> ClosedFormAccountants();


} // namespace dpdl

#endif // DPDL_PRIVACY_ACCOUNTANTS_H
