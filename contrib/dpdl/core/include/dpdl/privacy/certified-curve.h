// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PRIVACY_CERTIFIED_CURVE_H
#define DPDL_PRIVACY_CERTIFIED_CURVE_H

#include "dpdl/base/types.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/ledger.h"

#include <vector>

namespace dpdl
{

/// Relative tolerance by which CertifiedCurve() may exceed the accountant's value in tests; not
/// proven.
constexpr double CURVE_TOLERANCE = 1e-2;

/// Rows of CertifiedCurve() share a bound if epsilon changes by less than this fraction.
constexpr double SHARED_ROWS = 2e-3;

/**
 * @brief Bounds the largest epsilon of any node after each round, in one pass over a ledger.
 *
 * Nodes with equal lists of releases are evaluated once. The accountant `pld` keeps the spectrum of
 * the privacy loss on one grid for the whole list: a release costs a product, and a row costs an
 * inverse transform. The accountant evaluates the first rows whose bounds are too far apart on the
 * grid, and all rows of other accountants.
 *
 * @param ledger releases of all nodes
 * @param guarantees accountant and its query
 * @param rounds number of rows; releases of later rounds are ignored
 * @param shared rows that differ by less than this fraction share the bound of the last one
 * @return [rounds] non-decreasing upper bounds; infinite from the first round in which the
 *         accountant rejects the releases of some node
 */
std::vector<double> CertifiedCurve(const PrivacyLedger& ledger,
                                   const AccountantCache& guarantees,
                                   Round rounds,
                                   double shared = SHARED_ROWS);

} // namespace dpdl

#endif // DPDL_PRIVACY_CERTIFIED_CURVE_H
