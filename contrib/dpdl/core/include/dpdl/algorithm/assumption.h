// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ASSUMPTION_H
#define DPDL_ALGORITHM_ASSUMPTION_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// Assumptions of a claim that a network or a node may violate in a run.
enum class Assumption
{
    B_STRONG_CONNECTIVITY, ///< the links of any B consecutive rounds connect all nodes
    SHARES_IN_TIME,        ///< a share is mixed in the round in which it was sent
    SHARES_ONCE,           ///< a share is delivered at most once
    MAXIMUM_HEARD,         ///< every node heard the largest sensitivity of the round (DPPS)
    NODES_PRESENT,         ///< no node crashes
    PRIVACY_BUDGET,        ///< the budget admits every release of the schedule
    NODES_HONEST,          ///< the node sends its true state
    SECRETS_KEPT,          ///< only its peers know the node's shared secrets
};

/// All assumptions, by their name in the trace's view `violation`.
const Registry<Assumption>& Assumptions();

} // namespace dpdl

#endif // DPDL_ALGORITHM_ASSUMPTION_H
