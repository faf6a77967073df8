// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-mpi-gateway.h"

#include "dpdl/base/errors.h"

#include "ns3/object-factory.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

namespace
{

/// The gateway of this process.
DpdlMpiGateway* g_gateway = nullptr;

/**
 * Gives an event out when the other ranks can send nothing that comes before it. What is to happen
 * at the same time happens in the order in which it was scheduled, on whichever rank.
 */
class RankScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DpdlRankScheduler")
                                .SetParent<Scheduler>()
                                .SetGroupName("Dpdl")
                                .AddConstructor<RankScheduler>();
        return tid;
    }

    void Insert(const Event& event) override
    {
        const Time now = Simulator::Now();
        const uint64_t since = g_gateway == nullptr ? 0 : g_gateway->SchedulingTime(now);
        m_events.push_back({event, since});
        std::push_heap(m_events.begin(), m_events.end());
    }

    bool IsEmpty() const override
    {
        const bool mayFollow = g_gateway != nullptr && !g_gateway->IsDone();
        return !mayFollow && m_events.empty();
    }

    Event PeekNext() const override
    {
        return m_events.front().event;
    }

    Event RemoveNext() override
    {
        while (g_gateway != nullptr && !g_gateway->MayRun(Next()))
        {
        }
        if (m_events.empty())
        {
            // The simulator has been told that there is an event.
            Simulator::ScheduleNow([] {});
        }
        std::pop_heap(m_events.begin(), m_events.end());
        const Event next = m_events.back().event;
        m_events.pop_back();
        return next;
    }

    void Remove(const Event& event) override
    {
        const auto isEvent = [&](const Entry& entry) { return entry.event.key == event.key; };
        m_events.erase(std::find_if(m_events.begin(), m_events.end(), isEvent));
        std::make_heap(m_events.begin(), m_events.end());
    }

  private:
    struct Entry
    {
        Event event;
        uint64_t since; //!< when it was scheduled

        /// True if it comes later: a heap has the greatest in front.
        bool operator<(const Entry& other) const
        {
            return std::tie(event.key.m_ts, since, event.key.m_uid) >
                   std::tie(other.event.key.m_ts, other.since, other.event.key.m_uid);
        }
    };

    uint64_t Next() const
    {
        return m_events.empty() ? DpdlMpiGateway::NEVER : m_events.front().event.key.m_ts;
    }

    std::vector<Entry> m_events; //!< a heap
};

NS_OBJECT_ENSURE_REGISTERED(RankScheduler);

/// What crosses from one rank to another.
enum class Kind : uint32_t
{
    OWED,    ///< a share leaves on a link that keeps sums
    ARRIVAL, ///< a message will arrive
    LOST,    ///< a message does not arrive that its target's rank has the row of
    REFUND,  ///< a message is lost, and its mass goes back to its sender
    MIX,     ///< a share that a node has mixed
};

/// Source, target, round and chunk of a share.
std::tuple<uint32_t, uint32_t, uint32_t, uint16_t>
KeyOf(const ::dpdl::Share& share)
{
    return {share.source, share.target, share.round, share.chunk};
}

/// No parameters come with it.
constexpr uint32_t NO_VECTOR = UINT32_MAX;

constexpr int CROSSINGS = 0; // tags of messages
constexpr int VECTORS = 1;

} // namespace

/// All ranks of a run are of one machine type: this travels as it is.
struct DpdlMpiGateway::Crossing
{
    Kind kind{};                //!< what it is
    uint32_t vector{NO_VECTOR}; //!< number of its parameters; MIX: round of the mixing
    uint32_t source{0};         //!< see dpdl::Share
    uint32_t target{0};         //!< see dpdl::Share; MIX: who mixed it
    uint32_t round{0};          //!< see dpdl::Share
    uint16_t chunk{0};          //!< see dpdl::Share; MIX: how many shares of the mixing follow
    uint16_t copy{0};           //!< see dpdl::Share
    double weight{0.0};         //!< see dpdl::Share
    double mass{0.0};           //!< see dpdl::Share: mantissa
    int32_t exponent{0};        //!< see dpdl::Share: of the mass
    ::dpdl::DropReason cause{}; //!< LOST, REFUND: why
    double sentAt{0.0};         //!< see dpdl::Share
    double lostAt{0.0};         //!< LOST, REFUND: when, in seconds
    uint64_t scheduledAt{0};    //!< when it was caused, in steps of the clock
    uint64_t arrival{0};        //!< ARRIVAL, REFUND: when, in steps of the clock
    int64_t arriving{0};        //!< ARRIVAL: how long its bits take to arrive
    int64_t givenUpAt{0};       //!< ARRIVAL: see DpdlMessage
    uint32_t reference{0};      //!< see dpdl::Share
    bool isCompressed{false};   //!< see dpdl::Share
    bool isClosed{false};       //!< ARRIVAL: its row is closed already, or it has none

