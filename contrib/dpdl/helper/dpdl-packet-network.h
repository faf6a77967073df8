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
 * @brief Builds one point-to-point link for each directed edge, for nodes without stacks.
 *
 * Every node gets UDP and TCP over IPv4, with routes to its neighbours only. A link has two
 * devices, a channel, an unlimited queue, and no traffic control.
 */
class DpdlPacketNetwork
{
  public:
    /// Returns data rate, latency and loss probability of the link from node number @p source to
    /// node number @p target.
    using Links = std::function<::dpdl::LinkParameters(uint32_t source, uint32_t target)>;
    /// Names and values of ns-3 attributes, in the order in which they are set.
    using Attributes = std::vector<std::pair<std::string, Ptr<const AttributeValue>>>;

    /**
     * @brief Tests if the nodes have IP stacks.
     * @param nodes nodes of a run
     * @return true if all nodes have an IP stack; false if no node has an IP stack
     * @throws dpdl::UsageError if some nodes have an IP stack and some have none
     */
    static bool HaveStacks(const NodeContainer& nodes);

    /**
     * @brief Installs the stacks.
     * @param nodes nodes without IP stacks
     * @param links returns the parameters of a link; called when the link is built or its path is
     *        requested
     * @param ofDevices attributes of every ns3::PointToPointNetDevice, except DataRate, which @p
     *        links sets
     */
    DpdlPacketNetwork(const NodeContainer& nodes, Links links, Attributes ofDevices = {});

    /**
     * @brief Builds the links of all edges of a run in advance. For an aperiodic graph this does
     *        nothing: Connect() builds each link when the link is first used.
     * @param graph topology of the run
     * @param rounds number of rounds of the run
     */
    void ConnectAll(const ::dpdl::GraphSequence& graph, ::dpdl::Round rounds);

    /**
     * @brief Path over the link from one node to another. The first call for these nodes builds the
     *        link.
     * @param source number of the sending node
     * @param target number of the receiving node
     * @param port UDP or TCP port of the target's socket
     * @return the path
     */
    DpdlPath Connect(uint32_t source, uint32_t target, uint16_t port);

  private:
    /// The ends of a built link.
    struct Ends
    {
        Ptr<NetDevice> sender;   //!< device of the link at the sending node
        Ptr<NetDevice> receiver; //!< device of the link at the receiving node
        Ipv4Address address;     //!< IPv4 address of the receiving device
    };

    const Ends& Build(uint32_t source, uint32_t target);
    Ptr<NetDevice> AddDevice(uint32_t node, Ptr<PointToPointChannel> channel, DataRate rate) const;

    NodeContainer m_nodes;  //!< nodes, by number in the run
    Links m_links;          //!< returns the parameters of a link
    Attributes m_ofDevices; //!< attributes of all point-to-point devices
    /// Links built so far, by source and target.
    std::map<std::pair<uint32_t, uint32_t>, Ends> m_built;
};

/**
 * @ingroup dpdl
 *
 * @brief Sets attributes of an object.
 * @param object object whose attributes are set
 * @param attributes names and values
 * @param asked method or option that set the attributes, for error messages
 * @throws dpdl::UsageError naming the attribute, if the object has no such attribute or the
 *        attribute does not accept the value
 */
void SetDpdlAttributes(Object& object,
                       const DpdlPacketNetwork::Attributes& attributes,
                       const std::string& asked);

} // namespace ns3

#endif // DPDL_PACKET_NETWORK_H
