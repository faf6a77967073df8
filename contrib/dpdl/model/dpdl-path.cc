// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-path.h"

#include "dpdl-linux-reno.h"
#include "dpdl/base/errors.h"

#include "ns3/arp-cache.h"
#include "ns3/channel.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6-routing-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/loopback-net-device.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

// The search is a template over the version of IP. It chooses the target's address, then the
// source's device; the source's route may replace the device.

namespace ns3
{

namespace
{

constexpr uint32_t UDP_HEADER = 8;
constexpr uint32_t IPV4_HEADER = 20;
constexpr uint32_t IPV6_HEADER = 40;
/// MTU of Ethernet in bytes, the limit of packets that cross several links.
constexpr uint32_t ROUTED_MTU = 1500;
constexpr uint64_t UNRESOLVED_PACKETS = 101; //!< packets kept while ARP resolves their address

/// Types and functions of IPv4 for the search, a template over the version of IP.
struct Version4
{
    using Stack = Ipv4;
    using Header = Ipv4Header;
    using AddressType = Ipv4Address;

    static Address Socket(AddressType address, uint16_t port)
    {
        return InetSocketAddress(address, port);
    }

    static AddressType Broadcast(Ptr<Stack> stack, uint32_t i, uint32_t k)
    {
        const Ipv4InterfaceAddress own = stack->GetAddress(i, k);
        return own.GetLocal().GetSubnetDirectedBroadcast(own.GetMask());
    }

    static bool IsLinkLocal(AddressType)
    {
        return false;
    }

    static constexpr uint32_t HEADERS = UDP_HEADER + IPV4_HEADER;
};

/// Types and functions of IPv6 for the search.
struct Version6
{
    using Stack = Ipv6;
    using Header = Ipv6Header;
    using AddressType = Ipv6Address;

    static Address Socket(AddressType address, uint16_t port)
    {
        return Inet6SocketAddress(address, port);
    }

    static AddressType Broadcast(Ptr<Stack>, uint32_t, uint32_t)
    {
        return Ipv6Address::GetAllNodesMulticast();
    }

    static bool IsLinkLocal(AddressType address)
    {
        return address.IsLinkLocal();
    }