    ::dpdl::Share Share() const
    {
        ::dpdl::Share share;
        share.source = source;
        share.target = target;
        share.round = round;
        share.weight = weight;
        share.mass = ::dpdl::ScaledDouble::FromParts(mass, exponent);
        share.chunk = chunk;
        share.copy = copy;
        share.sentAt = sentAt;
        share.isCompressed = isCompressed;
        share.reference = reference;
        return share;
    }
};

DpdlMpiGateway::DpdlMpiGateway(::dpdl::Experiment& experiment,
                               Time lookAhead,
                               Time feedback,
                               MPI_Comm communicator)
    : m_experiment(experiment),
      m_lookAhead(static_cast<uint64_t>(lookAhead.GetTimeStep())),
      m_feedback(feedback),
      m_communicator(communicator),
      m_payload(std::make_shared<DpdlPayload>(
          experiment.Chunks(),
          experiment.Settings().compression,
          experiment.Settings().payloadBytes ? &experiment.Parameters() : nullptr)),
      m_outgoing(experiment.Settings().part.ranks)
{
    g_gateway = this;
    Simulator::SetScheduler(ObjectFactory("ns3::DpdlRankScheduler"));
    experiment.Settings().rankLink->SetReporter(
        [this](auto node, auto round, const auto& shares) { Report(node, round, shares); });
}

DpdlMpiGateway::~DpdlMpiGateway()
{
    g_gateway = nullptr;
}

bool
DpdlMpiGateway::IsElsewhere(uint32_t node) const
{
    return !m_experiment.Owns(node);
}

DpdlMpiGateway::Crossing&
DpdlMpiGateway::Cross(const ::dpdl::Share& share, uint32_t rank)
{
    Outgoing& outgoing = m_outgoing[rank];
    Crossing crossing;
    crossing.source = share.source;
    crossing.target = share.target;
    crossing.round = share.round;
    crossing.chunk = share.chunk;
    crossing.copy = share.copy;
    crossing.weight = share.weight;
    crossing.mass = share.mass.Mantissa();
    crossing.exponent = share.mass.Exponent();
    crossing.sentAt = share.sentAt;
    crossing.isCompressed = share.isCompressed;
    crossing.reference = share.reference;
    crossing.scheduledAt = static_cast<uint64_t>(Simulator::Now().GetTimeStep());
    if (share.z)
    {
        const auto number = static_cast<uint32_t>(outgoing.vectors.size());
        const auto [entry, isNew] =
            outgoing.numbers.try_emplace({share.z->Data(), share.chunk}, number);
        if (isNew)
        {
            outgoing.vectors.emplace_back(share.z, share.chunk);
        }
        crossing.vector = entry->second;
    }
    outgoing.crossings.push_back(crossing);
    return outgoing.crossings.back();
}

void
DpdlMpiGateway::Announce(const ::dpdl::Share& share)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    if (Policy() == ::dpdl::LossPolicy::RELIABLE && share.copy == 0)
    {
        m_repeated.try_emplace(KeyOf(share), false);
    }
    if (Policy() == ::dpdl::LossPolicy::RUNNING_SUM)
    {
        m_experiment.Recorder().HandOver(share);
        Cross(share, run.part.RankOf(share.target, run.nodes)).kind = Kind::OWED;
    }
}

