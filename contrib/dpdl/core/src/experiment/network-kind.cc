// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/network-kind.h"

namespace dpdl
{

namespace
{

Registry<NetworkKind>
MakeNetworks()
{
    Registry<NetworkKind> registry("option 'network'");
    registry.Add({"message",
                  "one event a message: serialisation, queue, latency, loss",
                  "",
                  {{"dataRate", "10Mbps", "rate of a directed link"},
                   {"delay", "5ms", "latency of a directed link"},
                   {"drop", "0", "probability of loss, [0, 1)"}}},
                 NetworkKind::MESSAGE);
    registry.Add({"ideal", "every message arrives at the instant it is sent", "", {}},
                 NetworkKind::IDEAL);
    registry.Add({"packet",
                  "datagrams or segments through the whole ns-3 stack",
                  "",
                  {{"transport", "udp", "a name of `list transports`"},
                   {"dataRate", "10Mbps", "rate of a directed link, unless the nodes have a stack"},
                   {"delay", "5ms", "its latency"},
                   {"drop", "0", "probability that it loses a packet, [0, 1)"}}},
                 NetworkKind::PACKET);
    return registry;
}

} // namespace

const Registry<NetworkKind>&
Networks()
{
    static const Registry<NetworkKind> registry = MakeNetworks();
    return registry;
}

} // namespace dpdl
