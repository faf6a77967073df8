// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-udp-transport.h"

#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>

// The receiving half of DpdlUdpTransport, and its handling of lost messages.

namespace ns3
{

void
DpdlUdpTransport::Read(DpdlUdpTransport* self, uint32_t node, Ptr<Socket> socket)
{
    Address from;
    while (Ptr<Packet> packet = socket->RecvFrom(from))
    {
        self->TakePiece(node, packet, from);
    }
}

void
DpdlUdpTransport::TakePiece(uint32_t node, Ptr<Packet> packet, const Address& from)
{
    DpdlFragmentHeader header;
    header.TakeFrom(packet);
    if (header.IsValid() && m_messages.IsOver(header.number))
    {
        ++m_latePieces;
        return;
    }
    Message* const message = header.IsValid() ? m_messages.Find(header.number) : nullptr;
    // Test the sender only if it differs from that of the previous piece: looking up its address
    // would double the cost of a piece.
    if (message == nullptr || !message->Fits(header, packet->GetSize()) ||
        (from != message->from &&
         !IsFrom(message->copies.front().share.source, from, !message->isBroadcast)))
    {
        RejectPacket(packet, node);
        return;
    }
    message->from = from;
    const uint32_t offset = header.index * message->pieceBytes;
    for (uint32_t i = 0; i < message->receivers; ++i)
    {
        DpdlReassembly& copy = message->copies[i];
        if (copy.share.target != node)
        {
            continue;
        }
        message->heard = std::max(message->heard, Simulator::Now());
        const DpdlReassembly::Piece piece = copy.decided ? DpdlReassembly::Piece::DUPLICATE
                                                         : copy.Take(header.index, offset, packet);
        const bool isLate = piece == DpdlReassembly::Piece::DUPLICATE || message->isGivenUp;
        m_latePieces += isLate ? 1 : 0;
        if (piece == DpdlReassembly::Piece::LAST)
        {
            Complete(*message, i);
        }
        return;
    }
    if (!message->isBroadcast)
    {
        RejectPacket(packet, node);
    }
}

void
DpdlUdpTransport::Complete(Message& message, uint32_t place)
{
    DpdlReassembly& copy = message.copies[place];
    if (message.isGivenUp)
    {
        const ::dpdl::Share late = copy.share;
        Decide(message, copy);
        Drop(late, {::dpdl::DropReason::LATE, late.target});
        return;
    }
    const uint32_t size = message.size - message.HeaderBytes() + DpdlHeader::SIZE;
    const Ptr<Packet> packet = Rebuild(message.OwnBytes(place), size);
    const ::dpdl::Share share = copy.share;
    Decide(message, copy);
    Deliver(DpdlMessage(share, packet), Time(0));
}

void
DpdlUdpTransport::Decide(Message& message, DpdlReassembly& copy)
{
    copy.decided = true;
    --message.undecided;
    ReleaseIfOver(message);
}

void
DpdlUdpTransport::ReleaseIfOver(Message& message)
{
    if (message.undecided > 0 || message.isLeaving)
    {
        return;
    }
    m_givenUp -= message.isGivenUp ? 1 : 0;
    m_messages.Release(message);
    if (m_messages.Size() == m_givenUp)
    {
        // Remove the event: a cancelled event would still advance the clock.
        Simulator::Remove(m_watch);
    }
}

void
DpdlUdpTransport::LosePacket(Ptr<const Packet> packet, const ::dpdl::MessageLoss& loss)
{
    DpdlFragmentHeader header;
    Message* const message =
        FindFragmentHeader(packet, header) ? m_messages.Find(header.number) : nullptr;
    for (uint32_t i = 0; message != nullptr && i < message->receivers; ++i)
    {
        DpdlReassembly& copy = message->copies[i];
        if (copy.share.target == loss.node && !copy.decided)
        {
            Lose(*message, copy, loss);
            return;
        }
    }
}

void
DpdlUdpTransport::UpdateConditions()
{
    DpdlPacketTransport::UpdateConditions();
    for (auto& entry : m_egressQueues)
    {
        SetPace(entry.second, entry.first.second);
    }
}

void
DpdlUdpTransport::Lose(Message& message, DpdlReassembly& copy, const ::dpdl::MessageLoss& loss)
{
    const ::dpdl::Share share = copy.share;
    const bool isGivenUp = message.isGivenUp;
    Decide(message, copy);
    if (!isGivenUp)
    {
        Drop(share, loss);
    }
}

void
DpdlUdpTransport::LoseAll(Message& message, const ::dpdl::MessageLoss& loss)
{
    const uint64_t number = message.number;
    for (uint32_t i = 0; m_messages.Find(number) == &message && i < message.receivers; ++i)
    {
        if (!message.copies[i].decided)
        {
            const ::dpdl::MessageLoss noted = message.copies[i].loss.value_or(loss);
            Lose(message, message.copies[i], noted);
        }
    }
}

void
DpdlUdpTransport::GiveUp(Message& message)
{
    message.isGivenUp = true;
    message.packet = nullptr;
    ++m_givenUp;
    for (uint32_t i = 0; i < message.receivers; ++i)
    {
        DpdlReassembly& copy = message.copies[i];
        if (!copy.decided)
        {
            ::dpdl::MessageLoss loss =
                copy.loss.value_or(::dpdl::MessageLoss{::dpdl::DropReason::DEADLINE});
            loss.mayArrive = true;
            Drop(copy.share, loss);
            copy.DropContents();
        }
    }
}

/// Handles a drop that ns-3 reports: stores its reason with the message of the dropped piece, to be
/// reported if the message is lost.
void
DpdlUdpTransport::Note(Ptr<const Packet> packet, const Mac48Address& to, ::dpdl::MessageLoss loss)
{
    const uint32_t node = NodeOfContext(loss.node);
    loss.isOutside = node == NodeCount();
    loss.node = loss.isOutside ? loss.node : node;
    // A drop at a receiving node affects the message only if that node is the target.
    const bool isAtReceiver = !loss.isOutside && (loss.reason == ::dpdl::DropReason::PHY ||
                                                  loss.reason == ::dpdl::DropReason::SOCKET_BUFFER);
    const auto isHit = [&](const ::dpdl::Share& share) {
        return packet ? !isAtReceiver || node == share.target
                      : node == share.source &&
                            PathOf(node, share.target).remoteDevice->GetAddress() == to;
    };
    DpdlFragmentHeader header;
    const bool isPiece = packet && FindFragmentHeader(packet, header);
    // For a frame that WiFi gave up, only sender and receiver are known, so it may belong to any
    // message from one to the other.
    for (const uint64_t number : isPiece  ? std::vector<uint64_t>{header.number}
                                 : packet ? std::vector<uint64_t>()
                                          : m_messages.Numbers())
    {
        Message* const message = m_messages.Find(number);
        for (uint32_t i = 0; message != nullptr && i < message->receivers; ++i)
        {
            DpdlReassembly& copy = message->copies[i];
            copy.loss = isHit(copy.share) ? loss : copy.loss;
        }
    }
}

void
DpdlUdpTransport::LoseSilent()
{
    for (const uint64_t number : m_messages.Numbers())
    {
        Message* const message = m_messages.Find(number);
        if (message != nullptr && !message->isLeaving && !message->isGivenUp &&
            Simulator::Now() - message->heard >= m_silenceTimeout)
        {
            GiveUp(*message);
        }
    }
    if (m_messages.Size() > m_givenUp)
    {
        Watch();
    }
}

} // namespace ns3
