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

/// Relative distance of CertifiedCurve() from the accountant's value, as far as it was measured;
/// 4e-7 is allowed in any case.
constexpr double CURVE_TOLERANCE = 1e-2;

/**
 * @brief Bounds the largest epsilon of any node after each round, in one pass over a ledger.
 *
 * Nodes with equal lists of releases are evaluated once. With the accountant `pld` the spectrum of
 * the losses is kept on one grid for the whole list: a release costs a product, and a row an
 * inverse transform. The first rows whose bounds are too far apart there are given by the
 * accountant, and so are all rows of other accountants. Rows within 2e-3 of each other share the
 * bound of the last one.
 *
 * @param ledger what the nodes have released
 * @param guarantees the accountant and its question
 * @param rounds number of rows; releases of later rounds do not count
 * @return [rounds] upper bounds that never fall; infinite from the first round on in which the
 *         accountant has no answer for some node
 */
std::vector<double> CertifiedCurve(const PrivacyLedger& ledger,
                                   const AccountantCache& guarantees,
                                   Round rounds);

} // namespace dpdl

#endif // DPDL_PRIVACY_CERTIFIED_CURVE_H
