// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-udp-transport.h"

#include "dpdl-header.h"
#include "dpdl-radio.h"
#include "dpdl-type.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

// A message enters the egress queue of its device and is sent in paced pieces. A receiver
// reassembles it, and a periodic check drops silent messages (dpdl-udp-receive.cc).

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlUdpTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlUdpTransport);

namespace
{

constexpr uint32_t PPP_BYTES = 2;
constexpr uint32_t ETHERNET_BYTES = 18;
constexpr uint32_t LARGEST_DATAGRAM = 65000;
/// Minimum number of datagrams in a device's queue that keeps the device busy: the current
/// datagram, and the next.
constexpr uint32_t SMALLEST_BURST = 2;

} // namespace

TypeId
DpdlUdpTransport::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlUdpTransport, DpdlPacketTransport>("ns3::DpdlUdpTransport")
            .AddAttribute("DatagramSize",
                          "Bytes of a datagram, without UDP and IP headers; 0: the path's MTU less "
                          "these headers",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DpdlUdpTransport::m_datagramBytes),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_DATAGRAM))
            .AddAttribute("Burst",
                          "Datagrams that a device of known rate is given ahead; 2 at a PacingRate",
                          UintegerValue(64),
                          MakeUintegerAccessor(&DpdlUdpTransport::m_burst),
                          MakeUintegerChecker<uint32_t>(SMALLEST_BURST))
            .AddAttribute("PacingRate",
                          "Rate at which a device is given datagrams; 0: its own or its channel's "
                          "DataRate, at once if they have none",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&DpdlUdpTransport::m_pacingRate),
                          MakeDataRateChecker())
            .AddAttribute("SilenceTimeout",
                          "Silence after which an incomplete message is lost",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&DpdlUdpTransport::m_silenceTimeout),
                          MakeTimeChecker(MilliSeconds(1)));
    return tid;
}

void
DpdlUdpTransport::DoDispose()
{
    m_watch.Cancel();
    *m_drops = nullptr;
    for (auto& entry : m_egressQueues)
    {
        entry.second.event.Cancel();
    }
    m_egressQueues.clear();
    for (auto& entry : m_sockets)
    {
        entry.second->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }
    m_sockets.clear();
    m_messages.Clear();
    DpdlPacketTransport::DoDispose();
}

void
DpdlUdpTransport::Open()
{
    OpenSockets(UdpSocketFactory::GetTypeId(),
                [this](uint32_t node, bool isIpv4, Ptr<Socket> socket) {
                    KeepUnresolved(NodeOf(node));
                    socket->SetAllowBroadcast(true);
                    socket->SetRecvCallback(MakeBoundCallback(&DpdlUdpTransport::Read, this, node));
                    WatchDpdlDrops(m_drops, socket, ContextOf(node));
                    m_sockets[{node, isIpv4}] = socket;
                });
    WatchDpdlDrops(m_drops);
}

void
DpdlUdpTransport::DoSend(const DpdlMessage& message)
{
    const DpdlPath& path = PathOf(message.share.source, message.share.target);
    Launch({message}, message.GetPacket(), path, false);
}

void
DpdlUdpTransport::Launch(const std::vector<DpdlMessage>& messages,
                         Ptr<const Packet> packet,
                         const DpdlPath& path,
                         bool broadcast)
{
    if (m_sockets.empty())
    {
        Open();
    }
    const uint32_t mtu = std::min(path.Mtu(), LARGEST_DATAGRAM);
    const uint32_t datagram = m_datagramBytes > 0 ? m_datagramBytes : mtu - path.headerBytes;
    NS_ABORT_MSG_IF(datagram <= DpdlFragmentHeader::SIZE,
                    "DpdlUdpTransport: datagrams of " << datagram << " bytes hold no payload");
    Message& message = m_messages.Add();
    message.Start(messages, packet, datagram - DpdlFragmentHeader::SIZE, HasRealPayload());
    message.isBroadcast = broadcast;
    EgressQueue& outlet = EgressQueueOf(messages.front().share.source, path, broadcast);
    outlet.pacer.RequireFit(message.SizeOf(0) + DpdlFragmentHeader::SIZE);
    outlet.waiting.push_back({message.number, broadcast ? path.broadcast : path.remote});
    Watch();
    if (outlet.event.IsExpired() && !outlet.isPumping)
    {
        Drain(&outlet);
    }
}

