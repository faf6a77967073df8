// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-radio-energy-model.h"

#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DpdlRadioEnergyModel);

TypeId
DpdlRadioEnergyModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DpdlRadioEnergyModel")
                            .SetParent<energy::DeviceEnergyModel>()
                            .SetGroupName("Dpdl")
                            .AddConstructor<DpdlRadioEnergyModel>();
    return tid;
}

void
DpdlRadioEnergyModel::Connect(Ptr<DpdlRadio> radio, Ptr<energy::EnergySource> source)
{
    m_radio = radio;
    SetEnergySource(source);
    source->AppendDeviceEnergyModel(this);
    // Charge the time before the change at the previous current.
    radio->TraceConnectWithoutContext("BeforeChange",
                                      MakeCallback(&DpdlRadioEnergyModel::UpdateSource, this));
}

void
DpdlRadioEnergyModel::SetEnergySource(Ptr<energy::EnergySource> source)
{
    m_source = source;
}

double
DpdlRadioEnergyModel::GetTotalEnergyConsumption() const
{
    double joule = 0.0;
    for (std::size_t state = 0; m_radio && state < DpdlRadio::STATES; ++state)
    {
        joule += m_radio->JouleIn(static_cast<DpdlRadio::State>(state));
    }
    return joule;
}

void
DpdlRadioEnergyModel::ChangeState(int)
{
}

// The source may call these while the radio changes its state, so the node fails in a later event.

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

void
DpdlRadioEnergyModel::HandleEnergyChanged()
{
}

double
DpdlRadioEnergyModel::DoGetCurrentA() const
{
    return m_radio ? m_radio->Current() : 0.0;
}

void
DpdlRadioEnergyModel::UpdateSource()
{
    if (m_source)
    {
        m_source->UpdateEnergySource();
    }
}

void
DpdlRadioEnergyModel::DoDispose()
{
    m_radio = nullptr;
    m_source = nullptr;
    energy::DeviceEnergyModel::DoDispose();
}

} // namespace ns3
