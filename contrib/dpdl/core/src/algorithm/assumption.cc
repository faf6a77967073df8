// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/assumption.h"

namespace dpdl
{

const Registry<Assumption>&
Assumptions()
{
    static const auto registry =
        Registry<Assumption>("assumption")
            .Add({"b-strong-connectivity",
                  "the links that deliver in any B rounds in a row connect all nodes",
                  "Nedic and Olshevsky, 2016",
                  {}},
                 Assumption::B_STRONG_CONNECTIVITY)
            .Add({"shares-in-time",
                  "a share is mixed in the round that it was sent in",
                  "Assran et al., ICML 2019, Algorithm 1",
                  {}},
                 Assumption::SHARES_IN_TIME)
            .Add({"shares-once", "a share is delivered at most once", "Kempe et al., 2003", {}},
                 Assumption::SHARES_ONCE)
            .Add({"maximum-heard",
                  "every node heard the largest sensitivity of the round",
                  "DPPS: its noise scale is a maximum over all nodes",
                  {}},
                 Assumption::MAXIMUM_HEARD)
            .Add({"nodes-present",
                  "no node crashes",
                  "Assran et al., ICML 2019: all nodes take part in every round",
                  {}},
                 Assumption::NODES_PRESENT)
            .Add({"privacy-budget",
                  "no node has stopped learning at the end of its privacy budget",
                  "option stopAt",
                  {}},
                 Assumption::PRIVACY_BUDGET)
            .Add({"nodes-honest",
                  "every node sends what it has learnt of its own examples",
                  "Kempe et al., 2003: push-sum ends at the mean of what all nodes hold",
                  {}},
                 Assumption::NODES_HONEST)
            .Add({"secrets-kept",
                  "no node lets others know the secrets that it shares with its peers",
                  "Allouah et al., ICML 2024: SecLDP",
                  {}},
                 Assumption::SECRETS_KEPT);
    return registry;
}

} // namespace dpdl
