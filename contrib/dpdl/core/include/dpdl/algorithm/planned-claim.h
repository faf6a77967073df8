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
 * Returns its published claim if it has one for the mode. Otherwise the claim is computed from the
 * plan of a run: its steps are the releases of a node in that plan, which the run certifies.
 * Running such a claim throws UsageError if the noise depends on more than the settings, such as a
 * topology.
 *
 * @param algorithm a name of Algorithms()
 * @param mode reading of its paper
 * @throws UsageError if the name is unknown
 */
std::shared_ptr<const PublishedClaim> ClaimOf(const std::string& algorithm, Mode mode);

} // namespace dpdl

#endif // DPDL_ALGORITHM_PLANNED_CLAIM_H
