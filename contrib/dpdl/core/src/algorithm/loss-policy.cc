// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/loss-policy.h"

namespace dpdl
{

namespace
{

Registry<LossPolicy>
MakeLossPolicies()
{
    Registry<LossPolicy> registry("option 'lossPolicy'");
    registry.Add({"none", "the mass of a lost share is gone", "Assran et al., ICML 2019", {}},
                 LossPolicy::NONE);
    registry.Add({"reliable",
                  "a share is sent again until it is acknowledged",
                  "retransmission as in Postel, RFC 793",
                  {}},
                 LossPolicy::RELIABLE);
    registry.Reserve({"refund", "the sender takes back what was not acknowledged", "", {}});
    registry.Add({"running-sum",
                  "the next message of a link brings what was lost on it",
                  "Spiridonoff, Olshevsky and Paschalidis, JMLR 2020",
                  {}},
                 LossPolicy::RUNNING_SUM);
    return registry;
}

} // namespace

const Registry<LossPolicy>&
LossPolicies()
{
    static const Registry<LossPolicy> registry = MakeLossPolicies();
    return registry;
}

} // namespace dpdl
