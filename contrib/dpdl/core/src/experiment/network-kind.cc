// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/network-kind.h"

namespace dpdl
{

const Registry<NetworkKind>&
Networks()
{
    static const auto registry =
        Registry<NetworkKind>("option 'network'")
            .Add({"message",
                  "one event a message: serialisation, queue, latency, loss",
                  "",
                  {{"dataRate", "10Mbps", "rate of a directed link"},
                   {"delay", "5ms", "latency of a directed link"},
                   {"drop", "0", "probability of loss, [0, 1)"}}},
                 NetworkKind::MESSAGE)
            .Add({"ideal", "every message arrives at the instant it is sent", "", {}},
                 NetworkKind::IDEAL)
            .Add({"packet",
                  "datagrams or segments through the whole ns-3 stack",
                  "",
                  {{"transport", "udp", "a name of `list transports`"},
                   {"dataRate", "10Mbps", "rate of a directed link, unless the nodes have a stack"},
                   {"delay", "5ms", "its latency"},
                   {"drop", "0", "probability that it loses a packet, [0, 1)"}}},
                 NetworkKind::PACKET);
    return registry;
}

const Registry<TransportKind>&
Transports()
{
    static const auto registry =
        Registry<TransportKind>("option 'transport'")
            .Add({"udp",
                  "datagrams below the MTU; one lost packet loses its message",
                  "",
                  {{"assumes", "", "nothing; what is lost stays lost unless a loss policy repairs"},
                   {"ns3::DpdlUdpTransport::SilenceTimeout",
                    "10s",
                    "silence after which an incomplete message is lost"}}},
                 TransportKind::UDP)
            .Add({"tcp",
                  "one connection for each directed link; every message arrives in the end",
                  "",
                  {{"assumes", "", "a way back for acknowledgements, and outages that end"},
                   {"ns3::DpdlTcpTransport::BufferSize",
                    "0",
                    "bytes of a socket's buffers; 0: of the link's bandwidth-delay product"}}},
                 TransportKind::TCP)
            .Add({"broadcast",
                  "one UDP broadcast for all out-neighbours of a node; losses differ by receiver",
                  "",
                  {{"assumes", "", "that one device reaches them all: CSMA, WiFi, LR-WPAN"}}},
                 TransportKind::BROADCAST);
    return registry;
}

} // namespace dpdl
