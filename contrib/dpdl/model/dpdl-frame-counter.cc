// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-frame-counter.h"

#include "dpdl-type.h"

#include "ns3/double.h"
#include "ns3/simulator.h"

// Each frame on the air holds the state of all possible receivers. When a frame begins, receivers
// at which it and another frame interfere are marked as disturbed. A frame is counted after its
// end.

namespace ns3
{

namespace
{

/// Time after the end of a transmission within which its reception is still counted, in us: the
/// propagation delay is 1 us per 300 m.
constexpr int64_t GRACE_MICROSECONDS = 10;

bool
IsUp(const Ptr<Ipv4>& stack)
{
    return !stack || stack->GetNInterfaces() < 2 || stack->IsUp(1);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DpdlFrameCounter);

TypeId
DpdlFrameCounter::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlFrameCounter, Object>("ns3::DpdlFrameCounter")
            .AddAttribute("Capture",
                          "A second sender disturbs a receiver if it is less than so many times as "
                          "far away as the first. 1.6 are 6 dB where power falls with the third "
                          "power of the distance",
                          DoubleValue(1.6),
                          MakeDoubleAccessor(&DpdlFrameCounter::m_capture),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("Hidden",
                          "The distance of a node without line of sight counts so many times. 4.5 "
                          "are the 20 dB by which the two losses of 3GPP TR 37.885 differ at 40 m",
                          DoubleValue(4.5),
                          MakeDoubleAccessor(&DpdlFrameCounter::m_hidden),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute("ClassWidth",
                          "Width of the classes of distance, in metres",
                          DoubleValue(25.0),
                          MakeDoubleAccessor(&DpdlFrameCounter::m_classWidth),
                          MakeDoubleChecker<double>(0.1));
    return tid;
}

void
DpdlFrameCounter::DoDispose()
{
    m_flights.clear();
    m_nodes = NodeContainer();
    m_parts.clear();
    m_condition = nullptr;
    Object::DoDispose();
}

std::vector<DpdlFrameCounter::Receiver>
DpdlFrameCounter::ReceiversOf(uint32_t source)
{
    for (uint32_t i = m_parts.size(); i < m_nodes.GetN(); ++i)
    {
        const Ptr<Node> node = m_nodes.Get(i);
        m_parts.push_back({node->GetObject<MobilityModel>(), node->GetObject<Ipv4>()});
    }
    std::vector<Receiver> receivers(m_parts.size());
    const Vector from = m_parts[source].place->GetPosition();
    for (uint32_t i = 0; i < receivers.size(); ++i)
    {
        Receiver& receiver = receivers[i];
        receiver.distance = CalculateDistance(from, m_parts[i].place->GetPosition());
        receiver.isThere = i != source && IsUp(m_parts[i].stack);
        receiver.isSeen =
            !m_condition || i == source ||
            m_condition->GetChannelCondition(m_parts[source].place, m_parts[i].place)->IsLos();
        receiver.reach = receiver.distance * (receiver.isSeen ? 1.0 : m_hidden);
    }
    return receivers;
}

void
DpdlFrameCounter::Disturb(Flight& flight, const Flight& other) const
{
    for (uint32_t i = 0; i < flight.receivers.size(); ++i)
    {
        Receiver& receiver = flight.receivers[i];
        receiver.disturbed = receiver.disturbed || i == other.source ||
                             other.receivers[i].reach < m_capture * receiver.reach;
    }
}

void
DpdlFrameCounter::Send(uint32_t source, uint64_t frame, Time airtime, bool isCounted)
{
    Flight flight{source, Simulator::Now() + airtime, isCounted, ReceiversOf(source)};
    for (auto& [number, other] : m_flights)
    {
        if (other.source != source && other.end > Simulator::Now())
        {
            Disturb(flight, other);
            Disturb(other, flight);
        }
    }
    Simulator::Schedule(airtime + MicroSeconds(GRACE_MICROSECONDS),
                        &DpdlFrameCounter::Close,
                        this,
                        frame,
                        flight.end);
    m_flights[frame] = std::move(flight);
}

void
DpdlFrameCounter::Receive(uint32_t target, uint64_t frame)
{
    const auto found = m_flights.find(frame);
    if (found != m_flights.end())
    {
        found->second.receivers[target].received = true;
    }
}

void
DpdlFrameCounter::Close(uint64_t frame, Time end)
{
    const auto found = m_flights.find(frame);
    if (found == m_flights.end() || found->second.end != end)
    {
        return;
    }
    for (const Receiver& receiver : found->second.receivers)
    {
        if (!receiver.isThere || !found->second.isCounted)
        {
            continue;
        }
        const auto number = static_cast<uint32_t>(receiver.distance / m_classWidth);
        ::dpdl::FramesByDistance& row = m_rows[{number, !receiver.isSeen}];
        row.distanceFrom = number * m_classWidth;
        row.distanceTo = row.distanceFrom + m_classWidth;
        row.lineOfSight = receiver.isSeen;
        ++row.sent;
        row.received += receiver.received ? 1 : 0;
        row.collided += !receiver.received && receiver.disturbed ? 1 : 0;
        row.faded += !receiver.received && !receiver.disturbed ? 1 : 0;
    }
    m_flights.erase(found);
}

std::vector<::dpdl::FramesByDistance>
DpdlFrameCounter::Rows() const
{
    std::vector<::dpdl::FramesByDistance> rows;
    for (const auto& [key, row] : m_rows)
    {
        rows.push_back(row);
    }
    return rows;
}

NS_OBJECT_ENSURE_REGISTERED(DpdlAirBytes);

TypeId
DpdlAirBytes::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlAirBytes, Object>("ns3::DpdlAirBytes");
    return tid;
}

} // namespace ns3
