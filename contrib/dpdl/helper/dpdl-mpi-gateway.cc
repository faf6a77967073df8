// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-mpi-gateway.h"

#include "dpdl/base/errors.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

// A rank writes each message for a node of another rank into a DpdlRankMessage. Before each window
// of simulated time, all ranks exchange these messages. The target's rank then schedules the
// arrival of each received message as an event of its simulator.

namespace ns3
{

namespace
{

/// Key of a message in m_rows and m_repeated: source, target, round and chunk of its share.
std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>
KeyOf(const ::dpdl::Share& share)
{
    return {share.source, share.target, share.round, share.chunk};
}

} // namespace

DpdlMpiGateway::DpdlMpiGateway(::dpdl::Experiment& experiment,
                               Time lookAhead,
                               Time feedback,
                               MPI_Comm communicator)
    : m_experiment(experiment),
      m_lookAhead(static_cast<uint64_t>(lookAhead.GetTimeStep())),
      m_feedback(feedback),
      m_payload(std::make_shared<DpdlPayload>(
          experiment.Settings().chunks,
          experiment.Settings().compression,
          experiment.Settings().payloadBytes ? &experiment.Parameters() : nullptr)),
      m_exchange(experiment.Settings().part.ranks,
                 experiment.Settings().chunks,
                 experiment.Parameters(),
                 communicator)
{
    SetDpdlRankScheduler(this);
    experiment.Settings().rankLink->reportMix = [this](auto node, auto round, const auto& shares) {
        Report(node, round, shares);
    };
}

DpdlMpiGateway::~DpdlMpiGateway()
{
    SetDpdlRankScheduler(nullptr);
}

DpdlRankMessage&
DpdlMpiGateway::Cross(const ::dpdl::Share& share, ::dpdl::NodeId node)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    return m_exchange.Add(share,
                          run.part.RankOf(node, run.nodes),
                          static_cast<uint64_t>(Simulator::Now().GetTimeStep()));
}

void
DpdlMpiGateway::Announce(const ::dpdl::Share& share)
{
    if (share.IsAnnouncement())
    {
        return; // announced sensitivities have neither a trace row nor a running sum
    }
    if (Policy() == ::dpdl::LossPolicy::RELIABLE && share.copy == 0)
    {
        m_repeated.try_emplace(KeyOf(share), false);
    }
    if (Policy() == ::dpdl::LossPolicy::RUNNING_SUM)
    {
        m_experiment.Recorder().HandOver(share);
        Cross(share, share.target).kind = DpdlRankMessage::Kind::OWED;
    }
}

void
DpdlMpiGateway::Send(const DpdlMessage& message, Time delay, Time arriving)
{
    const ::dpdl::Share& share = message.share;
    const Time arrival = Simulator::Now() + delay;
    if (static_cast<uint64_t>(delay.GetTimeStep()) < m_lookAhead)
    {
        throw ::dpdl::Error("a message to another rank takes less than the look-ahead");
    }
    const auto repeated = share.IsAnswer() ? m_repeated.end() : m_repeated.find(KeyOf(share));
    const bool isRepeated = repeated != m_repeated.end();
    const bool isClosed =
        share.IsAnnouncement() || (Policy() == ::dpdl::LossPolicy::RELIABLE && !isRepeated);
    const bool hasCrossed = isClosed || Policy() == ::dpdl::LossPolicy::RUNNING_SUM ||
                            (isRepeated && std::exchange(repeated->second, true));
    if (!hasCrossed)
    {
        m_experiment.Recorder().HandOver(share);
    }
    DpdlRankMessage& crossing = Cross(share, share.target);
    crossing.kind = DpdlRankMessage::Kind::ARRIVAL;
    crossing.arrival = static_cast<uint64_t>(arrival.GetTimeStep());
    crossing.arriving = arriving.GetTimeStep();
    crossing.givenUpAt = message.givenUpAt.GetTimeStep();
    crossing.isClosed = isClosed;
    m_earliest = std::min(m_earliest, crossing.arrival);
}

