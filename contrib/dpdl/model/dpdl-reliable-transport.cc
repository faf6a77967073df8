// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-reliable-transport.h"

#include "dpdl-type.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

// Each unacknowledged message has an exchange with a timer. Copies of one time step are sorted
// before they are sent, so their order does not depend on the order of events.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DpdlReliableTransport");
NS_OBJECT_ENSURE_REGISTERED(DpdlReliableTransport);

namespace
{

/// Initial timeout of a link as a multiple of the transfer time: one transfer each for the copy,
/// the acknowledgement and queueing.
constexpr int64_t TRANSFERS = 3;

/// Initial timeout of a link with unknown transfer time (RFC 6298, 2.1).
const Time UNKNOWN_TIMEOUT = Seconds(1);

/// Minimum retransmission timeout.
const Time SHORTEST_TIMEOUT = MilliSeconds(1);

} // namespace

DpdlReliableTransport::Key
DpdlReliableTransport::KeyOf(const ::dpdl::Share& share)
{
    return share.IsAnswer() ? std::make_tuple(share.target, share.source, share.round, share.chunk)
                            : std::make_tuple(share.source, share.target, share.round, share.chunk);
}

TypeId
DpdlReliableTransport::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlReliableTransport, DpdlTransport>("ns3::DpdlReliableTransport")
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
DpdlReliableTransport::SetConditions(std::shared_ptr<const ::dpdl::NetworkState> conditions)
{
    DpdlTransport::SetConditions(conditions);
    m_transport->SetConditions(conditions);
}

bool
DpdlReliableTransport::IsOver(bool here)
{
    return m_transport->IsOver(here && m_exchanges.empty());
}

void
DpdlReliableTransport::SetGateway(std::shared_ptr<DpdlGateway> gateway)
{
    DpdlTransport::SetGateway(gateway);
    m_ranks = gateway;
    m_ranks->SetDelivered([this](const ::dpdl::Share& share) { return IsDelivered(share); });
    m_transport->SetGateway(std::move(gateway));
}

void
DpdlReliableTransport::DoDispose()
{
    for (auto& [key, exchange] : m_exchanges)
    {
        exchange.timer.Cancel();
    }
    m_exchanges.clear();
    m_leaving.clear();
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
        // As in a real network, the sender is not notified of a loss: it waits for its timeout.
        [](const ::dpdl::Share&, const ::dpdl::MessageLoss&) {});
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
        // RFC 6298, 2.3. The margin over the mean round trip is at least half the mean.
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
    const auto [entry, isNew] = m_exchanges.try_emplace(key);
    if (!isNew)
    {
        return; // after a crash a node sends the shares of its round again: keep the exchange that
                // is in progress
    }
    Exchange& exchange = entry->second;
    exchange.message = message;
    exchange.sentAt = Simulator::Now();
    SetTimeout(exchange);
    exchange.message.givenUpAt = GiveUpTime(exchange);
    SendCopy(key);
}

/// Next timeout after a copy that was not acknowledged: doubled, but at most MaxTimeout, since the
/// link or node is probably down.
Time
DpdlReliableTransport::Longer(Time timeout) const
{
    return Max(timeout, Min(timeout * int64_t{2}, m_maxTimeout));
}

/// Time at which the sender gives up a message that is never acknowledged.
Time
DpdlReliableTransport::GiveUpTime(const Exchange& exchange) const
{
    Time timeout = exchange.timeout;
    Time end = exchange.sentAt + timeout;
    for (uint32_t attempts = 1; attempts < m_maxAttempts; ++attempts)
    {
        timeout = attempts >= exchange.steadyAttempts ? Longer(timeout) : timeout;
        end += timeout;
    }
    return end;
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
    exchange.timer =
        Simulator::Schedule(exchange.timeout, &DpdlReliableTransport::ReachTimeout, this, key);
    Transmit(copy);
}

void
DpdlReliableTransport::Transmit(const DpdlMessage& message)
{
    if (m_leaving.empty())
    {
        // Flush after all events that are already scheduled for this time, and after the events
        // that these schedule: a node that mixes now may still send.
        Simulator::ScheduleNow(
            [this] { Simulator::ScheduleNow(&DpdlReliableTransport::Flush, this); });
    }
    m_leaving.push_back(message);
}

/// Sends the messages of m_leaving, sorted by source, kind, target, round, chunk and copy.
void
DpdlReliableTransport::Flush()
{
    const auto order = [](const DpdlMessage& message) {
        const ::dpdl::Share& share = message.share;
        return std::make_tuple(share.source,
                               share.IsAnswer(),
                               share.target,
                               share.round,
                               share.chunk,
                               share.copy);
    };
    std::vector<DpdlMessage> leaving;
    leaving.swap(m_leaving);
    std::sort(leaving.begin(), leaving.end(), [&](const DpdlMessage& a, const DpdlMessage& b) {
        return order(a) < order(b);
    });
    for (const DpdlMessage& message : leaving)
    {
        m_transport->Send(message);
    }
}

void
DpdlReliableTransport::ReachTimeout(Key key)
{
    Exchange& exchange = m_exchanges.at(key);
    if (exchange.attempts < m_maxAttempts)
    {
        if (exchange.attempts >= exchange.steadyAttempts)
        {
            exchange.timeout = Longer(exchange.timeout);
        }
        SendCopy(key);
        return;
    }
    NS_LOG_LOGIC("gives up after " << exchange.attempts << " attempts");
    const ::dpdl::Share share = exchange.message.share;
    m_exchanges.erase(key);
    const bool isDecidedElsewhere = m_ranks && m_ranks->Close(share, GivenUp(share));
    if (!isDecidedElsewhere && !IsDelivered(share))
    {
        Drop(share, GivenUp(share));
    }
}

bool
DpdlReliableTransport::IsDelivered(const ::dpdl::Share& share) const
{
    const auto rounds = m_delivered.find({share.source, share.target, share.chunk});
    return rounds != m_delivered.end() && share.round < rounds->second.size() &&
           rounds->second[share.round];
}

/// True if the sender has already given up the message of an arriving copy.
bool
DpdlReliableTransport::IsGivenUp(const DpdlMessage& message) const
{
    const bool isElsewhere = m_ranks && m_ranks->IsElsewhere(message.share.source);
    return isElsewhere ? Simulator::Now() >= message.givenUpAt
                       : m_exchanges.count(KeyOf(message.share)) == 0;
}

} // namespace ns3
