// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-radio.h"

#include "dpdl-type.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

// Accumulates the time in each state, with and without power; energy follows from these times and
// the currents.

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlRadio);

TypeId
DpdlRadio::GetTypeId()
{
    static TypeId tid =
        MakeDpdlType<DpdlRadio, Object>("ns3::DpdlRadio")
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
                          MakeDoubleChecker<double>(0.0))
            .AddTraceSource("BeforeChange",
                            "The radio is about to change its state or its power",
                            MakeTraceSourceAccessor(&DpdlRadio::m_beforeChangeTrace),
                            "ns3::DpdlRadio::BeforeChangeCallback")
            .AddTraceSource("Powered",
                            "The node has lost power, or has it again",
                            MakeTraceSourceAccessor(&DpdlRadio::m_poweredTrace),
                            "ns3::DpdlRadio::PoweredCallback");
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
DpdlRadio::Settle()
{
    m_beforeChangeTrace();
    const auto state = static_cast<std::size_t>(m_state);
    const Time span = Simulator::Now() - m_since;
    m_past[state] += span;
    m_dead[state] += m_isPowered ? Time(0) : span;
    m_since = Simulator::Now();
}

void
DpdlRadio::Switch(State state)
{
    Settle();
    m_state = state;
}

void
DpdlRadio::SetPowered(bool isPowered)
{
    if (isPowered != m_isPowered)
    {
        Settle();
        m_isPowered = isPowered;
        m_poweredTrace(isPowered);
    }
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
    const std::array<double, STATES> currents{m_offCurrent,
                                              m_listenCurrent,
                                              m_receiveCurrent,
                                              m_sendCurrent};
    return currents[static_cast<std::size_t>(state)];
}

double
DpdlRadio::JouleIn(State state) const
{
    const bool isDeadNow = state == m_state && !m_isPowered;
    const Time dead = m_dead[static_cast<std::size_t>(state)] +
                      (isDeadNow ? Simulator::Now() - m_since : Time(0));
    return m_voltage * CurrentOf(state) * (TimeIn(state) - dead).GetSeconds();
}

NS_OBJECT_ENSURE_REGISTERED(DpdlRadioEnergyModel);

TypeId
DpdlRadioEnergyModel::GetTypeId()
{
    static TypeId tid = MakeDpdlType<DpdlRadioEnergyModel, energy::SimpleDeviceEnergyModel>(
        "ns3::DpdlRadioEnergyModel");
    return tid;
}

void
DpdlRadioEnergyModel::Connect(Ptr<DpdlRadio> radio, Ptr<energy::EnergySource> source)
{
    m_radio = radio;
    SetEnergySource(source);
    source->AppendDeviceEnergyModel(this);
    // Charge the time before the change at the previous current.
    radio->TraceConnectWithoutContext(
        "BeforeChange",
        MakeCallback(&energy::EnergySource::UpdateEnergySource, PeekPointer(source)));
}

double
DpdlRadioEnergyModel::GetTotalEnergyConsumption() const
{
    double joule = 0.0;
    for (std::size_t state = 0; state < DpdlRadio::STATES; ++state)
    {
        joule += m_radio->JouleIn(static_cast<DpdlRadio::State>(state));
    }
    return joule;
}

// The source may call these functions while the radio changes its state, so the node fails in a
// later event.

void
DpdlRadioEnergyModel::HandleEnergyDepletion()
{
    Simulator::ScheduleNow(&DpdlRadio::SetPowered, m_radio, false);
}

void
DpdlRadioEnergyModel::HandleEnergyRecharged()
{
    Simulator::ScheduleNow(&DpdlRadio::SetPowered, m_radio, true);
}

} // namespace ns3