void
DpdlMpiGateway::Send(const DpdlMessage& message, Time delay, Time arriving)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    const ::dpdl::Share& share = message.share;
    const Time arrival = Simulator::Now() + delay;
    if (static_cast<uint64_t>(delay.GetTimeStep()) < m_lookAhead)
    {
        throw ::dpdl::Error("a message to another rank takes less than the look-ahead");
    }
    const auto repeated = share.IsAnswer() ? m_repeated.end() : m_repeated.find(KeyOf(share));
    const bool isRepeated = repeated != m_repeated.end();
    const bool isClosed = Policy() == ::dpdl::LossPolicy::RELIABLE && !isRepeated;
    const bool hasCrossed = isClosed || Policy() == ::dpdl::LossPolicy::RUNNING_SUM ||
                            (isRepeated && std::exchange(repeated->second, true));
    if (!hasCrossed)
    {
        m_experiment.Recorder().HandOver(share);
    }
    Crossing& crossing = Cross(share, run.part.RankOf(share.target, run.nodes));
    crossing.kind = Kind::ARRIVAL;
    crossing.arrival = static_cast<uint64_t>(arrival.GetTimeStep());
    crossing.arriving = arriving.GetTimeStep();
    crossing.givenUpAt = message.givenUpAt.GetTimeStep();
    crossing.isClosed = isClosed;
    m_earliest = std::min(m_earliest, crossing.arrival);
}

bool
DpdlMpiGateway::Lose(const ::dpdl::Share& share, ::dpdl::DropReason cause)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    const double now = Simulator::Now().GetSeconds();
    const bool isSenderHere = !IsElsewhere(share.source);
    if (isSenderHere && Policy() != ::dpdl::LossPolicy::RUNNING_SUM)
    {
        return false;
    }
    if (Policy() == ::dpdl::LossPolicy::RELIABLE)
    {
        return true; // the loss of a copy decides nothing
    }
    if (!isSenderHere && Policy() != ::dpdl::LossPolicy::REFUND)
    {
        m_experiment.Context().Lose(share, cause, now);
        return true;
    }
    if (!isSenderHere)
    {
        m_experiment.Recorder().HandOver(share);
    }
    const uint32_t node = isSenderHere ? share.target : share.source;
    Crossing& crossing = Cross(share, run.part.RankOf(node, run.nodes));
    crossing.kind = isSenderHere ? Kind::LOST : Kind::REFUND;
    crossing.cause = cause;
    crossing.lostAt = now;
    if (!isSenderHere)
    {
        crossing.arrival = static_cast<uint64_t>((Simulator::Now() + m_feedback).GetTimeStep());
        m_earliest = std::min(m_earliest, crossing.arrival);
    }
    return true;
}

bool
DpdlMpiGateway::Close(const ::dpdl::Share& share)
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
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    ::dpdl::Share mere = share;
    mere.z.reset();
    Cross(mere, run.part.RankOf(share.target, run.nodes)).kind = Kind::LOST;
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
        Crossing& crossing = Cross(share, 0);
        crossing.kind = Kind::MIX;
        crossing.vector = round;
        crossing.chunk = --left == 0 ? 0 : 1;
    }
}

void
DpdlMpiGateway::Exchange(uint64_t next)
{
    enum : std::size_t
    {
        COUNT,
        VECTOR_COUNT,
        BOUND,
        OVER,
        WORDS
    };

    const auto ranks = static_cast<uint32_t>(m_outgoing.size());
    const uint64_t bound = std::min(next, m_earliest);
    std::vector<std::array<uint64_t, WORDS>> sent(ranks);
    std::vector<std::array<uint64_t, WORDS>> got(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        sent[rank] = {m_outgoing[rank].crossings.size(),
                      m_outgoing[rank].vectors.size(),
                      bound,
                      m_isOver ? uint64_t{1} : 0};
    }
    MPI_Alltoall(sent.data(), WORDS, MPI_UINT64_T, got.data(), WORDS, MPI_UINT64_T, m_communicator);
    std::vector<MPI_Request> outgoing;
    std::vector<MPI_Request> incoming;
    std::vector<std::vector<Crossing>> crossings(ranks);
    const ::dpdl::ChunkLayout& chunks = m_experiment.Chunks();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const Outgoing& own = m_outgoing[rank];
        const auto peer = static_cast<int>(rank);
        if (!own.crossings.empty())
        {
            MPI_Isend(own.crossings.data(),
                      static_cast<int>(own.crossings.size() * sizeof(Crossing)),
                      MPI_BYTE,
                      peer,
                      CROSSINGS,
                      m_communicator,
                      &outgoing.emplace_back());
        }
        for (const auto& [vector, chunk] : own.vectors)
        {
            MPI_Isend(vector->Data() + chunks.Begin(chunk),
                      static_cast<int>(chunks.Size(chunk)),
                      MPI_FLOAT,
                      peer,
                      VECTORS,
                      m_communicator,
                      &outgoing.emplace_back());
        }
        crossings[rank].resize(got[rank][COUNT]);
        if (!crossings[rank].empty())
        {
            MPI_Irecv(crossings[rank].data(),
                      static_cast<int>(crossings[rank].size() * sizeof(Crossing)),
                      MPI_BYTE,
                      peer,
                      CROSSINGS,
                      m_communicator,
                      &incoming.emplace_back());
        }
    }
    const auto wait = [](std::vector<MPI_Request>& requests) {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        requests.clear();
    };
    wait(incoming);
    std::vector<std::vector<::dpdl::ParameterHandle>> vectors(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        vectors[rank] = ReceiveVectors(rank, crossings[rank], got[rank][VECTOR_COUNT], incoming);
    }
    wait(incoming);
    wait(outgoing);
    std::fill(m_outgoing.begin(), m_outgoing.end(), Outgoing());
    m_earliest = NEVER;
    uint64_t first = NEVER;
    m_areAllOver = true;
    for (const auto& words : got)
    {
        first = std::min(first, words[BOUND]);
        m_areAllOver = m_areAllOver && words[OVER] != 0;
    }
    m_isDone = first == NEVER;
    m_granted = first > NEVER - m_lookAhead ? NEVER : first + m_lookAhead;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (const Crossing& crossing : crossings[rank])
        {
            m_scheduledAt = crossing.scheduledAt;
            Take(crossing, vectors[rank]);
        }
    }
    m_scheduledAt.reset();
}

