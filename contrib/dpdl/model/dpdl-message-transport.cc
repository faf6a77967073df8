// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-transport.h"

#include "dpdl/base/registry.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// Rounds of an aperiodic graph that a transfer is estimated over.
constexpr ::dpdl::Round ROUNDS_LOOKED_AT = 64;

void
RequireOneOf(const std::string& attribute,
             const std::string& value,
             const std::vector<std::string>& accepted)
{
    if (std::find(accepted.begin(), accepted.end(), value) == accepted.end())
    {
        ::dpdl::ThrowUnknownName("attribute '" + attribute + "':", value, accepted);
    }
}

} // namespace

NS_LOG_COMPONENT_DEFINE("DpdlMessageTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlMessageTransport);

TypeId
DpdlMessageTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DpdlMessageTransport")
            .SetParent<DpdlTransport>()
            .SetGroupName("Dpdl")
            .AddConstructor<DpdlMessageTransport>()
            .AddAttribute("DataRate",
                          "Rate at which a directed link serialises messages",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&DpdlMessageTransport::m_dataRate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Latency of a directed link",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&DpdlMessageTransport::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DropProbability",
                          "Probability that a directed link drops a message",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlMessageTransport::m_dropProbability),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("MessageOverhead",
                          "Bytes that every link adds to a message",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DpdlMessageTransport::m_messageOverhead),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PacketSize",
                          "Bytes of a message that fit into one packet; 0: all of them",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DpdlMessageTransport::m_packetSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PacketOverhead",
                          "Bytes of headers that each packet of a message adds",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DpdlMessageTransport::m_packetOverhead),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Hops",
                          "Devices in a row that store a packet before they send it on",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DpdlMessageTransport::m_hops),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("QueueLimit",
                          "What may wait for a link: none, 64000B, or 5msg; none: no limit",
                          StringValue("none"),
                          MakeStringAccessor(&DpdlMessageTransport::m_queueLimit),
                          MakeStringChecker())
            .AddAttribute("Sharing",
                          "Links that share one serialiser: none, uplink (those that leave a "
                          "node), or downlink (those that reach it)",
                          StringValue("none"),
                          MakeStringAccessor(&DpdlMessageTransport::m_sharing),
                          MakeStringChecker())
            .AddAttribute("Discipline",
                          "How a serialiser sends: fifo, or fair (all messages at once)",
                          StringValue("fifo"),
                          MakeStringAccessor(&DpdlMessageTransport::m_discipline),
                          MakeStringChecker());
    return tid;
}

DpdlMessageTransport::DpdlMessageTransport()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
DpdlMessageTransport::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_random->SetStream(stream);
    m_seeded = false;
    return 1;
}

void
DpdlMessageTransport::DoDispose()
{
    m_random = nullptr;
    m_links.clear();
    m_serialisers.clear();
    m_sending.clear();
    DpdlTransport::DoDispose();
}

::dpdl::LinkParameters
DpdlMessageTransport::LinkDefaults() const
{
    RequireOneOf("Sharing", m_sharing, {"none", "uplink", "downlink"});
    RequireOneOf("Discipline", m_discipline, {"fifo", "fair"});
    ::dpdl::LinkParameters link;
    link.dataRate = static_cast<double>(m_dataRate.GetBitRate());
    link.delay = m_delay.GetSeconds();
    link.drop = m_dropProbability;
    link.overhead = m_messageOverhead;
    link.queue = ::dpdl::ParseQueueLimit("attribute 'QueueLimit'", m_queueLimit);
    return link;
}

void
DpdlMessageTransport::SetLinks(std::shared_ptr<const ::dpdl::LinkTable> links)
{
    m_table = std::move(links);
}

bool
DpdlMessageTransport::IsPlain() const
{
    return !m_table && m_sharing == "none" && m_hops == 1 && m_messageOverhead == 0 &&
           m_packetOverhead == 0;
}

