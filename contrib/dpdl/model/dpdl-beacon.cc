// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-beacon.h"

#include "dpdl-type.h"
#include "dpdl/base/wire.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>

// Sends beacons from one periodic event, and stores the arrival times of the last LeastHeard
// beacons of each sender.

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlBeacon);

namespace
{

/// Size in bytes of the sender's number at the start of a datagram, most significant byte first.
constexpr uint32_t NUMBER_BYTES = 4;
constexpr uint32_t LARGEST_BEACON = 1472;

} // namespace

TypeId
DpdlBeacon::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlBeacon, Application>("ns3::DpdlBeacon")
            .AddAttribute("Period",
                          "Time from one beacon to the next",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&DpdlBeacon::m_period),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("Size",
                          "Bytes of a beacon, without UDP and IP headers",
                          UintegerValue(300),
                          MakeUintegerAccessor(&DpdlBeacon::m_size),
                          MakeUintegerChecker<uint32_t>(NUMBER_BYTES, LARGEST_BEACON))
            .AddAttribute("AgeingTime",
                          "How long a beacon counts",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&DpdlBeacon::m_ageingTime),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("LeastHeard",
                          "Beacons within AgeingTime that make a node a neighbour",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DpdlBeacon::m_leastHeard),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Port",
                          "UDP port of every node",
                          UintegerValue(2001),
                          MakeUintegerAccessor(&DpdlBeacon::m_port),
                          MakeUintegerChecker<uint16_t>(1));
    return tid;
}

DpdlBeacon::DpdlBeacon()
    : m_phase(CreateObject<UniformRandomVariable>())
{
}

void
DpdlBeacon::DoDispose()
{
    m_next.Cancel();
    m_socket = nullptr;
    Application::DoDispose();
}

int64_t
DpdlBeacon::AssignStreams(int64_t stream)
{
    m_phase->SetStream(stream);
    return 1;
}

std::vector<uint32_t>
DpdlBeacon::Neighbours() const
{
    std::vector<uint32_t> neighbours;
    for (const auto& [number, times] : m_heard)
    {
        if (times.size() == m_leastHeard && Simulator::Now() - times.front() <= m_ageingTime)
        {
            neighbours.push_back(number);
        }
    }
    return neighbours;
}

void
DpdlBeacon::StartApplication()
{
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    m_socket->SetAllowBroadcast(true);
    m_socket->SetRecvCallback(MakeBoundCallback(&DpdlBeacon::Read, this));
    m_next = Simulator::Schedule(m_period * m_phase->GetValue(0.0, 1.0), &DpdlBeacon::Send, this);
}

void
DpdlBeacon::StopApplication()
{
    m_next.Cancel();
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
}

void
DpdlBeacon::Send()
{
    m_next = Simulator::Schedule(m_period, &DpdlBeacon::Send, this);
    const Ptr<Ipv4> stack = GetNode()->GetObject<Ipv4>();
    if (!stack->IsUp(1))
    {
        return;
    }
    std::vector<uint8_t> bytes(m_size);
    uint8_t* out = bytes.data();
    ::dpdl::PutBigEndian(out, m_number);
    const InetSocketAddress all(stack->GetAddress(1, 0).GetBroadcast(), m_port);
    m_sent += m_socket->SendTo(Create<Packet>(bytes.data(), m_size), 0, all) >= 0 ? 1 : 0;
}

void
DpdlBeacon::Read(DpdlBeacon* self, Ptr<Socket> socket)
{
    Address from;
    while (const Ptr<Packet> packet = socket->RecvFrom(from))
    {
        std::array<uint8_t, NUMBER_BYTES> bytes{};
        if (packet->CopyData(bytes.data(), NUMBER_BYTES) < NUMBER_BYTES)
        {
            continue;
        }
        const uint8_t* in = bytes.data();
        std::deque<Time>& times = self->m_heard[::dpdl::TakeBigEndian<uint32_t>(in)];
        times.push_back(Simulator::Now());
        if (times.size() > self->m_leastHeard)
        {
            times.pop_front();
        }
    }
}

} // namespace ns3
