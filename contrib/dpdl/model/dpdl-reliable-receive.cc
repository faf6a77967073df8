// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-header.h"
#include "dpdl-reliable-transport.h"

#include "ns3/simulator.h"

#include <algorithm>

// The receiving half of DpdlReliableTransport: it acknowledges arriving copies, and learns round
// trip times from arriving acknowledgements.

namespace ns3
{

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
}

void
DpdlReliableTransport::TakeCopy(const DpdlMessage& message)
{
    const ::dpdl::Share& share = message.share;
    if (!IsDelivered(share))
    {
        if (IsGivenUp(message))
        {
            return;
        }
        m_isRefused = false;
        DpdlMessage first = message;
        first.share.copy = 0;
        HandOver(first);
        if (m_isRefused)
        {
            return;
        }
        std::vector<bool>& rounds = m_delivered[{share.source, share.target, share.chunk}];
        rounds.resize(std::max<std::size_t>(rounds.size(), share.round + 1));
        rounds[share.round] = true;
    }
    Answer(share);
}

void
DpdlReliableTransport::Answer(const ::dpdl::Share& share)
{
    ::dpdl::Share answer;
    answer.source = share.target;
    answer.target = share.source;
    answer.round = share.round;
    answer.chunk = share.chunk;
    answer.copy = static_cast<uint16_t>(::dpdl::Share::ANSWER | share.copy);
    const DpdlMessage message(answer);
    m_repairBytes += message.GetSize();
    Transmit(message);
}

void
DpdlReliableTransport::TakeAnswer(const ::dpdl::Share& share)
{
    const auto entry = m_exchanges.find(KeyOf(share));
    if (entry == m_exchanges.end())
    {
        return;
    }
    Exchange& exchange = entry->second;
    LearnRoundTrip(exchange, share.copy & ~::dpdl::Share::ANSWER);
    exchange.timer.Cancel();
    if (m_ranks)
    {
        m_ranks->Close(exchange.message.share, GivenUp(exchange.message.share));
    }
    m_exchanges.erase(entry);
}

void
DpdlReliableTransport::LearnRoundTrip(const Exchange& exchange, uint32_t copy)
{
    if (copy >= exchange.steadyAttempts)
    {
        return; // after a doubled timeout the round trip may include an outage: take no sample
    }
    // Copies up to this one were sent at intervals of steadyTimeout, copy 0 at sentAt.
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