double
DpdlMessageTransport::TransferSeconds(const ::dpdl::GraphSequence& graph, uint64_t bytes)
{
    double longest = 0.0;
    const ::dpdl::Round rounds = graph.Period() > 0 ? graph.Period() : ROUNDS_LOOKED_AT;
    for (::dpdl::Round round = 0; round < rounds; ++round)
    {
        std::vector<std::pair<double, double>> busy; // of each serialiser: total, longest latency
        for (::dpdl::NodeId source = 0; source < graph.Nodes(); ++source)
        {
            for (const ::dpdl::NodeId target : graph.OutNeighbours(source, round))
            {
                Link& link = FindLink(source, target);
                busy.resize(m_serialisers.size());
                auto& [total, latency] = busy[link.serialiser];
                total += SerialisationTime(link, bytes).GetSeconds();
                latency = std::max(latency, Latency(link, bytes).GetSeconds());
                longest = std::max(longest, total + latency);
            }
        }
    }
    return longest;
}

uint64_t
DpdlMessageTransport::WireBytes(uint64_t size) const
{
    const uint64_t packets = m_packetSize == 0 ? 1 : (size + m_packetSize - 1) / m_packetSize;
    return size + packets * m_packetOverhead;
}

DpdlMessageTransport::Link&
DpdlMessageTransport::FindLink(uint32_t source, uint32_t target)
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
        link = links.insert(link, MakeLink(source, target));
    }
    next = link - links.begin() + 1;
    return *link;
}

DpdlMessageTransport::Link
DpdlMessageTransport::MakeLink(uint32_t source, uint32_t target)
{
    Link link;
    link.target = target;
    uint32_t group = 0;
    if (m_table)
    {
        const ::dpdl::LinkParameters parameters = m_table->At(source, target);
        link.rate = DataRate(static_cast<uint64_t>(std::llround(parameters.dataRate)));
        link.delay = Seconds(parameters.delay);
        link.drop = parameters.drop;
        link.overhead = static_cast<uint32_t>(std::llround(parameters.overhead));
        link.queue = parameters.queue;
        group = parameters.group;
    }
    else
    {
        link.rate = m_dataRate;
        link.delay = m_delay;
        link.drop = m_dropProbability;
        link.overhead = m_messageOverhead;
        link.queue = LinkDefaults().queue;
    }
    link.serialiser = FindSerialiser(source, target, group);
    return link;
}

uint32_t
DpdlMessageTransport::FindSerialiser(uint32_t source, uint32_t target, uint32_t group)
{
    auto index = static_cast<uint32_t>(m_serialisers.size());
    if (group != 0)
    {
        index = m_shared.try_emplace({'g', group}, index).first->second;
    }
    else if (m_sharing != "none")
    {
        const uint32_t end = m_sharing == "uplink" ? source : target;
        index = m_shared.try_emplace({'n', end}, index).first->second;
    }
    if (index == m_serialisers.size())
    {
        m_serialisers.emplace_back();
        if (m_discipline == "fair")
        {
            m_serialisers.back().fair =
                std::make_unique<DpdlFairSerialiser>([this](uint32_t slot) { EndFairly(slot); });
        }
    }
    return index;
}

Time
DpdlMessageTransport::SerialisationTime(Link& link, uint64_t size) const
{
    if (link.lastBytes != size)
    {
        const uint64_t bytes = WireBytes(size) + link.overhead;
        link.lastBytes = size;
        link.lastTime = link.rate.CalculateBytesTxTime(static_cast<uint32_t>(bytes));
    }
    return link.lastTime;
}

Time
DpdlMessageTransport::Latency(const Link& link, uint64_t size) const
{
    if (m_hops == 1)
    {
        return link.delay;
    }
    return link.delay + PacketTime(link, size) * static_cast<int64_t>(m_hops - 1);
}

