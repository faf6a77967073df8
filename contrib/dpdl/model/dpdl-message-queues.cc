// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-transport.h"

#include "ns3/simulator.h"

#include <utility>

// Implements the queues of a transport for which EmptyQueues() was called. When a node sends a
// message of a newer round, its older messages that still wait are dropped. Random loss is drawn
// when the link begins to send a message.

namespace ns3
{

namespace
{

/// First index of the random numbers that order messages sent at the same time. Random numbers with
/// lower indices decide losses of shares. Losses of acknowledgements also use indices from ORDER
/// on, but acknowledgements never wait in a queue, so no random number is used twice.
constexpr uint64_t ORDER = uint64_t{1} << 48;

} // namespace

void
DpdlMessageTransport::Enqueue(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    DropOlder(share);
    const DpdlMessageLinks::Link& link = m_links.Find(share.source, share.target);
    Queue& queue = m_queues[link.serialiser];
    Time duration = m_links.SerialisationTime(link, message.GetSize());
    for (const auto& [place, other] : queue)
    {
        duration +=
            link.queue.IsUnbounded() ? Time() : m_links.SerialisationTime(link, other.GetSize());
    }
    if (!m_links.HasRoom(link, duration, queue.size()))
    {
        if (queue.empty())
        {
            m_queues.erase(link.serialiser);
        }
        Drop(share, {::dpdl::DropReason::DEVICE_QUEUE, share.source});
        return;
    }
    if (queue.empty())
    {
        AwaitSerialiser(link);
    }
    queue.emplace(std::pair(Simulator::Now(), Draw(share, ORDER)), message);
}

void
DpdlMessageTransport::DropOlder(const ::dpdl::Share& share)
{
    const uint32_t last = std::exchange(m_latest[share.source], share.round);
    for (auto queue = m_queues.begin(); queue != m_queues.end() && share.round > last;)
    {
        for (auto place = queue->second.begin(); place != queue->second.end();)
        {
            const ::dpdl::Share old = place->second.share;
            const bool isOlder = old.source == share.source && old.round < share.round;
            place = isOlder ? queue->second.erase(place) : std::next(place);
            if (isOlder)
            {
                Drop(old, {::dpdl::DropReason::NEWER_ROUND, old.source});
            }
        }
        queue = queue->second.empty() ? m_queues.erase(queue) : std::next(queue);
    }
}

void
DpdlMessageTransport::TransmitNext(uint32_t serialiser)
{
    // Several calls may be scheduled for one serializer, so an earlier call may have emptied its
    // queue.
    const auto queue = m_queues.find(serialiser);
    DpdlMessageLinks::Link link;
    link.serialiser = serialiser;
    if (queue == m_queues.end() || m_links.SerialiserOf(link).busyUntil > Simulator::Now())
    {
        return;
    }
    Transmit(queue->second.extract(queue->second.begin()).mapped());
    if (queue->second.empty())
    {
        m_queues.erase(queue);
        return;
    }
    AwaitSerialiser(link);
}

void
DpdlMessageTransport::AwaitSerialiser(const DpdlMessageLinks::Link& link)
{
    const Time wait = Max(m_links.SerialiserOf(link).busyUntil - Simulator::Now(), Time(0));
    Simulator::Schedule(wait, &DpdlMessageTransport::TransmitNext, this, link.serialiser);
}

} // namespace ns3
