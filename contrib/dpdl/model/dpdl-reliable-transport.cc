// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-reliable-transport.h"

#include "dpdl-header.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlReliableTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlReliableTransport);

namespace
{

/// Timeout before a link has answered, in transfer times: there, back, and some queueing.
constexpr int64_t TRANSFERS = 3;

/// Timeout before a link of unknown speed has answered (RFC 6298, 2.1).
const Time UNKNOWN_TIMEOUT = Seconds(1);

/// No timeout is shorter.
const Time SHORTEST_TIMEOUT = MilliSeconds(1);

/// The message that a copy, or its acknowledgement, belongs to.
std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>
KeyOf(const ::dpdl::Share& share)
{
    return share.IsAnswer() ? std::make_tuple(share.target, share.source, share.round, share.chunk)
                            : std::make_tuple(share.source, share.target, share.round, share.chunk);
}

} // namespace

TypeId
DpdlReliableTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DpdlReliableTransport")
            .SetParent<DpdlTransport>()
            .SetGroupName("Dpdl")
            .AddConstructor<DpdlReliableTransport>()
            .AddAttribute("Timeout",
                          "Time until a message is sent again; 0: by the round trips of its link, "
                          "before the first of them three times the longest transfer",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DpdlReliableTransport::m_timeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SteadyAttempts",
                          "Copies with the same timeout; it doubles for each copy after them",
                          UintegerValue(32),
                          MakeUintegerAccessor(&DpdlReliableTransport::m_steadyAttempts),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MaxTimeout",
                          "Where the doubling of the timeout ends",
                          TimeValue(Seconds(10)),
                          MakeTimeAccessor(&DpdlReliableTransport::m_maxTimeout),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("MaxAttempts",
                          "Copies of a message before it is given up",
                          UintegerValue(64),
                          MakeUintegerAccessor(&DpdlReliableTransport::m_maxAttempts),
                          MakeUintegerChecker<uint32_t>(1, ::dpdl::Share::ANSWER - 1));
    return tid;
}

void
DpdlReliableTransport::SetTransport(Ptr<DpdlTransport> transport)
{
    m_transport = transport;
}

void
DpdlReliableTransport::SetTransferTime(Time time)
{
    m_transferTime = time;
}

void
DpdlReliableTransport::SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions)
{
    DpdlTransport::SetConditions(conditions);
    m_transport->SetConditions(conditions);
}

void
DpdlReliableTransport::UpdateConditions()
{
    m_transport->UpdateConditions();
}

bool
DpdlReliableTransport::IsOver(bool here)
{
    return m_transport->IsOver(here);
}

int64_t
DpdlReliableTransport::AssignStreams(int64_t stream)
{
    return m_transport->AssignStreams(stream);
}

void
DpdlReliableTransport::DoDispose()
{
    for (auto& [key, exchange] : m_exchanges)
    {
        exchange.timer.Cancel();
    }
    m_exchanges.clear();
    if (m_transport)
    {
        m_transport->Dispose();
        m_transport = nullptr;
    }
    DpdlTransport::DoDispose();
}

void
DpdlReliableTransport::DoConnect(uint32_t node, uint32_t context)
{
    NS_ABORT_MSG_UNLESS(m_transport, "DpdlReliableTransport: SetTransport comes first");
    m_transport->Connect(
        node,
        context,
        [this](const DpdlMessage& message) { Arrive(message); },
        [this](const ::dpdl::Share& share, ::dpdl::DropReason) {
            // What the network knows is no news to the sender: it waits for its timeout.
            if (!share.IsAnswer())
            {
                EndTravel(KeyOf(share));
            }
        });
}

void
DpdlReliableTransport::SetTimeout(Exchange& exchange) const
{
    const ::dpdl::Share& share = exchange.message.share;
    const auto known = m_roundTrips.find({share.source, share.target});
    const Time transfer = m_transferTime.value_or(Time(0));
    exchange.steadyAttempts = m_steadyAttempts;
    if (!m_timeout.IsZero())
    {
        exchange.timeout = m_timeout;
    }
    else if (known != m_roundTrips.end())
    {
        // RFC 6298, 2.3. A round trip that never varied leaves half of itself for surprises.
        const auto& [mean, deviation] = known->second;
        exchange.timeout = Max(mean + Max(deviation * int64_t{4}, mean / int64_t{2}),
                               transfer + transfer / int64_t{2});
    }
    else if (m_transferTime)
    {
        exchange.timeout = transfer * TRANSFERS;
    }
    else
    {
        exchange.timeout = UNKNOWN_TIMEOUT;
        exchange.steadyAttempts = 1;
    }
    exchange.timeout = Max(exchange.timeout, SHORTEST_TIMEOUT);
    exchange.steadyTimeout = exchange.timeout;
}

void
DpdlReliableTransport::DoSend(const DpdlMessage& message)
{
    const Key key = KeyOf(message.share);
    Exchange& exchange = m_exchanges[key];
    exchange.message = message;
    exchange.sentAt = Simulator::Now();
    SetTimeout(exchange);
    SendCopy(key);
}

