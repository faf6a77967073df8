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

/// Largest fraction by which CertifiedCurve() exceeded the accountant's epsilon in tests; not
/// proven in general.
constexpr double CURVE_TOLERANCE = 1e-2;

/// Default of `shared` in CertifiedCurve(), a fraction: consecutive rounds share a bound if epsilon
/// grows by at most this fraction over these rounds.
constexpr double SHARED_ROWS = 2e-3;

/**
 * @brief Computes upper bounds on the largest epsilon of any node after each round, in one pass
 *        over a ledger.
 *
 * Nodes with equal lists of releases are evaluated once. For the accountant `pld`, the Fourier
 * transform of the privacy loss is kept on one grid for the whole list. A release costs one product
 * of transforms, and an evaluated round costs one inverse transform. If the upper and the estimated
 * lower bound from the grid are too far apart, the accountant itself evaluates the round, up to 40
 * times per list. Other accountants evaluate every round directly.
 *
 * @param ledger releases of all nodes
 * @param guarantees accountant, with its query
 * @param rounds number of rounds of the result; releases of later rounds are ignored
 * @param shared fraction >= 0: consecutive rounds over which epsilon grows by at most this fraction
 *        share the bound of their last round
 * @return [rounds] non-decreasing upper bounds on epsilon; infinite from the first round with an
 *         unsupported release of any node
 */
std::vector<double> CertifiedCurve(const PrivacyLedger& ledger,
                                   const AccountantCache& guarantees,
                                   Round rounds,
                                   double shared = SHARED_ROWS);

} // namespace dpdl

#endif // DPDL_PRIVACY_CERTIFIED_CURVE_H
