// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-radio.h"

#include "ns3/double.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlRadio);

TypeId
DpdlRadio::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DpdlRadio")
            .SetParent<Object>()
            .SetGroupName("Dpdl")
            .AddConstructor<DpdlRadio>()
            .AddAttribute("PacingRate",
                          "Rate at which the node may send; 0: unknown",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&DpdlRadio::m_pacingRate),
                          MakeDataRateChecker())
            .AddAttribute("SlotPeriod",
                          "From one slot of the node to its next; 0: it may always send",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&DpdlRadio::m_slotPeriod),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("SlotStart",
                          "When in each period the node may begin to send",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&DpdlRadio::m_slotStart),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("SlotEnd",
                          "When in each period the node has to be through",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&DpdlRadio::m_slotEnd),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("Voltage",
                          "Supply voltage, V",
                          DoubleValue(3.0),
                          MakeDoubleAccessor(&DpdlRadio::m_voltage),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("OffCurrent",
                          "Current of a radio that sleeps, A",
                          DoubleValue(20e-6),
                          MakeDoubleAccessor(&DpdlRadio::m_offCurrent),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ListenCurrent",
                          "Current of a radio that waits for a frame, A",
                          DoubleValue(18.8e-3),
                          MakeDoubleAccessor(&DpdlRadio::m_listenCurrent),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("ReceiveCurrent",
                          "Current of a radio that receives, A",
                          DoubleValue(18.8e-3),
                          MakeDoubleAccessor(&DpdlRadio::m_receiveCurrent),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute("SendCurrent",
                          "Current of a radio whose transmitter is on, A",
                          DoubleValue(17.4e-3),
                          MakeDoubleAccessor(&DpdlRadio::m_sendCurrent),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

void
DpdlRadio::NotifyConstructionCompleted()
{
    Object::NotifyConstructionCompleted();
    m_since = Simulator::Now();
}

std::string
DpdlRadio::NameOf(State state)
{
    static const std::array<std::string, STATES> NAMES{"off", "listening", "receiving", "sending"};
    return NAMES[static_cast<std::size_t>(state)];
}

void
DpdlRadio::Switch(State state)
{
    m_past[static_cast<std::size_t>(m_state)] += Simulator::Now() - m_since;
    m_since = Simulator::Now();
    m_state = state;
}

Time
DpdlRadio::TimeIn(State state) const
{
    const Time past = m_past[static_cast<std::size_t>(state)];
    return state == m_state ? past + Simulator::Now() - m_since : past;
}

double
DpdlRadio::CurrentOf(State state) const
{
    switch (state)
    {
    case State::OFF:
        return m_offCurrent;
    case State::LISTENING:
        return m_listenCurrent;
    case State::RECEIVING:
        return m_receiveCurrent;
    case State::SENDING:
        break;
    }
    return m_sendCurrent;
}

double
DpdlRadio::JouleIn(State state) const
{
    return m_voltage * CurrentOf(state) * TimeIn(state).GetSeconds();
}

} // namespace ns3
