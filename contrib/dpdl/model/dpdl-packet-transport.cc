// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-transport.h"

#include "dpdl/base/errors.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <array>
#include <limits>

// Finds paths on demand, puts links with loss or failures under the control of DpdlLinkControl,
// and checks senders of received packets.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlPacketTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlPacketTransport);

namespace
{

/// Upper bound of the size of the lower-layer headers in front of a fragment header, in bytes; the
/// search ends there.
constexpr uint32_t LOWER_HEADERS = 128;

} // namespace

TypeId
DpdlPacketTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DpdlPacketTransport")
            .SetParent<DpdlTransport>()
            .SetGroupName("Dpdl")
            .AddAttribute("Port",
                          "UDP or TCP port of every node",
                          UintegerValue(4242),
                          MakeUintegerAccessor(&DpdlPacketTransport::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RealPayload",
                          "Whether payloads are bytes; set by DpdlHelper from option payload",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DpdlPacketTransport::m_realPayload),
                          MakeBooleanChecker())
            .AddAttribute("DropProbability",
                          "Probability that a directed link loses a packet",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlPacketTransport::m_dropProbability),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddTraceSource("Corrupt",
                            "A packet is dropped that is no part of a message",
                            MakeTraceSourceAccessor(&DpdlPacketTransport::m_corruptTrace),
                            "ns3::DpdlPacketTransport::CorruptCallback");
    return tid;
}

DpdlPacketTransport::DpdlPacketTransport()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
DpdlPacketTransport::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

Ptr<Node>
DpdlPacketTransport::NodeOf(uint32_t node) const
{
    return NodeList::GetNode(ContextOf(node));
}

void
DpdlPacketTransport::DoDispose()
{
    m_control.Clear();
    m_random = nullptr;
    m_pathMaker = nullptr;
    m_paths.clear();
    DpdlTransport::DoDispose();
}

const DpdlPath&
DpdlPacketTransport::PathOf(uint32_t source, uint32_t target)
{
    const uint64_t link = LinkOf(source, target);
    auto found = m_paths.find(link);
    if (found == m_paths.end())
    {
        const DpdlPath path = m_pathMaker ? m_pathMaker(source, target)
                                          : FindDpdlPath(NodeOf(source), NodeOf(target), m_port);
        found = m_paths.emplace(link, path).first;
        if (path.drop.value_or(m_dropProbability) > 0.0 || Conditions() != nullptr)
        {
            Control(source, target, path);
        }
    }
    return found->second;
}

void
DpdlPacketTransport::FindAllPaths()
{
    for (uint32_t source = 0; source < NodeCount(); ++source)
    {
        for (uint32_t step = 1; step < NodeCount(); ++step)
        {
            PathOf(source, (source + step) % NodeCount());
        }
    }
}

void
DpdlPacketTransport::Control(uint32_t source, uint32_t target, const DpdlPath& path)
{
    if (!m_isControlling)
    {
        const uint32_t highest = std::numeric_limits<uint32_t>::max();
        ::dpdl::RandomSeed seed;
        seed.seed = m_random->GetInteger(0, highest);
        seed.run = m_random->GetInteger(0, highest);
        m_control.Configure(seed,
                            [this](Ptr<const Packet> packet, const ::dpdl::MessageLoss& loss) {
                                LosePacket(packet, loss);
                            });
        m_isControlling = true;
    }
    m_control.Add(source, target, path, path.drop.value_or(m_dropProbability));
    if (Conditions() != nullptr)
    {
        m_control.ApplyTo(source, target, *Conditions());
    }
}

void
DpdlPacketTransport::UpdateConditions()
{
    if (Conditions() == nullptr)
    {
        return;
    }
    m_control.Apply(*Conditions());
    m_crashed.resize(NodeCount(), false);
    for (uint32_t node = 0; node < NodeCount(); ++node)
    {
        const bool crashed = !Conditions()->Node(node).up;
        if (crashed != m_crashed[node])
        {
            m_interfaces.Switch(NodeOf(node), !crashed);
            m_crashed[node] = crashed;
        }
    }
}