std::vector<::dpdl::ParameterHandle>
DpdlMpiGateway::ReceiveVectors(uint32_t rank,
                               const std::vector<Crossing>& crossings,
                               std::size_t count,
                               std::vector<MPI_Request>& requests)
{
    std::vector<::dpdl::ParameterHandle> vectors;
    vectors.reserve(count);
    const ::dpdl::ChunkLayout& chunks = m_experiment.Chunks();
    for (const Crossing& crossing : crossings)
    {
        if (crossing.kind != Kind::MIX && crossing.vector == vectors.size())
        {
            vectors.push_back(m_experiment.Parameters().Acquire());
            MPI_Irecv(vectors.back()->Data() + chunks.Begin(crossing.chunk),
                      static_cast<int>(chunks.Size(crossing.chunk)),
                      MPI_FLOAT,
                      static_cast<int>(rank),
                      VECTORS,
                      m_communicator,
                      &requests.emplace_back());
        }
    }
    return vectors;
}

void
DpdlMpiGateway::Take(const Crossing& crossing, const std::vector<::dpdl::ParameterHandle>& vectors)
{
    ::dpdl::Share share = crossing.Share();
    if (crossing.kind == Kind::MIX)
    {
        m_mixing.push_back({share.source, share.round, share.mass});
        if (crossing.chunk == 0)
        {
            m_experiment.Settings().rankLink->TakeMix(share.target, crossing.vector, m_mixing);
            m_mixing.clear();
        }
        return;
    }
    if (crossing.vector != NO_VECTOR)
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
            m_experiment.Context().Lose(share, crossing.cause, crossing.lostAt);
        }
        break;
    case Kind::REFUND:
        TakeBack(crossing, std::move(share));
        break;
    case Kind::MIX:
        break;
    }
}

void
DpdlMpiGateway::Arrive(const Crossing& crossing, ::dpdl::Share share)
{
    if (!crossing.isClosed)
    {
        // Nothing more will be heard of a message, unless it is sent again.
        share.record = Policy() == ::dpdl::LossPolicy::RELIABLE ? RowOf(share) : TakeRow(share);
    }
    DpdlMessage message(share, share.IsAnswer() ? nullptr : m_payload);
    message.givenUpAt = TimeStep(crossing.givenUpAt);
    Receive(message, TimeStep(crossing.arrival) - Simulator::Now(), TimeStep(crossing.arriving));
}

void
DpdlMpiGateway::TakeBack(const Crossing& crossing, ::dpdl::Share share)
{
    share.record = m_experiment.Recorder().OnSent(share, share.sentAt);
    m_experiment.Context().Lose(share, crossing.cause, crossing.lostAt);
    Simulator::Schedule(TimeStep(crossing.arrival) - Simulator::Now(),
                        [this, share] { m_experiment.At(share.source).TakeBack(share); });
}

/// The row of a message from another rank, a new one if this is the first that is heard of it.
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

/// The same, if nothing more will be heard of the message.
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
