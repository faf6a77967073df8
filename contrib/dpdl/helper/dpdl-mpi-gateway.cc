// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-mpi-gateway.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/boolean.h"
#include "ns3/dpdl-header.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

/// What a message needs on the other side and does not carry itself. It is not on the wire.
class CrossingHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DpdlCrossingHeader")
                                .SetParent<Header>()
                                .SetGroupName("Dpdl")
                                .AddConstructor<CrossingHeader>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 18;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        uint64_t bits = 0;
        std::memcpy(&bits, &sentAt, sizeof(bits));
        start.WriteHtonU64(bits);
        start.WriteHtonU32(number);
        start.WriteHtonU32(uses);
        start.WriteHtonU16(copy);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        const uint64_t bits = start.ReadNtohU64();
        std::memcpy(&sentAt, &bits, sizeof(bits));
        number = start.ReadNtohU32();
        uses = start.ReadNtohU32();
        copy = start.ReadNtohU16();
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "payload " << number << " of " << uses << " messages";
    }

    double sentAt{0.0}; //!< see dpdl::Share
    uint32_t number{0}; //!< of its parameters
    uint32_t uses{0};   //!< messages that have the same parameters
    uint16_t copy{0};   //!< see dpdl::Share
};

NS_OBJECT_ENSURE_REGISTERED(CrossingHeader);

} // namespace

DpdlMpiGateway::DpdlMpiGateway(::dpdl::Experiment& experiment,
                               Time lookAhead,
                               MPI_Comm communicator)
    : m_experiment(experiment),
      m_lookAhead(lookAhead - TimeStep(1)),
      m_communicator(communicator),
      m_numbers(experiment.Settings().part.ranks, 0)
{
    // One step less than any message takes: what arrives at a time is there before that time.
    if (!m_lookAhead.IsStrictlyPositive())
    {
        throw ::dpdl::UsageError("time that a message takes",
                                 ::dpdl::ShowNumber(lookAhead.GetSeconds()) + " s",
                                 "at least 2 ns between ranks");
    }
    void* highest = nullptr;
    int isKnown = 0;
    MPI_Comm_get_attr(m_communicator, MPI_TAG_UB, &highest, &isKnown);
    m_tags = isKnown != 0 ? static_cast<uint32_t>(*static_cast<int*>(highest)) : 32767;
    Connect(m_lookAhead);
}

DpdlMpiGateway::~DpdlMpiGateway()
{
    FreeSent();
}

void
DpdlMpiGateway::Connect(Time lookAhead)
{
    const ::dpdl::RunPart& part = m_experiment.Settings().part;
    for (uint32_t rank = 0; rank < part.ranks; ++rank)
    {
        m_ranks.Add(CreateObject<Node>(rank));
    }
    for (uint32_t rank = 0; rank < part.ranks; ++rank)
    {
        const auto channel = CreateObject<SimpleChannel>();
        channel->SetAttribute("Delay", TimeValue(lookAhead));
        for (const uint32_t end : {rank, (rank + 1) % part.ranks})
        {
            const auto device = CreateObject<SimpleNetDevice>();
            device->SetAttribute("PointToPointMode", BooleanValue(true));
            m_ranks.Get(end)->AddDevice(device);
            device->SetChannel(channel);
        }
    }
    const auto receiver = CreateObject<MpiReceiver>();
    receiver->SetReceiveCallback(MakeCallback(&DpdlMpiGateway::Take, this));
    m_ranks.Get(part.rank)->GetDevice(0)->AggregateObject(receiver);
}

bool
DpdlMpiGateway::IsElsewhere(uint32_t node) const
{
    return !m_experiment.Owns(node);
}

DpdlMpiGateway::PayloadKey
DpdlMpiGateway::KeyOf(const ::dpdl::Share& share) const
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    return {run.part.RankOf(share.target, run.nodes), {share.z->Data(), share.chunk}};
}

