// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-dodag.h"

#include "dpdl-radio.h"
#include "dpdl-type.h"

#include "ns3/inet6-socket-address.h"
#include "ns3/ipv6-routing-table-entry.h"
#include "ns3/ipv6.h"
#include "ns3/lr-wpan-lqi-tag.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

// Sends the messages of DpdlDodagState in turns by a Trickle timer, and installs the resulting
// routes in the node's static routing.

namespace ns3
{

/// Up to ns-3.41 the classes of LR-WPAN are in namespace ns3, later in ns3::lrwpan. With this
/// declaration, lrwpan is a valid prefix in all versions.
namespace lrwpan
{
using namespace ::ns3;
}

NS_OBJECT_ENSURE_REGISTERED(DpdlDodag);

namespace
{

/// Size in bytes of the interface identifier of an IPv6 address, which follows a prefix of 64 bits.
constexpr std::size_t HALF = 8;

/// Address of a node in the network of @p other: the prefix of @p other, then the interface
/// identifier of the node's address @p linkLocal.
Ipv6Address
InNetworkOf(const Ipv6Address& other, const Ipv6Address& linkLocal)
{
    std::array<uint8_t, 2 * HALF> bytes{};
    std::array<uint8_t, 2 * HALF> own{};
    other.GetBytes(bytes.data());
    linkLocal.GetBytes(own.data());
    std::copy_n(own.begin() + HALF, HALF, bytes.begin() + HALF);
    return Ipv6Address(bytes.data());
}

} // namespace

TypeId
DpdlDodag::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlDodag, Ipv6StaticRouting>("ns3::DpdlDodag")
            .AddAttribute("VersionPeriod",
                          "Time after which the root lets the tree grow anew",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&DpdlDodag::m_versionPeriod),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("Period",
                          "Time from turn to turn of a node whose radio has no slots",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&DpdlDodag::m_period),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("Doublings",
                          "How often the time between DIOs doubles, from one turn on",
                          UintegerValue(3),
                          MakeUintegerAccessor(&DpdlDodag::m_doublings),
                          MakeUintegerChecker<uint32_t>(0, 20))
            .AddAttribute(
                "LostFrames",
                "Frames in a row that a neighbour does not acknowledge until it counts as "
                "gone",
                UintegerValue(10),
                MakeUintegerAccessor(&DpdlDodag::m_lostFrames),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LeastLqi",
                          "Least quality of the link over which a DIO counts, 255 times the chance "
                          "that its bytes arrive; where the radio says nothing of it, all count",
                          UintegerValue(248),
                          MakeUintegerAccessor(&DpdlDodag::m_leastLqi),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("Port",
                          "UDP port of every node",
                          UintegerValue(2002),
                          MakeUintegerAccessor(&DpdlDodag::m_port),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

DpdlDodag::DpdlDodag()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
DpdlDodag::DoDispose()
{
    m_next.Cancel();
    m_socket = nullptr;
    m_stack = nullptr;
    Ipv6StaticRouting::DoDispose();
}

int64_t
DpdlDodag::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
DpdlDodag::Begin(Ptr<NetDevice> device, bool isRoot)
{
    const Ptr<Node> node = device->GetNode();
    m_stack = node->GetObject<Ipv6>();
    m_interface = static_cast<uint32_t>(m_stack->GetInterfaceForDevice(device));
    const Ipv6Address self =
        m_stack->GetAddress(m_interface, m_stack->GetNAddresses(m_interface) - 1).GetAddress();
    m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    m_socket->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), m_port));
    m_socket->BindToNetDevice(device);
    m_socket->SetRecvCallback(MakeBoundCallback(&DpdlDodag::Read, this));
    const auto radio = node->GetObject<DpdlRadio>();
    m_turnSpan = m_period;
    if (radio && radio->SlotPeriod().IsStrictlyPositive())
    {
        m_period = radio->SlotPeriod();
        m_turnStart = radio->SlotStart();
        m_turnSpan = (radio->SlotEnd() - radio->SlotStart()) / int64x64_t(2);
    }
    m_isRoot = isRoot;
    m_state.Begin(self, isRoot);
    ScheduleTurn();
}

