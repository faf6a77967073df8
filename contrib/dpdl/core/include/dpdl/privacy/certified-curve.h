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

/// Relative amount by which tests allow CertifiedCurve() to exceed the accountant's value; not
/// proven.
constexpr double CURVE_TOLERANCE = 1e-2;

/// Consecutive rounds share a bound in CertifiedCurve() if epsilon grows by at most this fraction
/// over them.
constexpr double SHARED_ROWS = 2e-3;

/**
 * @brief Bounds the largest epsilon of any node after each round, in one pass over a ledger.
 *
 * Nodes with equal lists of releases are evaluated once. For the accountant `pld`, the spectrum of
 * the privacy loss is kept on one grid for the whole list: a release costs a product of spectra,
 * and an evaluated round costs an inverse transform. If the upper and the estimated lower bound
 * from the grid are too far apart, the accountant itself evaluates the round, up to 40 times per
 * list. Other accountants evaluate every round themselves.
 *
 * @param ledger releases of all nodes
 * @param guarantees accountant and its query
 * @param rounds number of rounds of the result; releases of later rounds are ignored
 * @param shared consecutive rounds over which epsilon grows by at most this fraction share the
 *        bound of the last one
 * @return [rounds] non-decreasing upper bounds on epsilon; infinite from the first round with an
 *         unsupported release of any node
 */
std::vector<double> CertifiedCurve(const PrivacyLedger& ledger,
                                   const AccountantCache& guarantees,
                                   Round rounds,
                                   double shared = SHARED_ROWS);

} // namespace dpdl

#endif // DPDL_PRIVACY_CERTIFIED_CURVE_H