void
DpdlMpiGateway::Send(const DpdlMessage& message, Time delay)
{
    if (delay <= m_lookAhead)
    {
        throw ::dpdl::Error("a message to another rank takes less than the look-ahead");
    }
    if (m_leaving.empty())
    {
        // After all nodes that send at this time.
        Simulator::ScheduleNow(&DpdlMpiGateway::Flush, this);
    }
    m_experiment.Recorder().HandOver(message.share);
    m_leaving.push_back({message, Simulator::Now() + delay});
}

void
DpdlMpiGateway::Flush()
{
    FreeSent();
    std::map<PayloadKey, Payload> payloads;
    for (const Leaving& leaving : m_leaving)
    {
        const PayloadKey key = KeyOf(leaving.message.share);
        Payload& payload = payloads[key];
        if (++payload.uses == 1)
        {
            payload.number = m_numbers[key.first]++;
            SendParameters(leaving.message.share, key.first, payload.number);
        }
    }
    for (const Leaving& leaving : m_leaving)
    {
        const ::dpdl::Share& share = leaving.message.share;
        const PayloadKey key = KeyOf(share);
        CrossingHeader header;
        header.sentAt = share.sentAt;
        header.number = payloads[key].number;
        header.uses = payloads[key].uses;
        header.copy = share.copy;
        const Ptr<Packet> packet = leaving.message.GetPacket()->Copy();
        packet->AddHeader(header);
        MpiInterface::SendPacket(packet, leaving.arrival, m_ranks.Get(key.first)->GetId(), 0);
    }
    m_leaving.clear();
}

void
DpdlMpiGateway::SendParameters(const ::dpdl::Share& share, uint32_t rank, uint32_t number)
{
    const ::dpdl::ChunkLayout& chunks = m_experiment.Chunks();
    m_sent.emplace_back(share.z, MPI_REQUEST_NULL);
    MPI_Isend(share.z->Data() + chunks.Begin(share.chunk),
              static_cast<int>(chunks.Size(share.chunk)),
              MPI_FLOAT,
              static_cast<int>(rank),
              static_cast<int>(number % m_tags),
              m_communicator,
              &m_sent.back().second);
}

void
DpdlMpiGateway::FreeSent()
{
    const auto gone = std::remove_if(m_sent.begin(), m_sent.end(), [](auto& sent) {
        int isDone = 0;
        MPI_Test(&sent.second, &isDone, MPI_STATUS_IGNORE);
        return isDone != 0;
    });
    m_sent.erase(gone, m_sent.end());
}

void
DpdlMpiGateway::Take(Ptr<Packet> packet)
{
    CrossingHeader crossing;
    packet->RemoveHeader(crossing);
    DpdlHeader header;
    packet->PeekHeader(header);
    ::dpdl::Share share;
    header.CopyTo(share);
    share.copy = crossing.copy;
    share.sentAt = crossing.sentAt;
    share.z = TakeParameters(share, crossing.number, crossing.uses);
    share.record = m_experiment.Recorder().OnSent(share, share.sentAt);
    Receive(DpdlMessage(share, packet));
}

::dpdl::ParameterHandle
DpdlMpiGateway::TakeParameters(const ::dpdl::Share& share, uint32_t number, uint32_t uses)
{
    const ::dpdl::ResolvedRun& run = m_experiment.Settings();
    const uint32_t rank = run.part.RankOf(share.source, run.nodes);
    const auto arrived = m_arrived.try_emplace({rank, number}).first;
    Arrived& payload = arrived->second;
    if (!payload.z)
    {
        const ::dpdl::ChunkLayout& chunks = m_experiment.Chunks();
        payload = {m_experiment.Parameters().Acquire(), uses};
        MPI_Recv(payload.z->Data() + chunks.Begin(share.chunk),
                 static_cast<int>(chunks.Size(share.chunk)),
                 MPI_FLOAT,
                 static_cast<int>(rank),
                 static_cast<int>(number % m_tags),
                 m_communicator,
                 MPI_STATUS_IGNORE);
    }
    ::dpdl::ParameterHandle z = payload.z;
    if (--payload.left == 0)
    {
        m_arrived.erase(arrived);
    }
    return z;
}

} // namespace ns3
