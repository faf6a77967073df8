// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-network.h"

#include "dpdl/base/errors.h"

#include "ns3/abort.h"
#include "ns3/dpdl-linux-reno.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/mac48-address.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"

#include <algorithm>
#include <cmath>

// Each link gets a /30 subnet of 10.0.0.0, two devices and a channel when it is first needed.

namespace ns3
{

namespace
{

constexpr uint32_t FIRST_SUBNET = 0x0a000000; // 10.0.0.0
constexpr uint32_t SUBNET_SIZE = 4;
constexpr uint32_t SUBNETS = 1U << 22;
constexpr uint32_t UDP_AND_IP_BYTES = 28;
const char* const ENDLESS = "1000000000p";

Ipv4Address
AddAddress(Ptr<NetDevice> device, uint32_t address)
{
    Ptr<Ipv4> ipv4 = device->GetNode()->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    const Ipv4Address local(address);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(local, Ipv4Mask("/30")));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
    return local;
}

} // namespace

void
SetDpdlAttributes(Object& object,
                  const DpdlPacketNetwork::Attributes& attributes,
                  const std::string& asked)
{
    const TypeId type = object.GetInstanceTypeId();
    for (const auto& [name, value] : attributes)
    {
        TypeId::AttributeInformation known;
        DPDL_REFUSE_IF(!type.LookupAttributeByName(name, &known),
                       asked,
                       name,
                       "an attribute of " + type.GetName());
        DPDL_REFUSE_IF(!object.SetAttributeFailSafe(name, *value),
                       asked + ", attribute " + name,
                       value->SerializeToString(known.checker),
                       "a value of " + known.checker->GetUnderlyingTypeInformation());
    }
}

DpdlPacketNetwork::DpdlPacketNetwork(const NodeContainer& nodes, Links links, Attributes ofDevices)
    : m_nodes(nodes),
      m_links(std::move(links)),
      m_ofDevices(std::move(ofDevices))
{
    InternetStackHelper stack;
    // Nodes send only to neighbours, so the routes to connected subnets suffice.
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.SetIpv6StackInstall(false);
    stack.Install(m_nodes);
    std::for_each(m_nodes.Begin(), m_nodes.End(), DpdlLinuxReno::Use);
}

bool
DpdlPacketNetwork::HaveStacks(const NodeContainer& nodes)
{
    uint32_t having = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        having += nodes.Get(i)->GetObject<Ipv4>() || nodes.Get(i)->GetObject<Ipv6>() ? 1 : 0;
    }
    DPDL_REFUSE_IF(having != 0 && having != nodes.GetN(),
                   "network 'packet': " + std::to_string(having) + " of " +
                       std::to_string(nodes.GetN()) +
                       " nodes have a stack of IP; expected all or none");
    return having != 0;
}

void
DpdlPacketNetwork::ConnectAll(const ::dpdl::GraphSequence& graph, ::dpdl::Round rounds)
{
    const ::dpdl::Round seen = std::min(graph.Period(), rounds);
    for (uint32_t source = 0; source < graph.Nodes(); ++source)
    {
        for (::dpdl::Round round = 0; round < seen; ++round)
        {
            for (const uint32_t target : graph.OutNeighbours(source, round))
            {
                Build(source, target);
            }
        }
    }
}

DpdlPath
DpdlPacketNetwork::Connect(uint32_t source, uint32_t target, uint16_t port)
{
    const Ends& ends = Build(source, target);
    DpdlPath path;
    path.remote = InetSocketAddress(ends.address, port);
    path.device = ends.sender;
    path.remoteDevice = ends.receiver;
    path.sameSubnet = true;
    path.headerBytes = UDP_AND_IP_BYTES;
    path.drop = m_links(source, target).drop;
    return path;
}

Ptr<NetDevice>
DpdlPacketNetwork::AddDevice(uint32_t node, Ptr<PointToPointChannel> channel, DataRate rate) const
{
    Ptr<PointToPointNetDevice> device = CreateObject<PointToPointNetDevice>();
    SetDpdlAttributes(*device, m_ofDevices, "DpdlHelper::SetDeviceAttribute");
    device->SetAddress(Mac48Address::Allocate());
    device->SetDataRate(rate);
    Ptr<DropTailQueue<Packet>> queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetMaxSize(QueueSize(ENDLESS));
    device->SetQueue(queue);
    m_nodes.Get(node)->AddDevice(device);
    device->Attach(channel);
    return device;
}

const DpdlPacketNetwork::Ends&
DpdlPacketNetwork::Build(uint32_t source, uint32_t target)
{
    const auto [place, isNew] = m_built.emplace(std::pair{source, target}, Ends{});
    Ends& ends = place->second;
    if (!isNew)
    {
        return ends;
    }
    const auto number = static_cast<uint32_t>(m_built.size() - 1);
    NS_ABORT_MSG_IF(number >= SUBNETS, "DpdlPacketNetwork: more links than subnets");
    const ::dpdl::LinkParameters link = m_links(source, target);
    const DataRate rate(static_cast<uint64_t>(std::llround(link.dataRate)));
    Ptr<PointToPointChannel> channel = CreateObject<PointToPointChannel>();
    channel->SetAttribute("Delay", TimeValue(Seconds(link.delay)));
    ends.sender = AddDevice(source, channel, rate);
    ends.receiver = AddDevice(target, channel, rate);
    const uint32_t subnet = FIRST_SUBNET + SUBNET_SIZE * number;
    AddAddress(ends.sender, subnet + 1);
    ends.address = AddAddress(ends.receiver, subnet + 2);
    return ends;
}

} // namespace ns3