Ptr<Socket>
DpdlUdpTransport::SocketOf(uint32_t source, const DpdlPath& path, bool broadcast)
{
    if (!broadcast || InetSocketAddress::IsMatchingType(path.remote))
    {
        return m_sockets[{source, InetSocketAddress::IsMatchingType(path.remote)}];
    }
    // Sending to the IPv6 address of all nodes on a link requires a socket that is bound to a
    // device. Such a socket receives only from this device, so it is a separate one.
    Ptr<Socket> socket = Socket::CreateSocket(NodeOf(source), UdpSocketFactory::GetTypeId());
    socket->Bind6();
    socket->BindToNetDevice(path.device);
    return socket;
}

DpdlUdpTransport::EgressQueue&
DpdlUdpTransport::EgressQueueOf(uint32_t source, const DpdlPath& path, bool broadcast)
{
    EgressQueue& outlet = m_egressQueues[{source, path.device}];
    if (!outlet.socket)
    {
        outlet.socket = SocketOf(source, path, broadcast);
        outlet.pacer.SetOverhead(path.headerBytes +
                                 (path.device->IsPointToPoint() ? PPP_BYTES : ETHERNET_BYTES));
        SetPace(outlet, path.device);
    }
    return outlet;
}

void
DpdlUdpTransport::SetPace(EgressQueue& outlet, Ptr<NetDevice> device) const
{
    DataRate rate = RateOf(device);
    outlet.burst = m_burst;
    if (const auto radio = device->GetNode()->GetObject<DpdlRadio>())
    {
        // A radio sends its queue as soon as the channel is free, so at most one datagram is in its
        // queue.
        outlet.burst = 1;
        rate = radio->PacingRate();
        outlet.pacer.SetSlot(radio->SlotPeriod(), radio->SlotStart(), radio->SlotEnd());
    }
    if (m_pacingRate.GetBitRate() > 0)
    {
        outlet.burst = std::min(outlet.burst, SMALLEST_BURST);
        rate = m_pacingRate;
    }
    outlet.pacer.SetRate(rate);
    outlet.latency = LatencyOf(device);
}

void
DpdlUdpTransport::Drain(EgressQueue* outlet)
{
    // A device may report a drop immediately, and a node may send in response. That must not start
    // a second Drain() of this queue.
    outlet->isPumping = true;
    Time ahead;
    uint32_t bytes = 0;
    while (!outlet->waiting.empty())
    {
        const Departure departure = outlet->waiting.front();
        Message& message = *m_messages.Find(departure.number);
        bytes = message.SizeOf(0) + DpdlFragmentHeader::SIZE;
        ahead = outlet->pacer.TimeOf(outlet->burst, bytes);
        while (message.released < message.pieces && outlet->pacer.MaySend(ahead, bytes))
        {
            SendPiece(*outlet, message, departure.to);
        }
        if (message.released < message.pieces)
        {
            break;
        }
        outlet->waiting.pop_front();
        message.isLeaving = false;
        ReleaseIfOver(message);
    }
    outlet->isPumping = false;
    if (!outlet->waiting.empty())
    {
        outlet->event = Simulator::Schedule(outlet->pacer.WaitFor(ahead / 2, bytes),
                                            &DpdlUdpTransport::Drain,
                                            this,
                                            outlet);
    }
}

void
DpdlUdpTransport::SendPiece(EgressQueue& outlet, Message& message, const Address& to)
{
    const uint32_t offset = message.released * message.pieceBytes;
    const uint32_t size = message.SizeOf(message.released);
    const bool isVirtual = !HasRealPayload() && offset >= message.HeaderBytes();
    Ptr<Packet> piece =
        isVirtual ? Create<Packet>(size) : message.packet->CreateFragment(offset, size);
    piece->AddHeader(message.HeaderOf(message.released));
    CountSent(piece->GetSize());
    outlet.pacer.Add(piece->GetSize());
    // SilenceTimeout counts from the time at which the device has sent its backlog and the piece
    // has propagated.
    message.heard = Simulator::Now() + outlet.pacer.Backlog() + outlet.latency;
    ++message.released;
    if (outlet.socket->SendTo(piece, 0, to) < 0)
    {
        NS_LOG_LOGIC("the stack refuses a datagram of node " << outlet.socket->GetNode()->GetId());
        using ::dpdl::DropReason;
        const bool isFull = outlet.socket->GetErrno() == Socket::ERROR_MSGSIZE;
        LoseAll(message,
                {isFull ? DropReason::SOCKET_BUFFER : DropReason::NO_ROUTE,
                 message.copies.front().share.source});
    }
}

void
DpdlUdpTransport::Watch()
{
    if (m_watch.IsExpired())
    {
        m_watch = Simulator::Schedule(m_silenceTimeout / 4, &DpdlUdpTransport::LoseSilent, this);
    }
}

} // namespace ns3
