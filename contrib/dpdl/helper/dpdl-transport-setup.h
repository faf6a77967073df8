// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRANSPORT_SETUP_H
#define DPDL_TRANSPORT_SETUP_H

#include "dpdl-packet-network.h"
#include "dpdl/experiment/resolve.h"

#include "ns3/dpdl-message-transport.h"
#include "ns3/dpdl-packet-transport.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief The transport of a run in packet mode, and the network below it.
 */
struct DpdlPacketSetup
{
    Ptr<DpdlPacketTransport> transport;         //!< carries the shares of the run
    std::shared_ptr<DpdlPacketNetwork> network; //!< empty: the program installed the nodes' stacks
};

/// Name in errors of the method that sets DpdlRunAttributes::ofTransport.
inline constexpr const char* ASKED_TRANSPORT = "DpdlHelper::SetTransportAttribute";

/**
 * @ingroup dpdl
 *
 * @brief Attributes that a program sets for one run. Options that the user gives override them.
 */
struct DpdlRunAttributes
{
    DpdlPacketNetwork::Attributes ofTransport; //!< set by DpdlHelper::SetTransportAttribute()
    DpdlPacketNetwork::Attributes ofDevices;   //!< set by DpdlHelper::SetDeviceAttribute()
};

/**
 * @ingroup dpdl
 *
 * @brief Creates the packet transport of the options, and a network if the nodes have none.
 * @param settings the options
 * @param nodes of the run
 * @param[out] facts receives the links and the transfer time
 * @param attributes set by the program
 * @return transport and network
 * @throws dpdl::UsageError if the options or attributes do not fit the nodes
 */
DpdlPacketSetup MakeDpdlPacketSetup(const ::dpdl::RunOptions& settings,
                                    const NodeContainer& nodes,
                                    ::dpdl::NetworkFacts& facts,
                                    const DpdlRunAttributes& attributes = {});

/**
 * @ingroup dpdl
 *
 * @brief Creates the transport of a run in message mode.
 *
 * An option that the user gives overrides the default of the corresponding attribute, even if the
 * user has changed that default.
 * @param settings the options
 * @param[out] facts receives the links and the transfer time
 * @param attributes set by the program
 * @return the transport
 * @throws dpdl::UsageError if an attribute or a link file is not accepted
 */
Ptr<DpdlMessageTransport> MakeDpdlMessageTransport(const ::dpdl::RunOptions& settings,
                                                   ::dpdl::NetworkFacts& facts,
                                                   const DpdlRunAttributes& attributes = {});

/**
 * @ingroup dpdl
 *
 * @brief Describes the fidelity of message mode, for the trace.
 * @param facts with the links
 * @return setting `networkFidelity`: the errors stated in the link files
 */
std::string DpdlMessageFidelity(const ::dpdl::NetworkFacts& facts);

} // namespace ns3

#endif // DPDL_TRANSPORT_SETUP_H