bool
DpdlMpiGateway::Lose(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss)
{
    const double now = Simulator::Now().GetSeconds();
    const bool isSenderHere = !IsElsewhere(share.source);
    if (share.IsAnnouncement())
    {
        return !isSenderHere; // the sender does not react to the loss of an announced sensitivity
    }
    if (isSenderHere && Policy() != ::dpdl::LossPolicy::RUNNING_SUM)
    {
        return false;
    }
    if (Policy() == ::dpdl::LossPolicy::RELIABLE)
    {
        return true; // the loss of one copy does not decide a retransmitted message's fate
    }
    if (!isSenderHere && Policy() != ::dpdl::LossPolicy::REFUND)
    {
        m_experiment.Context().Lose(share, loss, now);
        return true;
    }
    if (!isSenderHere)
    {
        m_experiment.Recorder().HandOver(share);
    }
    DpdlRankMessage& crossing = Cross(share, isSenderHere ? share.target : share.source);
    crossing.kind = isSenderHere ? DpdlRankMessage::Kind::LOST : DpdlRankMessage::Kind::REFUND;
    crossing.loss = loss;
    crossing.lostAt = now;
    if (!isSenderHere)
    {
        crossing.arrival = static_cast<uint64_t>((Simulator::Now() + m_feedback).GetTimeStep());
        m_earliest = std::min(m_earliest, crossing.arrival);
    }
    return true;
}

bool
DpdlMpiGateway::Close(const ::dpdl::Share& share, const ::dpdl::MessageLoss& loss)
{
    const auto repeated = m_repeated.find(KeyOf(share));
    const bool hasCrossed = repeated != m_repeated.end() && repeated->second;
    if (repeated != m_repeated.end())
    {
        m_repeated.erase(repeated);
    }
    if (!hasCrossed)
    {
        return false;
    }
    ::dpdl::Share mere = share;
    mere.z.reset();
    DpdlRankMessage& crossing = Cross(mere, share.target);
    crossing.kind = DpdlRankMessage::Kind::LOST;
    crossing.loss = loss;
    return true;
}

bool
DpdlMpiGateway::IsOver(bool here)
{
    m_isOver = here;
    return m_areAllOver;
}

void
DpdlMpiGateway::Leave()
{
    while (!m_isDone)
    {
        Exchange(NEVER);
    }
}

bool
DpdlMpiGateway::MayRun(uint64_t next)
{
    if (m_isDone || next < m_granted)
    {
        return true;
    }
    Exchange(next);
    return false;
}

void
DpdlMpiGateway::Report(::dpdl::NodeId node,
                       ::dpdl::Round round,
                       const std::vector<::dpdl::MixedShare>& shares)
{
    std::size_t left = shares.size();
    for (const ::dpdl::MixedShare& mixed : shares)
    {
        ::dpdl::Share share;
        share.source = mixed.source;
        share.target = node;
        share.round = mixed.sentRound;
        share.mass = mixed.mass;
        DpdlRankMessage& crossing = Cross(share, 0);
        crossing.kind = DpdlRankMessage::Kind::MIX;
        crossing.vector = round;
        crossing.chunk = --left == 0 ? 0 : 1;
    }
}

void
DpdlMpiGateway::Exchange(uint64_t next)
{
    const std::vector<DpdlRankExchange::Parcel> parcels =
        m_exchange.Exchange({std::min(next, m_earliest), m_asks, m_isOver});
    m_earliest = NEVER;
    uint64_t first = NEVER;
    m_areAllOver = true;
    for (const auto& [standing, crossings, vectors] : parcels)
    {
        first = std::min(first, standing.bound);
        m_areAllOver = m_areAllOver && standing.isOver;
    }
    m_isDone = first == NEVER;
    m_granted = first > NEVER - m_lookAhead ? NEVER : first + m_lookAhead;
    for (const auto& [standing, crossings, vectors] : parcels)
    {
        for (const DpdlRankMessage& crossing : crossings)
        {
            m_scheduledAt = crossing.scheduledAt;
            Take(crossing, vectors);
        }
    }
    m_scheduledAt.reset();
    AnswerFirst(parcels, first);
}

std::vector<::dpdl::Edge>
DpdlMpiGateway::EdgesOf(::dpdl::Round round, const ::dpdl::EdgeMaker& make)
{
    m_asks = round;
    m_make = &make;
    while (!m_isDone && m_edges.count(round) == 0)
    {
        Exchange(static_cast<uint64_t>(Simulator::Now().GetTimeStep()));
    }
    m_asks = NEVER;
    auto found = m_edges.extract(round);
    return found ? std::move(found.mapped()) : make();
}

