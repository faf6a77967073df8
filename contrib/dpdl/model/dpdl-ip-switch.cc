// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-ip-switch.h"

#include "ns3/ipv4.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-list-routing.h"
#include "ns3/ipv6-static-routing.h"
#include "ns3/ndisc-cache.h"
#include "ns3/node-list.h"

namespace ns3
{

namespace
{

/// A permanent entry of an interface's neighbour cache.
struct Neighbour
{
    Ipv6Address address; ///< address of the neighbour
    Address mac;         ///< MAC address of the neighbour
};

/// Permanent entries of an interface's neighbour cache. ns-3 cannot list a cache, so this searches
/// it for the MAC addresses of all devices of the simulation.
std::vector<Neighbour>
NeighboursOf(Ptr<NdiscCache> cache)
{
    std::vector<Neighbour> neighbours;
    for (auto node = NodeList::Begin(); cache && node != NodeList::End(); ++node)
    {
        for (uint32_t d = 0; d < (*node)->GetNDevices(); ++d)
        {
            const Address mac = (*node)->GetDevice(d)->GetAddress();
            for (const NdiscCache::Entry* entry : cache->LookupInverse(mac))
            {
                if (entry->IsPermanent())
                {
                    neighbours.push_back({entry->GetIpv6Address(), mac});
                }
            }
        }
    }
    return neighbours;
}

/// Takes an interface down, but keeps its addresses and the permanent entries of its neighbour
/// cache.
void
TakeDown(Ptr<Ipv6L3Protocol> ipv6, uint32_t interface)
{
    std::vector<Ipv6InterfaceAddress> addresses;
    for (uint32_t k = 0; k < ipv6->GetNAddresses(interface); ++k)
    {
        addresses.push_back(ipv6->GetAddress(interface, k));
    }
    const Ptr<NdiscCache> cache = ipv6->GetInterface(interface)->GetNdiscCache();
    const std::vector<Neighbour> neighbours = NeighboursOf(cache);
    ipv6->SetDown(interface);
    // Restore the addresses at once, since pending ICMPv6 messages need their source address.
    for (const Ipv6InterfaceAddress& address : addresses)
    {
        if (ipv6->GetInterfaceForAddress(address.GetAddress()) < 0)
        {
            ipv6->AddAddress(interface, address);
        }
    }
    for (const Neighbour& neighbour : neighbours)
    {
        NdiscCache::Entry* entry = cache->Lookup(neighbour.address);
        entry = entry != nullptr ? entry : cache->Add(neighbour.address);
        entry->SetMacAddress(neighbour.mac);
        entry->MarkPermanent();
    }
}

/// Static routing protocol of a node; empty if the node has none, or uses a subclass that sets its
/// routes itself.
Ptr<Ipv6StaticRouting>
RoutingOf(Ptr<Ipv6> ipv6)
{
    const Ptr<Ipv6RoutingProtocol> protocol = ipv6->GetRoutingProtocol();
    const auto list = DynamicCast<Ipv6ListRouting>(protocol);
    auto routing = DynamicCast<Ipv6StaticRouting>(protocol);
    for (uint32_t i = 0; list && !routing && i < list->GetNRoutingProtocols(); ++i)
    {
        int16_t priority = 0;
        routing = DynamicCast<Ipv6StaticRouting>(list->GetRoutingProtocol(i, priority));
    }
    const bool isPlain = routing && routing->GetInstanceTypeId() == Ipv6StaticRouting::GetTypeId();
    return isPlain ? routing : nullptr;
}

} // namespace

void
DpdlIpSwitch::Switch(Ptr<Node> node, bool isUp)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    for (uint32_t i = 1; ipv4 && i < ipv4->GetNInterfaces(); ++i)
    {
        isUp ? ipv4->SetUp(i) : ipv4->SetDown(i);
    }
    const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
    const Ptr<Ipv6StaticRouting> routing = ipv6 ? RoutingOf(ipv6) : nullptr;
    Routes& routes = m_routes[node];
    for (uint32_t i = 0; !isUp && routing && i < routing->GetNRoutes(); ++i)
    {
        const Ipv6RoutingTableEntry route = routing->GetRoute(i);
        if (route.IsGateway() && route.GetInterface() > 0)
        {
            routes.emplace_back(route, routing->GetMetric(i));
        }
    }
    for (uint32_t i = 1; ipv6 && i < ipv6->GetNInterfaces(); ++i)
    {
        isUp ? ipv6->SetUp(i) : TakeDown(ipv6, i);
    }
    for (uint32_t i = 0; isUp && i < routes.size(); ++i)
    {
        const auto& [route, metric] = routes[i];
        routing->AddNetworkRouteTo(route.GetDestNetwork(),
                                   route.GetDestNetworkPrefix(),
                                   route.GetGateway(),
                                   route.GetInterface(),
                                   route.GetPrefixToUse(),
                                   metric);
    }
    if (isUp)
    {
        m_routes.erase(node);
    }
}

} // namespace ns3
