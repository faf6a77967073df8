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
    Address remote;              //!< socket address of the target
    Address broadcast;           //!< socket address for a broadcast in the source's subnet
    Ptr<NetDevice> device;       //!< device through which the source sends
    Ptr<NetDevice> remoteDevice; //!< device of the target's address
    /// True if the addresses of source and target are in one subnet, and no core network is in
    /// between.
    bool sameSubnet{false};
    bool hasGateway{false};  //!< true: the source's route goes through a gateway
    uint32_t headerBytes{0}; //!< size of the UDP and IP headers of a datagram, in bytes
    /// Packet loss probability; empty: attribute DropProbability applies.
    std::optional<double> drop{};

    /// True if both devices are on one channel.
    bool IsOneLink() const;

    /// Size of the largest IP packet in bytes: the smaller of the two devices' MTUs; if the path
    /// has several links, at most 1500.
    uint32_t Mtu() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Finds the path between two nodes.
 *
 * The path uses IPv4 if both nodes have IPv4 addresses, else IPv6. The address is the target's
 * first non-loopback address in a subnet of the source or, if there is none, the target's first
 * address. An IPv6 link-local address counts only if the nodes have devices on one channel. The
 * device is that of the source's current route. Without a route, it is the source's device in that
 * subnet or, if there is none, the first device.
 * @param source sending node
 * @param target receiving node
 * @param port UDP or TCP port of the target's socket
 * @return the path
 * @throws dpdl::UsageError if the nodes have no common version of IP with addresses
 */
DpdlPath FindDpdlPath(Ptr<Node> source, Ptr<Node> target, uint16_t port);

/**
 * @ingroup dpdl
 *
 * @brief Finds the addresses of a node, without loopback.
 * @param node any node
 * @return all addresses of IPv4 and IPv6
 */
std::vector<Address> FindIpAddresses(Ptr<Node> node);

/**
 * @ingroup dpdl
 *
 * @brief Makes a node keep up to 101 packets for an address that ARP has not resolved yet, as Linux
 *        does by default (net.ipv4.neigh.default.unres_qlen). The call has no effect if the user
 *        set the default of ns3::ArpCache::PendingQueueSize.
 *
 * ns-3 keeps 3 packets by default, so most packets of the first message to a neighbour would be
 * lost.
 * @param node any node; without an IPv4 stack there is no effect
 */
void KeepUnresolved(Ptr<Node> node);

} // namespace ns3

#endif // DPDL_PATH_H
