// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/transport-kind.h"

namespace dpdl
{

namespace
{

Registry<TransportKind>
MakeTransports()
{
    Registry<TransportKind> registry("option 'transport'");
    registry.Add({"udp",
                  "datagrams below the MTU; one lost packet loses its message",
                  "",
                  {{"assumes", "", "nothing; what is lost stays lost unless a loss policy repairs"},
                   {"ns3::DpdlUdpTransport::SilenceTimeout",
                    "10s",
                    "silence after which an incomplete message is lost"}}},
                 TransportKind::UDP);
    registry.Add({"tcp",
                  "one connection for each directed link; every message arrives in the end",
                  "",
                  {{"assumes", "", "a way back for acknowledgements, and outages that end"},
                   {"ns3::DpdlTcpTransport::BufferSize",
                    "0",
                    "bytes of a socket's buffers; 0: of the link's bandwidth-delay product"}}},
                 TransportKind::TCP);
    registry.Add({"broadcast",
                  "one UDP broadcast for all out-neighbours of a node; losses differ by receiver",
                  "",
                  {{"assumes", "", "that one device reaches them all: CSMA, WiFi, LR-WPAN"}}},
                 TransportKind::BROADCAST);
    return registry;
}

} // namespace

const Registry<TransportKind>&
Transports()
{
    static const Registry<TransportKind> registry = MakeTransports();
    return registry;
}

} // namespace dpdl