    static constexpr uint32_t HEADERS = UDP_HEADER + IPV6_HEADER;
};

bool
IsLoopback(Ptr<NetDevice> device)
{
    return DynamicCast<LoopbackNetDevice>(device) != nullptr;
}

/// Path to one address of the target, through the source's interface in the same subnet or, if
/// there is none, its first interface.
template <typename Version>
std::optional<DpdlPath>
PathTo(Ptr<typename Version::Stack> from, typename Version::AddressType address, uint16_t port)
{
    std::optional<DpdlPath> first;
    for (uint32_t i = 0; i < from->GetNInterfaces(); ++i)
    {
        const Ptr<NetDevice> device = from->GetNetDevice(i);
        for (uint32_t k = 0; !IsLoopback(device) && k < from->GetNAddresses(i); ++k)
        {
            const bool share = from->GetAddress(i, k).IsInSameSubnet(address);
            if (share || !first)
            {
                first = DpdlPath{Version::Socket(address, port),
                                 Version::Socket(Version::Broadcast(from, i, k), port),
                                 device,
                                 nullptr,
                                 share,
                                 false,
                                 Version::HEADERS,
                                 std::nullopt};
            }
            if (share)
            {
                return first;
            }
        }
    }
    return first;
}

/// Replaces the device of a path by the device of the source's route. Without a route, for example
/// before a reactive routing protocol has found one, the device stays.
template <typename Version>
DpdlPath
FollowRoute(Ptr<typename Version::Stack> from, typename Version::AddressType address, DpdlPath path)
{
    const auto protocol = from->GetRoutingProtocol();
    typename Version::Header header;
    header.SetDestination(address);
    Socket::SocketErrno error;
    const auto route =
        protocol ? protocol->RouteOutput(Create<Packet>(), header, nullptr, error) : nullptr;
    if (route && !IsLoopback(route->GetOutputDevice()))
    {
        const auto next = route->GetGateway();
        path.hasGateway = next != Version::AddressType::GetAny() && next != address;
        path.sameSubnet = path.sameSubnet && path.device == route->GetOutputDevice();
        path.device = route->GetOutputDevice();
    }
    // Devices without a channel, such as those of LTE, are joined by a core network, so equal
    // prefixes do not make them one subnet.
    path.sameSubnet = path.sameSubnet && path.device->GetChannel();
    return path;
}

template <typename Version>
std::optional<DpdlPath>
Find(Ptr<Node> source, Ptr<Node> target, uint16_t port)
{
    const auto from = source->GetObject<typename Version::Stack>();
    const auto to = target->GetObject<typename Version::Stack>();
    std::optional<DpdlPath> local;
    std::optional<DpdlPath> distant;
    for (uint32_t i = 0; from && to && i < to->GetNInterfaces(); ++i)
    {
        const Ptr<NetDevice> device = to->GetNetDevice(i);
        for (uint32_t k = 0; !IsLoopback(device) && k < to->GetNAddresses(i); ++k)
        {
            const auto address = to->GetAddress(i, k).GetAddress();
            std::optional<DpdlPath> path = PathTo<Version>(from, address, port);
            if (!path)
            {
                continue;
            }
            path->remoteDevice = device;
            // Link-local addresses of all links are in the same subnet, so compare the channels.
            const bool isLocal = Version::IsLinkLocal(address);
            if (path->sameSubnet && !isLocal)
            {
                return FollowRoute<Version>(from, address, *path);
            }
            const bool isOneLink = path->device->GetChannel() == device->GetChannel();
            if (isLocal && isOneLink && !local)
            {
                local = path;
            }
            if (!isLocal && !distant)
            {
                distant = FollowRoute<Version>(from, address, *path);
            }
        }
    }
    return local ? local : distant;
}

template <typename Version>
void
AddAddresses(Ptr<Node> node, std::vector<Address>& found)
{
    const auto stack = node->GetObject<typename Version::Stack>();
    for (uint32_t i = 0; stack && i < stack->GetNInterfaces(); ++i)
    {
        const bool counts = !IsLoopback(stack->GetNetDevice(i));
        for (uint32_t k = 0; counts && k < stack->GetNAddresses(i); ++k)
        {
            found.push_back(stack->GetAddress(i, k).GetAddress());
        }
    }
}

} // namespace

bool
DpdlPath::IsOneLink() const
{
    return sameSubnet && !hasGateway && device->GetChannel() == remoteDevice->GetChannel();
}

uint32_t
DpdlPath::Mtu() const
{
    const uint32_t mtu = std::min(device->GetMtu(), remoteDevice->GetMtu());
    return IsOneLink() ? mtu : std::min(mtu, ROUTED_MTU);
}

std::vector<Address>
FindIpAddresses(Ptr<Node> node)
{
    std::vector<Address> found;
    AddAddresses<Version4>(node, found);
    AddAddresses<Version6>(node, found);
    return found;
}

void
KeepUnresolved(Ptr<Node> node)
{
    const auto stack = node->GetObject<Ipv4L3Protocol>();
    const std::string name = "PendingQueueSize";
    const bool isGiven = HasUserDefault(ArpCache::GetTypeId(), name);
    for (uint32_t i = 0; stack && !isGiven && i < stack->GetNInterfaces(); ++i)
    {
        if (const Ptr<ArpCache> cache = stack->GetInterface(i)->GetArpCache())
        {
            UintegerValue kept;
            cache->GetAttribute(name, kept);
            cache->SetAttribute(name, UintegerValue(std::max(kept.Get(), UNRESOLVED_PACKETS)));
        }
    }
}

DpdlPath
FindDpdlPath(Ptr<Node> source, Ptr<Node> target, uint16_t port)
{
    std::optional<DpdlPath> path = Find<Version4>(source, target, port);
    if (!path)
    {
        path = Find<Version6>(source, target, port);
    }
    DPDL_REFUSE_IF(!path,
                   "network 'packet': no address leads from ns-3's node " +
                       std::to_string(source->GetId()) + " to node " +
                       std::to_string(target->GetId()) +
                       "; expected IPv4 or IPv6 addresses on both");
    return *path;
}

} // namespace ns3
