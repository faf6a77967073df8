// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_PATH_H
#define DPDL_PATH_H

#include "ns3/address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Route of datagrams from one node to another through the installed stacks.
 */
struct DpdlPath
{
    Address remote;               //!< socket address of the target
    Address broadcast;            //!< socket address of all on the source's subnet
    Ptr<NetDevice> device;        //!< of the source, through which they leave
    Ptr<NetDevice> remoteDevice;  //!< of the target, through which they arrive
    bool sameSubnet{false};       //!< their addresses are of one, and no core network is between
    bool hasGateway{false};       //!< the source's route names another node to pass packets on
    uint32_t headerBytes{0};      //!< of UDP and IP in front of each datagram
    std::optional<double> drop{}; //!< probability of a packet's loss; empty: the transport's

    /// Whether both devices are on one channel.
    bool IsOneLink() const;

    /// Bytes of the largest packet of IP: the smaller MTU of both ends, at most 1500 between links.
    uint32_t Mtu() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Looks for the path between two nodes.
 *
 * Takes the target's first address, apart from loopback, whose subnet the source shares, else its
 * first address; IPv4 if both nodes have it, else IPv6. The device is the one that the source's
 * routing protocol names now; without a route, the one of that subnet or the first.
 * @param source sending node
 * @param target receiving node
 * @param port of the target's socket
 * @return the path
 * @throws dpdl::UsageError if there is none
 */
DpdlPath FindDpdlPath(Ptr<Node> source, Ptr<Node> target, uint16_t port);

/**
 * @ingroup dpdl
 *
 * @brief Looks for the addresses of a node, those of loopback aside.
 * @param node the node
 * @return all addresses of IPv4 and IPv6
 */
std::vector<Address> FindIpAddresses(Ptr<Node> node);

/**
 * @ingroup dpdl
 *
 * @brief Checks that a node has a stack with IPv4.
 * @param node the node
 * @return true if it has
 */
bool HasIpv4(Ptr<Node> node);

/**
 * @ingroup dpdl
 *
 * @brief Checks that a node has a stack with IPv6.
 * @param node the node
 * @return true if it has
 */
bool HasIpv6(Ptr<Node> node);

} // namespace ns3

#endif // DPDL_PATH_H
