// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-links.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

// Creates links and serializers on demand. Links of a node are sorted by target. Nodes usually send
// to their targets in this order, so a search first tries the successor of the link that was found
// last.

namespace ns3
{

void
DpdlMessageLinks::Configure(const Wire& wire, std::shared_ptr<const ::dpdl::LinkTable> table)
{
    m_wire = wire;
    m_table = std::move(table);
}

void
DpdlMessageLinks::Clear()
{
    m_links.clear();
    m_nextLink.clear();
    m_serialisers.clear();
    m_shared.clear();
}

DpdlMessageLinks::Link&
DpdlMessageLinks::Find(uint32_t source, uint32_t target)
{
    if (source >= m_links.size())
    {
        m_links.resize(source + 1);
        m_nextLink.resize(source + 1, 0);
    }
    std::vector<Link>& links = m_links[source];
    size_t& next = m_nextLink[source];
    if (next < links.size() && links[next].target == target)
    {
        return links[next++];
    }
    auto link = std::lower_bound(links.begin(), links.end(), target, [](const Link& a, uint32_t b) {
        return a.target < b;
    });
    if (link == links.end() || link->target != target)
    {
        link = links.insert(link, Describe(source, target));
        link->serialiser = FindSerialiser(source, target, link->group);
    }
    next = link - links.begin() + 1;
    return *link;
}

DpdlMessageLinks::Link
DpdlMessageLinks::Describe(uint32_t source, uint32_t target) const
{
    Link link = LinkOf(m_table->At(source, target));
    link.target = target;
    return link;
}

DpdlMessageLinks::Link
DpdlMessageLinks::LinkOf(const ::dpdl::LinkParameters& parameters)
{
    Link link;
    link.rate = DataRate(static_cast<uint64_t>(std::llround(parameters.dataRate)));
    link.delay = Seconds(parameters.delay);
    link.drop = parameters.drop;
    link.overhead = static_cast<uint32_t>(std::llround(parameters.overhead));
    link.queue = parameters.queue;
    link.group = parameters.group;
    return link;
}

const DpdlMessageLinks::Link&
DpdlMessageLinks::Under(const ::dpdl::LinkCondition& condition, const Link& link, Link& changed)
{
    if (!condition.rate.has_value() && !condition.delay.has_value())
    {
        return link;
    }
    changed = link;
    changed.lastBytes = 0;
    if (condition.rate.has_value())
    {
        changed.rate = DataRate(std::max<uint64_t>(1, std::llround(*condition.rate)));
    }
    if (condition.delay.has_value())
    {
        changed.delay = Seconds(*condition.delay);
    }
    return changed;
}

uint32_t
DpdlMessageLinks::FindSerialiser(uint32_t source, uint32_t target, uint32_t group)
{
    auto index = static_cast<uint32_t>(m_serialisers.size());
    if (group != 0)
    {
        index = m_shared.try_emplace({'g', group}, index).first->second;
    }
    else if (m_wire.sharing != "none")
    {
        const uint32_t end = m_wire.sharing == "uplink" ? source : target;
        index = m_shared.try_emplace({'n', end}, index).first->second;
    }
    if (index == m_serialisers.size())
    {
        m_serialisers.emplace_back();
        if (m_wire.discipline == "fair")
        {
            m_serialisers.back().fair = std::make_unique<DpdlSharedSerializer>();
        }
    }
    return index;
}

Time
DpdlMessageLinks::SerialisationTime(const Link& link, uint64_t size) const
{
    if (link.lastBytes != size)
    {
        const uint64_t full =
            m_wire.packetSize == 0 ? std::max<uint64_t>(size, 1) : m_wire.packetSize;
        const uint64_t packets = (size + full - 1) / full;
        const uint64_t bytes = size + link.overhead + packets * m_wire.packetOverhead;
        link.lastBytes = size;
        link.lastTime = link.rate.CalculateBytesTxTime(static_cast<uint32_t>(bytes));
    }
    return link.lastTime;
}

Time
DpdlMessageLinks::Latency(const Link& link, uint64_t size) const
{
    if (m_wire.hops == 1)
    {
        return link.delay;
    }
    return link.delay + PacketTime(link, size) * static_cast<int64_t>(m_wire.hops - 1);
}

Time
DpdlMessageLinks::PacketTime(const Link& link, uint64_t size) const
{
    const uint64_t packet =
        m_wire.packetSize == 0 ? size : std::min<uint64_t>(size, m_wire.packetSize);
    return link.rate.CalculateBytesTxTime(static_cast<uint32_t>(packet + m_wire.packetOverhead));
}

bool
DpdlMessageLinks::HasRoom(const Link& link, Time duration, size_t waiting)
{
    if (link.queue.IsUnbounded())
    {
        return true;
    }
    Serialiser& serialiser = SerialiserOf(link);
    const Time now = Simulator::Now();
    if (link.queue.bytes > 0)
    {
        const Time backlog = Max(serialiser.busyUntil - now, Time(0)) + duration;
        const auto limit = static_cast<double>(link.queue.bytes) * 8.0;
        if (backlog.GetSeconds() * static_cast<double>(link.rate.GetBitRate()) > limit)
        {
            return false;
        }
    }
    while (!serialiser.ends.empty() && serialiser.ends.front() <= now)
    {
        serialiser.ends.pop_front();
    }
    const size_t sent = serialiser.fair ? serialiser.fair->Messages() : serialiser.ends.size();
    return link.queue.messages == 0 || sent + waiting < link.queue.messages;
}

DpdlSharedSerializer::~DpdlSharedSerializer()
{
    m_event.Cancel();
}

void
DpdlSharedSerializer::Add(Time duration, Time packet, std::function<void()> done)
{
    const uint32_t message = m_messages.Add(std::move(done));
    m_share.Add(Simulator::Now().GetSeconds(), duration.GetSeconds(), message, packet.GetSeconds());
    Reschedule();
}

void
DpdlSharedSerializer::Reschedule()
{
    m_event.Cancel();
    if (!m_share.IsEmpty())
    {
        const Time wait = Max(Seconds(m_share.NextEnd()) - Simulator::Now(), Time(0));
        m_event = Simulator::Schedule(wait, &DpdlSharedSerializer::End, this);
    }
}

void
DpdlSharedSerializer::End()
{
    const auto done = m_messages.Take(m_share.TakeNext(Simulator::Now().GetSeconds()));
    Reschedule();
    done();
}

} // namespace ns3
