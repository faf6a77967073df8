// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-tcp-transport.h"

#include "dpdl-header.h"
#include "dpdl-linux-reno.h"
#include "dpdl-type.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

// Each directed link has an egress queue that writes to its socket as space permits. A receiver
// parses its stream with DpdlStreamReader.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlTcpTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlTcpTransport);

namespace
{

constexpr uint32_t UDP_HEADER_BYTES = 8;
constexpr uint32_t TCP_HEADER = 32; // bytes of a TCP header with timestamps
constexpr uint32_t SMALLEST_BUFFER = 32 << 10;
constexpr uint32_t LARGEST_BUFFER = 4 << 20;

} // namespace

TypeId
DpdlTcpTransport::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlTcpTransport, DpdlPacketTransport>("ns3::DpdlTcpTransport")
            .AddAttribute("BufferSize",
                          "Bytes of a socket's send buffer; 0: that of ns3::TcpSocket, but twice "
                          "the bandwidth-delay product between nodes that share a link, unless "
                          "ns3::TcpSocket::SndBufSize was set",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DpdlTcpTransport::m_bufferBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReconnectDelay",
                          "Time from a broken connection to the attempt to open a new one",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&DpdlTcpTransport::m_reconnectDelay),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("Attempts",
                          "Failures in a row after which a link loses what it has to send",
                          UintegerValue(10),
                          MakeUintegerAccessor(&DpdlTcpTransport::m_attempts),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
DpdlTcpTransport::DoDispose()
{
    for (const Ptr<Socket>& listener : m_listeners)
    {
        Forget(listener);
    }
    for (auto& entry : m_egressQueues)
    {
        entry.second->retry.Cancel();
        Forget(entry.second->socket);
    }
    for (const auto& entry : m_inbound)
    {
        Forget(entry.first);
    }
    m_listeners.clear();
    m_egressQueues.clear();
    m_inbound.clear();
    m_messages.Clear();
    DpdlPacketTransport::DoDispose();
}

void
DpdlTcpTransport::Forget(Ptr<Socket> socket)
{
    if (!socket)
    {
        return;
    }
    using OfSocket = Callback<void, Ptr<Socket>>;
    socket->SetRecvCallback(OfSocket());
    socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>());
    socket->SetConnectCallback(OfSocket(), OfSocket());
    socket->SetCloseCallbacks(OfSocket(), OfSocket());
    socket->SetAcceptCallback(Callback<bool, Ptr<Socket>, const Address&>(),
                              Callback<void, Ptr<Socket>, const Address&>());
}

void
DpdlTcpTransport::Open()
{
    OpenSockets(TcpSocketFactory::GetTypeId(), [this](uint32_t node, bool, Ptr<Socket> socket) {
        SetTimers(socket);
        // Make the receive buffer large, so that only the sender's buffer limits the window.
        SetUnlessGiven(socket, "RcvBufSize", UintegerValue(LARGEST_BUFFER));
        socket->SetAcceptCallback(
            [this, node](Ptr<Socket>, const Address& peer) { return Admit(node, peer); },
            [this, node](Ptr<Socket> accepted, const Address& peer) {
                Accept(node, accepted, peer);
            });
        socket->Listen();
        m_listeners.push_back(socket);
    });
}

/// Gives a socket the timers of Linux if dpdl built the links for this run.
void
DpdlTcpTransport::SetTimers(Ptr<Socket> socket) const
{
    if (HasOwnLinks())
    {
        DpdlLinuxReno::SetTimers(socket);
    }
}

void
DpdlTcpTransport::DoSend(const DpdlMessage& sent)
{
    const ::dpdl::Share& share = sent.share;
    if (m_listeners.empty())
    {
        Open();
    }
    Message& message = m_messages.Add();
    const Ptr<Packet> packet = sent.GetPacket()->Copy();
    message.Start({sent}, packet, packet->GetSize(), false);
    packet->AddHeader(message.HeaderOf(0));
    std::unique_ptr<EgressQueue>& link = m_egressQueues[LinkOf(share.source, share.target)];
    if (!link)
    {
        link = std::make_unique<EgressQueue>();
        link->source = share.source;
        link->target = share.target;
    }
    link->queue.push_back(message.number);
    if (!link->socket && link->retry.IsExpired())
    {
        Connect(link.get());
    }
    Drain(link.get());
}