void
DpdlDodag::NotifyInterfaceUp(uint32_t interface)
{
    if (interface == 0)
    {
        Ipv6StaticRouting::NotifyInterfaceUp(interface);
        return;
    }
    // Nodes that share a prefix are not necessarily in range of each other, so only link-local
    // addresses get a network route.
    AddNetworkRouteTo(Ipv6Address("fe80::"), Ipv6Prefix(64), interface);
    WriteRoutes();
}

void
DpdlDodag::NotifyAddAddress(uint32_t interface, Ipv6InterfaceAddress address)
{
    if (interface == 0)
    {
        Ipv6StaticRouting::NotifyAddAddress(interface, address);
    }
}

void
DpdlDodag::ScheduleTurn()
{
    const Time moment = m_turnStart + m_turnSpan * int64x64_t(m_random->GetValue(0.0, 1.0));
    const Time at = m_period * int64x64_t(m_turn) + moment;
    ++m_turn;
    m_next = Simulator::Schedule(Max(at - Simulator::Now(), Time(0)), &DpdlDodag::TakeTurn, this);
}

void
DpdlDodag::TakeTurn()
{
    ScheduleTurn();
    if (!m_stack->IsUp(m_interface))
    {
        return;
    }
    if (m_isRoot && Simulator::Now() >= m_versionEnd)
    {
        m_state.BeginVersion();
        m_versionEnd = Simulator::Now() + m_versionPeriod;
        Follow();
    }
    if (m_state.Version() > 0 && --m_dioIn == 0)
    {
        SendDio();
    }
    const DpdlDodagMessage dao = m_state.TakeDao();
    if (!dao.targets.empty())
    {
        Send(dao, m_state.Parent());
    }
}

void
DpdlDodag::SendDio()
{
    Send(m_state.Dio(), Ipv6Address::GetAllNodesMulticast());
    const uint32_t rest = m_interval - m_moment;
    m_interval = std::min(2 * m_interval, 1U << m_doublings);
    m_moment = m_random->GetInteger(m_interval / 2 + 1, m_interval);
    m_dioIn = rest + m_moment;
}

void
DpdlDodag::Send(const DpdlDodagMessage& message, const Ipv6Address& to)
{
    m_socket->SendTo(message.Write(), 0, Inet6SocketAddress(to, m_port));
}

void
DpdlDodag::Read(DpdlDodag* self, Ptr<Socket> socket)
{
    Address peer;
    while (const Ptr<Packet> packet = socket->RecvFrom(peer))
    {
        const Ipv6Address from = Inet6SocketAddress::ConvertFrom(peer).GetIpv6();
        const auto message = DpdlDodagMessage::Read(packet);
        const bool isDio = message && message->code == DpdlDodagMessage::Code::DIO;
        lrwpan::LrWpanLqiTag quality;
        const bool isFaint = packet->PeekPacketTag(quality) && quality.Get() < self->m_leastLqi;
        if (!message || !from.IsLinkLocal() || (isDio && isFaint))
        {
            continue;
        }
        isDio ? self->m_state.TakeDio(from, *message) : self->m_state.TakeDao(from, *message);
        self->Follow();
    }
}

void
DpdlDodag::NoteFrame(const Ipv6Address& neighbour, bool isAcknowledged)
{
    m_state.NoteFrame(neighbour, isAcknowledged, m_lostFrames);
    Follow();
}

void
DpdlDodag::Follow()
{
    const DpdlDodagState::Change change = m_state.TakeChange();
    if (change.isNews)
    {
        m_interval = 1;
        m_moment = 1;
        m_dioIn = 1;
    }
    if (change.isRoute)
    {
        WriteRoutes();
    }
}

void
DpdlDodag::WriteRoutes()
{
    if (m_interface == 0 || !m_stack->IsUp(m_interface))
    {
        return;
    }
    for (uint32_t i = GetNRoutes(); i > 0; --i)
    {
        if (GetRoute(i - 1).IsGateway() && GetRoute(i - 1).GetInterface() == m_interface)
        {
            RemoveRoute(i - 1);
        }
    }
    if (m_state.HasParent())
    {
        SetDefaultRoute(m_state.Parent(), m_interface);
    }
    for (const auto& [target, way] : m_state.Targets())
    {
        // ns-3 takes the source address from the network of the gateway, so the next hop is named
        // by its address in the target's network.
        AddHostRouteTo(target, InNetworkOf(target, way.next), m_interface);
    }
}

} // namespace ns3
