// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-tcp-transport.h"

#include "ns3/socket.h"

#include <algorithm>

// The receiving half of DpdlTcpTransport.

namespace ns3
{

void
DpdlTcpTransport::Accept(uint32_t node, Ptr<Socket> socket, const Address& peer)
{
    Inbound& connection = m_inbound[socket];
    connection = {node, peer, {}};
    const auto close = [this](Ptr<Socket> closed) { Close(closed); };
    socket->SetRecvCallback([this, &connection](Ptr<Socket> from) { Read(connection, from); });
    socket->SetCloseCallbacks(close, close);
}

void
DpdlTcpTransport::Read(Inbound& connection, Ptr<Socket> socket)
{
    // An empty packet marks the end of the stream.
    for (auto packet = socket->Recv(); packet && packet->GetSize() > 0; packet = socket->Recv())
    {
        if (!TakeBytes(connection, packet))
        {
            // The stream is invalid, so the start of the next message is unknown: close the
            // connection, so the sender opens a new one.
            RejectPacket(packet, connection.node);
            Close(socket);
            return;
        }
    }
}

void
DpdlTcpTransport::Close(Ptr<Socket> socket)
{
    Forget(socket);
    socket->Close();
    m_inbound.erase(socket);
}

bool
DpdlTcpTransport::TakeBytes(Inbound& connection, Ptr<Packet> packet)
{
    while (packet->GetSize() > 0)
    {
        const DpdlStreamReader::Progress progress = connection.reader.Take(packet);
        if (progress == DpdlStreamReader::Progress::BROKEN ||
            (progress == DpdlStreamReader::Progress::START && !Begin(connection)))
        {
            return false;
        }
        if (progress == DpdlStreamReader::Progress::MESSAGE)
        {
            Complete(connection);
        }
    }
    return true;
}

bool
DpdlTcpTransport::Begin(Inbound& connection)
{
    const DpdlFragmentHeader& header = connection.reader.Header();
    const Message* const message = m_messages.Find(header.number);
    if (message == nullptr)
    {
        connection.reader.Keep(0);
        return m_messages.IsOver(header.number);
    }
    const ::dpdl::Share& share = message->copies.front().share;
    const bool isOf = share.target == connection.node &&
                      IsFrom(share.source, connection.peer, false) && header.size == message->size;
    connection.reader.Keep(!isOf ? 0 : HasRealPayload() ? header.size : DpdlHeader::SIZE);
    return isOf;
}

void
DpdlTcpTransport::Complete(Inbound& connection)
{
    const DpdlStreamReader& reader = connection.reader;
    Message* const message = m_messages.Find(reader.Header().number);
    if (message == nullptr)
    {
        return; // already delivered over another connection
    }
    const ::dpdl::Share share = message->copies.front().share;
    EgressQueue& link = *m_egressQueues.at(LinkOf(share.source, share.target));
    const auto place = std::find(link.queue.begin(), link.queue.end(), message->number);
    const auto index = static_cast<std::size_t>(place - link.queue.begin());
    link.queue.erase(place);
    link.written -= index < link.written ? 1 : 0;
    link.failures = 0;
    m_messages.Release(*message);
    Deliver(DpdlMessage(share, Rebuild(reader.Bytes(), reader.Header().size)), Time(0));
}

} // namespace ns3
