// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-transport.h"

#include "dpdl-type.h"
#include "dpdl/base/codec.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

// The queue limit, the transmission time and the losses of a message are computed when its link
// begins to send it. Later its arrival is an event and, with Discipline fair, also the end of its
// transmission.

namespace ns3
{

namespace
{

/// Number of a transmission, distinct for all transmissions of one sender in one round. It has 49
/// bits: 1 for acknowledgements, 16 for the chunk, 15 for the copy, and 17 for the target.
uint64_t
NumberOf(const ::dpdl::Share& share)
{
    return (static_cast<uint64_t>(share.copy >> 15) << 48) |
           (static_cast<uint64_t>(share.chunk) << 32) |
           (static_cast<uint64_t>(share.copy & 0x7fff) << 17) | share.target;
}

} // namespace

NS_LOG_COMPONENT_DEFINE("DpdlMessageTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlMessageTransport);

TypeId
DpdlMessageTransport::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlMessageTransport, DpdlTransport>("ns3::DpdlMessageTransport")
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
    return 1 + (m_lossModel ? m_lossModel->AssignStreams(stream + 1) : 0);
}

void
DpdlMessageTransport::DoDispose()
{
    m_random = nullptr;
    if (m_lossModel)
    {
        m_lossModel->Dispose();
        m_lossModel = nullptr;
    }
    m_links.Clear();
    m_sending = 0;
    m_queues.clear();
    DpdlTransport::DoDispose();
}

::dpdl::LinkParameters
DpdlMessageTransport::LinkDefaults() const
{
    const ::dpdl::Choices<bool> sharing{{"none", false}, {"uplink", true}, {"downlink", true}};
    ::dpdl::ChoiceOf("attribute 'Sharing'", m_sharing, sharing);
    const ::dpdl::Choices<bool> isFair{{"fifo", false}, {"fair", true}};
    ::dpdl::ChoiceOf("attribute 'Discipline'", m_discipline, isFair);
    ::dpdl::LinkParameters link;
    link.dataRate = static_cast<double>(m_dataRate.GetBitRate());
    link.delay = m_delay.GetSeconds();
    link.drop = m_dropProbability;
    link.overhead = m_messageOverhead;
    link.queue = ::dpdl::ParseQueueLimit("attribute 'QueueLimit'", m_queueLimit);
    return link;
}

void
DpdlMessageTransport::Prepare()
{
    if (!m_isPrepared)
    {
        const auto defaults = std::make_shared<::dpdl::LinkTable>(NodeCount(), LinkDefaults());
        m_links.Configure({m_packetSize, m_packetOverhead, m_hops, m_sharing, m_discipline},
                          m_table ? m_table : defaults);
        m_isPrepared = true;
    }
}

Time
DpdlMessageTransport::ShortestTime(::dpdl::LinkParameters fastest,
                                   uint64_t bytes,
                                   const std::vector<::dpdl::FailureEvent>& failures)
{
    Prepare();
    for (const ::dpdl::FailureEvent& event : failures)
    {
        if (event.kind == ::dpdl::FailureKind::LINK_DELAY)
        {
            fastest.delay = std::min(fastest.delay, event.value);
        }
        if (event.kind == ::dpdl::FailureKind::LINK_RATE)
        {
            fastest.dataRate = std::max(fastest.dataRate, event.value);
        }
    }
    const DpdlMessageLinks::Link link = DpdlMessageLinks::LinkOf(fastest);
    const Time latency = m_links.Latency(link, bytes);
    // With Discipline fair, messages share the data rate, so the end of a transmission is unknown
    // until it occurs. Only the latency is certain.
    return m_discipline == "fair" ? latency : m_links.SerialisationTime(link, bytes) + latency;
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
    Prepare();
    double longest = 0.0;
    // The edges of an aperiodic graph are not known in advance: any pair of nodes may be an edge.
    const uint64_t nodes = graph.Nodes();
    for (uint64_t pair = 0; graph.Period() == 0 && pair < (m_table ? nodes * nodes : 2); ++pair)
    {
        const DpdlMessageLinks::Link link = m_links.Describe(static_cast<uint32_t>(pair / nodes),
                                                             static_cast<uint32_t>(pair % nodes));
        const Time time = m_links.SerialisationTime(link, bytes) + m_links.Latency(link, bytes);
        longest = std::max(longest, time.GetSeconds());
    }
    for (::dpdl::Round round = 0; round < graph.Period(); ++round)
    {
        /// By serializer: total transmission time of its messages, and longest latency of its
        /// links, in s.
        std::vector<std::pair<double, double>> busy;
        ::dpdl::ForEachEdge(graph, round, round + 1, [&](auto source, auto target) {
            DpdlMessageLinks::Link& link = m_links.Find(source, target);
            busy.resize(std::max<size_t>(busy.size(), link.serialiser + 1));
            auto& [total, latency] = busy[link.serialiser];
            total += m_links.SerialisationTime(link, bytes).GetSeconds();
            latency = std::max(latency, m_links.Latency(link, bytes).GetSeconds());
            longest = std::max(longest, total + latency);
        });
    }
    return longest;
}

void
DpdlMessageTransport::DoSend(const DpdlMessage& message)
{
    Prepare();
    if (m_emptiesQueues && m_discipline != "fair")
    {
        Enqueue(message);
        return;
    }
    Transmit(message);
}

void
DpdlMessageTransport::Transmit(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    DpdlMessageLinks::Link changed;
    const ::dpdl::LinkCondition condition = LinkConditionOf(share);
    const DpdlMessageLinks::Link& link =
        DpdlMessageLinks::Under(condition, m_links.Find(share.source, share.target), changed);
    DpdlMessageLinks::Serialiser& serialiser = m_links.SerialiserOf(link);
    const uint64_t size = message.GetSize();
    const Time duration = m_links.SerialisationTime(link, size);
    if (!m_links.HasRoom(link, duration))
    {
        Drop(share, {::dpdl::DropReason::DEVICE_QUEUE, share.source});
        return;
    }
    const Time now = Simulator::Now();
    serialiser.busyUntil = std::max(serialiser.busyUntil, now) + duration;
    const bool byFailure = IsLostByFailure(share, condition);
    const bool byModel = m_lossModel && m_lossModel->IsLost(share, message.GetPacket());
    // A program may change attribute DropProbability during a run, so read it for every message.
    const double drop = m_table ? link.drop : m_dropProbability;
    const bool byLink = (drop > 0.0 && Draw(share, 0) < drop) || byModel;
    const bool lost = byLink || byFailure;
    if (serialiser.fair)
    {
        SendFairly(message, link, duration, lost);
    }
    else
    {
        if (link.queue.messages > 0)
        {
            serialiser.ends.push_back(serialiser.busyUntil);
        }
        if (!lost)
        {
            const Time wait = serialiser.busyUntil - now + m_links.Latency(link, size);
            Deliver(message, wait, duration);
        }
    }
    if (lost)
    {
        using ::dpdl::DropReason;
        Drop(share, {byLink ? DropReason::LINK : DropReason::FAILURE, share.target});
    }
}

void
DpdlMessageTransport::SendFairly(const DpdlMessage& message,
                                 const DpdlMessageLinks::Link& link,
                                 Time duration,
                                 bool lost)
{
    // With PacketSize, messages alternate packet by packet; without it, they share the data rate
    // continuously.
    const uint64_t size = message.GetSize();
    const Time turn = m_packetSize == 0 ? Time(0) : m_links.PacketTime(link, size);
    const auto end =
        [this, message, latency = m_links.Latency(link, size), lost, begin = Simulator::Now()] {
            --m_sending;
            if (!lost)
            {
                Deliver(message, latency, Simulator::Now() - begin);
            }
        };
    ++m_sending;
    m_links.SerialiserOf(link).fair->Add(duration, turn, end);
}

bool
DpdlMessageTransport::HasMessages() const
{
    return !m_queues.empty() || m_sending > 0 || DpdlTransport::HasMessages();
}

double
DpdlMessageTransport::Draw(const ::dpdl::Share& share, uint64_t first)
{
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
    return stream.Uniform(first + NumberOf(share));
}

} // namespace ns3
