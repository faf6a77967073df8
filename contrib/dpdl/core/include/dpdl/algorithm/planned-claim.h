// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_PLANNED_CLAIM_H
#define DPDL_ALGORITHM_PLANNED_CLAIM_H

#include "dpdl/privacy/published-claim.h"

#include <memory>
#include <string>

namespace dpdl
{

/**
 * @brief Claimed and certified privacy of an algorithm before a run.
 *
 * Its published claim, if there is one and it describes the mode. Otherwise what the plan of a run
 * says: the claim's steps are then the releases of a node in that plan, which the run certifies.
 * Running such a claim throws UsageError where the noise hangs on more than the settings say, as
 * on a topology.
 *
 * @param algorithm a name of Algorithms()
 * @param mode which reading of its paper
 * @throws UsageError if the name is unknown
 */
std::shared_ptr<const PublishedClaim> ClaimOf(const std::string& algorithm, Mode mode);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLANNED_CLAIM_H
