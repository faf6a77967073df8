// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACKET_SETUP_H
#define DPDL_PACKET_SETUP_H

#include "dpdl-packet-network.h"
#include "dpdl/experiment/resolve.h"

#include "ns3/dpdl-packet-transport.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The transport of a run in packet mode, and the network below it.
 */
struct DpdlPacketSetup
{
    Ptr<DpdlPacketTransport> transport;         //!< carries the shares
    std::shared_ptr<DpdlPacketNetwork> network; //!< empty: the nodes have their own stacks
};

/**
 * @ingroup dpdl
 *
 * @brief Makes the transport that the options ask for, and a network if the nodes have none.
 * @param settings the options
 * @param nodes of the run
 * @param[out] facts receives the links, and the time of a transfer
 * @return transport and network
 * @throws dpdl::UsageError if the options do not fit the nodes
 */
DpdlPacketSetup MakeDpdlPacketSetup(const ::dpdl::RunOptions& settings,
                                    const NodeContainer& nodes,
                                    ::dpdl::NetworkFacts& facts);

} // namespace ns3

#endif // DPDL_PACKET_SETUP_H
