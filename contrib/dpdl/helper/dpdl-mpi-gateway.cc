// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-mpi-gateway.h"

#include "dpdl/base/errors.h"

#include "ns3/object-factory.h"
#include "ns3/priority-queue-scheduler.h"
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

/// Gives an event out when the other ranks can send nothing that comes before it.
class RankScheduler : public PriorityQueueScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DpdlRankScheduler")
                                .SetParent<PriorityQueueScheduler>()
                                .SetGroupName("Dpdl")
                                .AddConstructor<RankScheduler>();
        return tid;
    }

    bool IsEmpty() const override
    {
        const bool mayFollow = g_gateway != nullptr && !g_gateway->IsDone();
        return !mayFollow && PriorityQueueScheduler::IsEmpty();
    }

    Event RemoveNext() override
    {
        while (g_gateway != nullptr && !g_gateway->MayRun(Next()))
        {
        }
        if (PriorityQueueScheduler::IsEmpty())
        {
            // The simulator has been told that there is an event.
            Simulator::ScheduleNow([] {});
        }
        return PriorityQueueScheduler::RemoveNext();
    }

  private:
    uint64_t Next() const
    {
        return PriorityQueueScheduler::IsEmpty() ? DpdlMpiGateway::NEVER : PeekNext().key.m_ts;
    }
};

NS_OBJECT_ENSURE_REGISTERED(RankScheduler);

/// What crosses from one rank to another.
enum class Kind : uint32_t
{
    OWED,    ///< a share leaves on a link that keeps sums
    ARRIVAL, ///< a message will arrive
    LOST,    ///< a message that is owed does not arrive
    REFUND,  ///< a message is lost, and its mass goes back to its sender
    MIX,     ///< a share that a node has mixed
};

/// No parameters come with it.
constexpr uint32_t NO_VECTOR = UINT32_MAX;

constexpr int CROSSINGS = 0; // tags of messages
constexpr int VECTORS = 1;

} // namespace

/// All ranks of a run are of one machine type: this travels as it is.
struct DpdlMpiGateway::Crossing
{
    Kind kind{};                   //!< what it is
    uint32_t vector{NO_VECTOR};    //!< number of its parameters; MIX: round of the mixing
    uint32_t source{0};            //!< see dpdl::Share
    uint32_t target{0};            //!< see dpdl::Share; MIX: who mixed it
    uint32_t round{0};             //!< see dpdl::Share
    uint16_t chunk{0};             //!< see dpdl::Share; MIX: how many shares of the mixing follow
    uint16_t copy{0};              //!< see dpdl::Share
    double weight{0.0};            //!< see dpdl::Share
    double mass{0.0};              //!< see dpdl::Share: mantissa
    int32_t exponent{0};           //!< see dpdl::Share: of the mass
    ::dpdl::DropReason cause{};    //!< LOST, REFUND: why
    double sentAt{0.0};            //!< see dpdl::Share
    double lostAt{0.0};            //!< LOST, REFUND: when, in seconds
    uint64_t arrival{0};           //!< ARRIVAL, REFUND: when, in steps of the clock
    int64_t arriving{0};           //!< ARRIVAL: how long its bits take to arrive

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
    if (run.lossPolicy == ::dpdl::LossPolicy::RUNNING_SUM)
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
    if (run.lossPolicy != ::dpdl::LossPolicy::RUNNING_SUM)
    {
        m_experiment.Recorder().HandOver(share);
    }
    Crossing& crossing = Cross(share, run.part.RankOf(share.target, run.nodes));
    crossing.kind = Kind::ARRIVAL;
    crossing.arrival = static_cast<uint64_t>(arrival.GetTimeStep());
    crossing.arriving = arriving.GetTimeStep();
    m_earliest = std::min(m_earliest, crossing.arrival);
}

bool
DpdlMpiGateway::Lose(const ::dpdl::Share& share, ::dpdl::DropReason cause)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    const double now = Simulator::Now().GetSeconds();
    const bool isSenderHere = !IsElsewhere(share.source);
    const bool isOwed = run.lossPolicy == ::dpdl::LossPolicy::RUNNING_SUM;
    if (isSenderHere && !isOwed)
    {
        return false;
    }
    if (!isSenderHere && run.lossPolicy != ::dpdl::LossPolicy::REFUND)
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
    enum : std::size_t { COUNT, VECTOR_COUNT, BOUND, OVER, WORDS };

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
    MPI_Alltoall(sent.data(),
                 WORDS,
                 MPI_UINT64_T,
                 got.data(),
                 WORDS,
                 MPI_UINT64_T,
                 m_communicator);
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
            Take(crossing, vectors[rank]);
        }
    }
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
    ::dpdl::RunRecorder& recorder = m_experiment.Recorder();
    const bool isOwed = m_experiment.Settings().lossPolicy == ::dpdl::LossPolicy::RUNNING_SUM;
    switch (crossing.kind)
    {
    case Kind::OWED:
        share.record = recorder.OnSent(share, share.sentAt);
        m_owed[{share.source, share.target, share.round, share.chunk}] = share.record;
        m_experiment.Context().LinkOf(share).Push(share);
        break;
    case Kind::ARRIVAL:
        share.record = isOwed ? TakeOwed(share) : recorder.OnSent(share, share.sentAt);
        Receive(DpdlMessage(share, m_payload),
                TimeStep(crossing.arrival) - Simulator::Now(),
                TimeStep(crossing.arriving));
        break;
    case Kind::LOST:
        share.record = TakeOwed(share);
        m_experiment.Context().Lose(share, crossing.cause, crossing.lostAt);
        break;
    case Kind::REFUND:
        TakeBack(crossing, std::move(share));
        break;
    case Kind::MIX:
        break;
    }
}

void
DpdlMpiGateway::TakeBack(const Crossing& crossing, ::dpdl::Share share)
{
    share.record = m_experiment.Recorder().OnSent(share, share.sentAt);
    m_experiment.Context().Lose(share, crossing.cause, crossing.lostAt);
    Simulator::Schedule(TimeStep(crossing.arrival) - Simulator::Now(), [this, share] {
        m_experiment.At(share.source).TakeBack(share);
    });
}

/// The row of a message that is owed and has met its fate.
uint32_t
DpdlMpiGateway::TakeOwed(const ::dpdl::Share& share)
{
    const auto entry = m_owed.find({share.source, share.target, share.round, share.chunk});
    const uint32_t record = entry->second;
    m_owed.erase(entry);
    return record;
}

} // namespace ns3
