// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PACKET_NETWORK_H
#define DPDL_PACKET_NETWORK_H

#include "dpdl/network/link-table.h"
#include "dpdl/topology/graph-sequence.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/dpdl-path.h"
#include "ns3/node-container.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class PointToPointChannel;

/**
 * @ingroup dpdl
 *
 * @brief A network of point-to-point links for nodes that have none: one for each directed edge.
 *
 * Every node gets UDP and TCP over IPv4, with the routes to its neighbours and no others. A link
 * has two devices and its own channel, without traffic control, and a queue that holds
 * whatever it is given.
 */
class DpdlPacketNetwork
{
  public:
    /// Says what a link is like, by the numbers of its ends.
    using Links = std::function<::dpdl::LinkParameters(uint32_t source, uint32_t target)>;
    /// Names and values of attributes.
    using Attributes = std::vector<std::pair<std::string, Ptr<const AttributeValue>>>;

    /**
     * @brief Checks that the nodes have stacks of IP.
     * @param nodes of a run
     * @return true if all have one, false if none has
     * @throws dpdl::UsageError if some have and others have not
     */
    static bool HaveStacks(const NodeContainer& nodes);

    /**
     * @brief Installs the stacks.
     * @param nodes without a stack
     * @param links is asked once for each link
     * @param ofDevices of every ns3::PointToPointNetDevice; its DataRate is that of the link
     */
    DpdlPacketNetwork(const NodeContainer& nodes, Links links, Attributes ofDevices = {});

    /**
     * @brief Builds the links of all edges that a graph has in some rounds; of a graph that never
     * repeats, none before they are used.
     * @param graph over the nodes
     * @param rounds of the run
     */
    void ConnectAll(const ::dpdl::GraphSequence& graph, ::dpdl::Round rounds);

    /**
     * @brief The path of a directed link, which is built at the first call.
     * @param source number of the sending node
     * @param target number of the receiving node
     * @param port of the target's socket
     * @return the path
     */
    DpdlPath Connect(uint32_t source, uint32_t target, uint16_t port);

  private:
    /// The ends of a built link.
    struct Ends
    {
        Ptr<NetDevice> sender;   //!< device of the source
        Ptr<NetDevice> receiver; //!< device of the target
        Ipv4Address address;     //!< of the receiver
        double drop{0.0};        //!< probability of a packet's loss
    };

    const Ends& Build(uint32_t source, uint32_t target);
    Ptr<NetDevice> AddDevice(uint32_t node, Ptr<PointToPointChannel> channel, DataRate rate) const;

    NodeContainer m_nodes;                                 //!< by number in the run
    Links m_links;                                         //!< what links are like
    Attributes m_ofDevices;                                //!< of all devices
    std::map<std::pair<uint32_t, uint32_t>, Ends> m_built; //!< by source and target
};

/**
 * @ingroup dpdl
 *
 * @brief Sets attributes of an object.
 * @param object any
 * @param attributes names and values
 * @param asked what set them, for messages
 * @throws dpdl::UsageError if the object has no such attribute, or it does not accept the value
 */
void SetDpdlAttributes(Object& object,
                       const DpdlPacketNetwork::Attributes& attributes,
                       const std::string& asked);

} // namespace ns3

#endif // DPDL_PACKET_NETWORK_H
