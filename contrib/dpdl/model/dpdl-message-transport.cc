// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-message-transport.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{

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
                          "Rate at which every directed link serialises messages",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&DpdlMessageTransport::m_dataRate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Latency of every directed link",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&DpdlMessageTransport::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DropProbability",
                          "Probability that a directed link drops a message",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&DpdlMessageTransport::m_dropProbability),
                          MakeDoubleChecker<double>(0.0, 1.0));
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
    m_busyUntil.clear();
    DpdlTransport::DoDispose();
}

void
DpdlMessageTransport::DoSend(const ::dpdl::Share& share, Ptr<Packet> packet)
{
    const uint64_t link = (static_cast<uint64_t>(share.source) << 32) | share.target;
    Time& busyUntil = m_busyUntil[link];
    const Time now = Simulator::Now();
    busyUntil = std::max(busyUntil, now) + m_dataRate.CalculateBytesTxTime(packet->GetSize());
    if (IsDropped(share))
    {
        Drop(share);
        return;
    }
    Deliver(share, packet, busyUntil - now + m_delay);
}

bool
DpdlMessageTransport::IsDropped(const ::dpdl::Share& share)
{
    if (m_dropProbability <= 0.0)
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
    return stream.Uniform(share.target) < m_dropProbability;
}

} // namespace ns3