void
DpdlTcpTransport::Connect(EgressQueue* link)
{
    const DpdlPath& path = PathOf(link->source, link->target);
    const uint32_t headers = path.headerBytes - UDP_HEADER_BYTES + TCP_HEADER;
    Ptr<Socket> socket = Socket::CreateSocket(NodeOf(link->source), TcpSocketFactory::GetTypeId());
    SetTimers(socket);
    socket->SetAttribute("SegmentSize", UintegerValue(path.Mtu() - headers));
    const uint32_t buffer = m_bufferBytes > 0 ? m_bufferBytes : BufferOf(path);
    if (buffer > 0)
    {
        socket->SetAttribute("SndBufSize", UintegerValue(buffer));
    }
    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
    const auto fail = [this, link](Ptr<Socket> failed) {
        if (failed == link->socket)
        {
            Break(link);
        }
    };
    socket->SetConnectCallback(
        [this, link](Ptr<Socket>) {
            link->isConnected = true;
            Drain(link);
        },
        fail);
    socket->SetCloseCallbacks(fail, fail);
    socket->SetSendCallback([this, link](Ptr<Socket>, uint32_t) { Drain(link); });
    link->socket = socket;
    ++m_connections;
    const bool isIpv4 = InetSocketAddress::IsMatchingType(path.remote);
    if ((isIpv4 ? socket->Bind() : socket->Bind6()) != 0 || socket->Connect(path.remote) != 0)
    {
        Break(link);
    }
}

uint32_t
DpdlTcpTransport::BufferOf(const DpdlPath& path)
{
    const DataRate rate = RateOf(path.device);
    TimeValue delay;
    if (HasUserDefault(TcpSocket::GetTypeId(), "SndBufSize") || rate.GetBitRate() == 0 ||
        !path.IsOneLink() || !path.device->GetChannel()->GetAttributeFailSafe("Delay", delay))
    {
        return 0;
    }
    const double roundTrip = 2.0 * delay.Get().GetSeconds();
    const double product = 2.0 * static_cast<double>(rate.GetBitRate()) / 8.0 * roundTrip;
    return static_cast<uint32_t>(std::clamp<double>(product, SMALLEST_BUFFER, LARGEST_BUFFER));
}

void
DpdlTcpTransport::Break(EgressQueue* link)
{
    NS_LOG_LOGIC("connection " << link->source << "->" << link->target << " is lost");
    Forget(link->socket);
    link->socket = nullptr;
    link->isConnected = false;
    link->written = 0;
    link->offset = 0;
    ++link->failures;
    if (link->failures >= m_attempts)
    {
        GiveUp(*link);
    }
    if (!link->queue.empty())
    {
        link->retry = Simulator::Schedule(m_reconnectDelay, &DpdlTcpTransport::Connect, this, link);
    }
}

void
DpdlTcpTransport::GiveUp(EgressQueue& link)
{
    link.failures = 0;
    std::deque<uint64_t> lost;
    std::swap(lost, link.queue);
    for (const uint64_t number : lost)
    {
        Message& message = *m_messages.Find(number);
        const ::dpdl::Share share = message.copies.front().share;
        m_messages.Release(message);
        Drop(share, GivenUp(share));
    }
}

void
DpdlTcpTransport::Drain(EgressQueue* link)
{
    while (link->isConnected && link->written < link->queue.size())
    {
        const Message& message = *m_messages.Find(link->queue[link->written]);
        const uint32_t room = link->socket->GetTxAvailable();
        const uint32_t size = std::min(room, message.packet->GetSize() - link->offset);
        if (size == 0)
        {
            return;
        }
        const int sent = link->socket->Send(message.packet->CreateFragment(link->offset, size));
        if (sent <= 0)
        {
            return;
        }
        CountSent(static_cast<uint32_t>(sent));
        link->offset += static_cast<uint32_t>(sent);
        if (link->offset == message.packet->GetSize())
        {
            ++link->written;
            link->offset = 0;
        }
    }
}

bool
DpdlTcpTransport::Admit(uint32_t node, const Address& peer)
{
    for (uint32_t other = 0; other < NodeCount(); ++other)
    {
        if (IsFrom(other, peer, false))
        {
            return true;
        }
    }
    RejectPacket(Create<Packet>(), node);
    return false;
}

} // namespace ns3
