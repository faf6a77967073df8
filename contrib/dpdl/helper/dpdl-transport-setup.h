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
    Ptr<DpdlPacketTransport> transport; //!< carries the shares of the run
    /// Network that was built for the run; empty: the program installed the nodes' IP stacks.
    std::shared_ptr<DpdlPacketNetwork> network;
};

/// Name that error messages use for attributes of DpdlRunAttributes::ofTransport.
inline constexpr const char* ASKED_TRANSPORT = "DpdlHelper::SetTransportAttribute";

/**
 * @ingroup dpdl
 *
 * @brief Attributes that a program sets for one run. Options that the user gives override them.
 */
struct DpdlRunAttributes
{
    /// Attributes of the transport, from SetTransportAttribute().
    DpdlPacketNetwork::Attributes ofTransport;
    /// Attributes of point-to-point devices, from SetDeviceAttribute().
    DpdlPacketNetwork::Attributes ofDevices;
};

/**
 * @ingroup dpdl
 *
 * @brief Creates the packet transport that the options select, and a network if the nodes have no
 *        IP stacks.
 * @param settings options of the run
 * @param nodes nodes of the run
 * @param[out] facts receives the parameters of links and, if this call builds the network, a
 *        function for the transfer time
 * @param attributes attributes that the program has set
 * @return transport and network
 * @throws dpdl::UsageError naming the option or attribute that is not accepted, or does not fit the
 *        nodes
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
 * @param settings options of the run
 * @param[out] facts receives the parameters of links, and a function for the transfer time
 * @param attributes attributes that the program has set
 * @return the transport, without streams and connected nodes
 * @throws dpdl::UsageError if an attribute or a link file is not accepted
 */
Ptr<DpdlMessageTransport> MakeDpdlMessageTransport(const ::dpdl::RunOptions& settings,
                                                   ::dpdl::NetworkFacts& facts,
                                                   const DpdlRunAttributes& attributes = {});

/**
 * @ingroup dpdl
 *
 * @brief Describes the fidelity of message mode, for the trace.
 * @param facts parameters of the links, from MakeDpdlMessageTransport()
 * @return value of setting `networkFidelity`: "message: calibrated, " and the statements of the
 *        link files about the relative errors of message durations, separated by "; ". "message:
 *        not calibrated" if there are no such statements
 */
std::string DpdlMessageFidelity(const ::dpdl::NetworkFacts& facts);

} // namespace ns3

#endif // DPDL_TRANSPORT_SETUP_H