void
DpdlPacketTransport::RejectPacket(Ptr<const Packet> packet, uint32_t node)
{
    NS_LOG_WARN("node " << node << " drops a packet that is no part of a message");
    ++m_corrupt;
    m_corruptTrace(packet, node);
}

bool
DpdlPacketTransport::IsFrom(uint32_t node, const Address& peer, bool fromPort) const
{
    // Skip interface 0, the loopback, whose address all nodes share.
    if (InetSocketAddress::IsMatchingType(peer))
    {
        const auto from = InetSocketAddress::ConvertFrom(peer);
        const Ptr<Ipv4> stack = NodeOf(node)->GetObject<Ipv4>();
        return stack && stack->GetInterfaceForAddress(from.GetIpv4()) > 0 &&
               (!fromPort || from.GetPort() == m_port);
    }
    const auto from = Inet6SocketAddress::ConvertFrom(peer);
    const Ptr<Ipv6> stack = NodeOf(node)->GetObject<Ipv6>();
    return stack && stack->GetInterfaceForAddress(from.GetIpv6()) > 0 &&
           (!fromPort || from.GetPort() == m_port);
}

void
DpdlPacketTransport::OpenSockets(TypeId factory, const SocketCallback& opened)
{
    // Sockets may call this transport after its owner has released it. The simulator therefore
    // holds a reference until Simulator::Destroy().
    Simulator::ScheduleDestroy(&Object::Dispose, Ptr<Object>(this));
    for (uint32_t node = 0; node < NodeCount(); ++node)
    {
        for (const bool isIpv4 : {true, false})
        {
            if (isIpv4 ? !NodeOf(node)->GetObject<Ipv4>() : !NodeOf(node)->GetObject<Ipv6>())
            {
                continue;
            }
            const Ptr<Socket> socket = Socket::CreateSocket(NodeOf(node), factory);
            const int error =
                socket->Bind(isIpv4 ? Address(InetSocketAddress(Ipv4Address::GetAny(), m_port))
                                    : Address(Inet6SocketAddress(Ipv6Address::GetAny(), m_port)));
            DPDL_REFUSE_IF(error != 0,
                           "attribute 'Port' of " + GetInstanceTypeId().GetName(),
                           std::to_string(m_port),
                           "a port that nothing else has at node " + std::to_string(node) +
                               "; DpdlHelper::SetTransportAttribute sets one for a run");
            opened(node, isIpv4, socket);
        }
    }
}

DataRate
DpdlPacketTransport::RateOf(Ptr<NetDevice> device)
{
    DataRateValue rate(DataRate(0));
    if (!device->GetAttributeFailSafe("DataRate", rate) && device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe("DataRate", rate);
    }
    return rate.Get();
}

Time
DpdlPacketTransport::LatencyOf(Ptr<NetDevice> device)
{
    TimeValue delay(Time(0));
    if (device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe("Delay", delay);
    }
    return delay.Get();
}

bool
DpdlPacketTransport::FindFragmentHeader(Ptr<const Packet> packet, DpdlFragmentHeader& header)
{
    std::array<uint8_t, LOWER_HEADERS + DpdlFragmentHeader::SIZE> bytes;
    const uint32_t size = packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    for (uint32_t begin = 0; begin + DpdlFragmentHeader::SIZE <= size; ++begin)
    {
        header.Read(bytes.data() + begin);
        if (header.IsValid())
        {
            return true;
        }
    }
    return false;
}

Ptr<Packet>
DpdlPacketTransport::Rebuild(const std::vector<uint8_t>& bytes, uint32_t size)
{
    Ptr<Packet> packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    if (size > bytes.size())
    {
        packet->AddAtEnd(Create<Packet>(static_cast<uint32_t>(size - bytes.size())));
    }
    return packet;
}

} // namespace ns3
