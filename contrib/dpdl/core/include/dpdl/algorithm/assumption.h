// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_ASSUMPTION_H
#define DPDL_ALGORITHM_ASSUMPTION_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// What a claim may rest on and a network, or a node, may void in a run.
enum class Assumption
{
    B_STRONG_CONNECTIVITY, ///< the links of any B rounds in a row connect all nodes
    SHARES_IN_TIME,        ///< a share is mixed in the round that it was sent in
    SHARES_ONCE,           ///< a share is delivered at most once
    MAXIMUM_HEARD,         ///< every node heard the largest sensitivity of the round (DPPS)
    NODES_PRESENT,         ///< no node crashes
    PRIVACY_BUDGET,        ///< the node could make every release of the schedule
    NODES_HONEST,          ///< the node sends what it has learnt of its examples
    SECRETS_KEPT,          ///< only its peers know the secrets that the node shares
};

/// All assumptions, by the name that the trace's view `violation` uses.
const Registry<Assumption>& Assumptions();

} // namespace dpdl

#endif // DPDL_ALGORITHM_ASSUMPTION_H