Time
DpdlMessageTransport::PacketTime(const Link& link, uint64_t size) const
{
    const uint64_t packet = m_packetSize == 0 ? size : std::min<uint64_t>(size, m_packetSize);
    return link.rate.CalculateBytesTxTime(static_cast<uint32_t>(packet + m_packetOverhead));
}

DpdlMessageTransport::Link&
DpdlMessageTransport::Under(const ::dpdl::LinkCondition& condition, Link& link, Link& changed)
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

bool
DpdlMessageTransport::HasRoom(const Link& link, Serialiser& serialiser, Time duration)
{
    if (link.queue.IsUnbounded())
    {
        return true;
    }
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
    const size_t messages = serialiser.fair ? serialiser.fair->Messages() : serialiser.ends.size();
    return link.queue.messages == 0 || messages < link.queue.messages;
}

void
DpdlMessageTransport::DoSend(const ::dpdl::Share& share, Ptr<Packet> packet)
{
    Link changed;
    const ::dpdl::LinkCondition condition = LinkConditionOf(share);
    Link& link = Under(condition, FindLink(share.source, share.target), changed);
    Serialiser& serialiser = m_serialisers[link.serialiser];
    const uint64_t size = packet->GetSize();
    const Time duration = SerialisationTime(link, size);
    if (!HasRoom(link, serialiser, duration))
    {
        Drop(share);
        return;
    }
    const Time now = Simulator::Now();
    serialiser.busyUntil = std::max(serialiser.busyUntil, now) + duration;
    const bool byFailure = IsLostByFailure(share, condition);
    const bool lost = IsDropped(share, link.drop) || byFailure;
    if (serialiser.fair)
    {
        const Time turn = m_packetSize == 0 ? Time(0) : PacketTime(link, size);
        SendFairly(serialiser, duration, turn, {share, packet, Latency(link, size), now, lost});
    }
    else
    {
        if (link.queue.messages > 0)
        {
            serialiser.ends.push_back(serialiser.busyUntil);
        }
        if (!lost)
        {
            Deliver(share, packet, serialiser.busyUntil - now + Latency(link, size), duration);
        }
    }
    if (lost)
    {
        Drop(share);
    }
}

void
DpdlMessageTransport::SendFairly(Serialiser& serialiser, Time duration, Time turn, Sending sending)
{
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<uint32_t>(m_sending.size()));
        m_sending.emplace_back();
    }
    const uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_sending[slot] = std::move(sending);
    serialiser.fair->Add(duration, turn, slot);
}

void
DpdlMessageTransport::EndFairly(uint32_t slot)
{
    const Sending sending = std::move(m_sending[slot]);
    m_freeSlots.push_back(slot);
    if (!sending.lost)
    {
        const Time arriving = Simulator::Now() - sending.begin;
        Deliver(sending.share, sending.packet, sending.latency, arriving);
    }
}

bool
DpdlMessageTransport::IsDropped(const ::dpdl::Share& share, double probability)
{
    if (probability <= 0.0)
    {
        return false;
    }
    if (!m_seeded)
    {
        const uint32_t highest = std::numeric_limits<uint32_t>::max();
        m_seed.seed = m_random->GetInteger(0, highest);
        m_seed.run = m_random->GetInteger(0, highest);
        m_seeded = true;
    }
    const ::dpdl::RandomStream stream(m_seed,
                                      ::dpdl::RandomPurpose::LINK_LOSS,
                                      share.source,
                                      share.round);
    // Every chunk, and every transmission of it, has a draw of its own.
    // Elements have 49 bits: one for acknowledgements, 16 for the chunk, 15 for the copy, the rest.
    const uint64_t message = (static_cast<uint64_t>(share.copy >> 15) << 48) |
                             (static_cast<uint64_t>(share.chunk) << 32) |
                             (static_cast<uint64_t>(share.copy & 0x7fff) << 17) | share.target;
    return stream.Uniform(message) < probability;
}

} // namespace ns3