void
DpdlReliableTransport::SendCopy(const Key& key)
{
    Exchange& exchange = m_exchanges[key];
    DpdlMessage copy = exchange.message;
    copy.share.copy = static_cast<uint16_t>(exchange.attempts++);
    if (copy.share.copy > 0)
    {
        m_repairBytes += copy.GetSize();
    }
    ++exchange.travelling;
    exchange.timer =
        Simulator::Schedule(exchange.timeout, &DpdlReliableTransport::ReachTimeout, this, key);
    m_transport->Send(copy);
}

void
DpdlReliableTransport::ReachTimeout(Key key)
{
    Exchange& exchange = m_exchanges.at(key);
    if (exchange.attempts < m_maxAttempts)
    {
        if (exchange.attempts >= exchange.steadyAttempts)
        {
            // Chance hardly loses so many in a row: something is down.
            exchange.timeout =
                Max(exchange.timeout, Min(exchange.timeout * int64_t{2}, m_maxTimeout));
        }
        SendCopy(key);
        return;
    }
    NS_LOG_LOGIC("gives up after " << exchange.attempts << " attempts");
    const bool isLost = !exchange.isDelivered;
    const ::dpdl::Share share = exchange.message.share;
    exchange.isClosed = true;
    ++exchange.travelling;
    EndTravel(key);
    if (isLost)
    {
        Drop(share);
    }
}

void
DpdlReliableTransport::EndTravel(const Key& key)
{
    const auto entry = m_exchanges.find(key);
    --entry->second.travelling;
    // As long as a copy may arrive, it has to be known for one.
    if (entry->second.isClosed && entry->second.travelling == 0)
    {
        m_exchanges.erase(entry);
    }
}

void
DpdlReliableTransport::Arrive(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    bool isIntact = true;
    if (message.HasPacket())
    {
        DpdlHeader header;
        message.GetPacket()->PeekHeader(header);
        isIntact = header.IsValid() && header.IsOf(share);
    }
    if (isIntact && share.IsAnswer())
    {
        TakeAnswer(share);
    }
    if (isIntact && !share.IsAnswer())
    {
        TakeCopy(message);
    }
    if (!share.IsAnswer())
    {
        EndTravel(KeyOf(share));
    }
}

void
DpdlReliableTransport::Refuse(const ::dpdl::Share&)
{
    m_isRefused = true;
}

void
DpdlReliableTransport::TakeCopy(const DpdlMessage& message)
{
    Exchange& exchange = m_exchanges.at(KeyOf(message.share));
    if (!exchange.isDelivered)
    {
        if (exchange.isClosed)
        {
            return; // it counts as lost already
        }
        m_isRefused = false;
        DpdlMessage first = message;
        first.share.copy = 0;
        HandOver(first);
        if (m_isRefused)
        {
            return;
        }
        exchange.isDelivered = true;
    }
    Answer(exchange, message.share.copy);
}

void
DpdlReliableTransport::Answer(const Exchange& exchange, uint16_t copy)
{
    const ::dpdl::Share& share = exchange.message.share;
    ::dpdl::Share answer;
    answer.source = share.target;
    answer.target = share.source;
    answer.round = share.round;
    answer.chunk = share.chunk;
    answer.copy = static_cast<uint16_t>(::dpdl::Share::ANSWER | copy);
    const DpdlMessage message(answer);
    m_repairBytes += message.GetSize();
    m_transport->Send(message);
}

void
DpdlReliableTransport::TakeAnswer(const ::dpdl::Share& share)
{
    const auto entry = m_exchanges.find(KeyOf(share));
    if (entry == m_exchanges.end() || entry->second.isClosed)
    {
        return;
    }
    Exchange& exchange = entry->second;
    LearnRoundTrip(exchange, share.copy & ~::dpdl::Share::ANSWER);
    exchange.timer.Cancel();
    exchange.isClosed = true;
    ++exchange.travelling;
    EndTravel(entry->first);
}

void
DpdlReliableTransport::LearnRoundTrip(const Exchange& exchange, uint32_t copy)
{
    if (copy >= exchange.steadyAttempts)
    {
        return; // whatever was down, its round trip says little of what comes
    }
    // Copies so far have left at equal distances, the first of them at sentAt.
    const Time left = exchange.sentAt + exchange.steadyTimeout * int64_t{copy};
    const Time sample = Simulator::Now() - left;
    const ::dpdl::Share& share = exchange.message.share;
    const auto [entry, isFirst] = m_roundTrips.try_emplace({share.source, share.target});
    auto& [mean, deviation] = entry->second;
    if (isFirst)
    {
        mean = sample;
        deviation = sample / int64_t{2};
        return;
    }
    deviation = deviation + (Max(sample - mean, mean - sample) - deviation) / int64_t{4};
    mean = mean + (sample - mean) / int64_t{8};
}

} // namespace ns3