/// If the rank with the earliest next event waits for the graph of a round, it makes the graph for
/// all ranks. No other rank can begin the round earlier.
void
DpdlMpiGateway::AnswerFirst(const std::vector<DpdlRankExchange::Parcel>& parcels, uint64_t first)
{
    for (uint32_t rank = 0; rank < parcels.size(); ++rank)
    {
        const DpdlRankExchange::Standing& standing = parcels[rank].standing;
        if (standing.asks != NEVER && standing.bound == first)
        {
            const bool isMine = rank == m_experiment.Settings().part.rank;
            std::vector<::dpdl::Edge> edges;
            if (isMine)
            {
                edges = (*m_make)();
            }
            m_exchange.Spread(edges, rank);
            m_edges.emplace(static_cast<::dpdl::Round>(standing.asks), std::move(edges));
            return;
        }
    }
}

void
DpdlMpiGateway::Take(const DpdlRankMessage& crossing,
                     const std::vector<::dpdl::ParameterHandle>& vectors)
{
    using Kind = DpdlRankMessage::Kind;
    ::dpdl::Share share = crossing.Share();
    if (crossing.kind == Kind::MIX)
    {
        m_mixing.push_back({share.source, share.round, share.mass});
        if (crossing.chunk == 0)
        {
            m_experiment.Settings().rankLink->takeMix(share.target, crossing.vector, m_mixing);
            m_mixing.clear();
        }
        return;
    }
    if (crossing.vector != DpdlRankMessage::NO_VECTOR)
    {
        share.z = vectors[crossing.vector];
    }
    switch (crossing.kind)
    {
    case Kind::OWED:
        share.record = RowOf(share);
        m_experiment.Context().LinkOf(share).Push(share);
        break;
    case Kind::ARRIVAL:
        Arrive(crossing, std::move(share));
        break;
    case Kind::LOST:
        share.record = TakeRow(share);
        if (Policy() != ::dpdl::LossPolicy::RELIABLE || !IsDelivered(share))
        {
            m_experiment.Context().Lose(share, crossing.loss, crossing.lostAt);
        }
        break;
    case Kind::REFUND:
        Refund(crossing, std::move(share));
        break;
    case Kind::MIX:
        break;
    }
}

void
DpdlMpiGateway::Arrive(const DpdlRankMessage& crossing, ::dpdl::Share share)
{
    if (!crossing.isClosed)
    {
        // The arrival is the last event of the message, unless the message is retransmitted.
        share.record = Policy() == ::dpdl::LossPolicy::RELIABLE ? RowOf(share) : TakeRow(share);
    }
    DpdlMessage message(share, share.IsAnswer() ? nullptr : m_payload);
    message.givenUpAt = TimeStep(crossing.givenUpAt);
    Receive(message, TimeStep(crossing.arrival) - Simulator::Now(), TimeStep(crossing.arriving));
}

void
DpdlMpiGateway::Refund(const DpdlRankMessage& crossing, ::dpdl::Share share)
{
    share.record = m_experiment.Recorder().OnSent(share, share.sentAt);
    m_experiment.Context().Lose(share, crossing.loss, crossing.lostAt);
    Simulator::Schedule(TimeStep(crossing.arrival) - Simulator::Now(),
                        [this, share] { m_experiment.At(share.source).Refund(share); });
}

/// Index of the trace row of a message from another rank. The first call for a message opens the
/// row.
uint32_t
DpdlMpiGateway::RowOf(const ::dpdl::Share& share)
{
    const auto [entry, isNew] = m_rows.try_emplace(KeyOf(share), 0);
    if (isNew)
    {
        entry->second = m_experiment.Recorder().OnSent(share, share.sentAt);
    }
    return entry->second;
}

/// Index of the trace row of a message from another rank, for its last event: removes the message
/// from m_rows.
uint32_t
DpdlMpiGateway::TakeRow(const ::dpdl::Share& share)
{
    const auto entry = m_rows.find(KeyOf(share));
    if (entry == m_rows.end())
    {
        return m_experiment.Recorder().OnSent(share, share.sentAt);
    }
    const uint32_t record = entry->second;
    m_rows.erase(entry);
    return record;
}

::dpdl::LossPolicy
DpdlMpiGateway::Policy() const
{
    return m_experiment.Settings().lossPolicy;
}

} // namespace ns3
