// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-battery-helper.h"

#include "dpdl-streams.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/basic-energy-harvester-helper.h"
#include "ns3/basic-energy-source-helper.h"
#include "ns3/double.h"
#include "ns3/energy-source-container.h"
#include "ns3/node-list.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Least accepted mean capacity of batteries, in joule.
constexpr double LEAST_CAPACITY = 1.0;
/// Interval between updates of the harvested power if there are no nights, in s.
constexpr double HARVEST_INTERVAL = 1.0;

} // namespace

void
DpdlBatteryHelper::SetCapacity(double joule, double spread)
{
    DPDL_REFUSE_IF(!(joule >= LEAST_CAPACITY),
                   "capacity of a battery",
                   ::dpdl::ShowNumber(joule) + " J",
                   "at least " + ::dpdl::ShowNumber(LEAST_CAPACITY) + " J");
    DPDL_REFUSE_IF(!(spread >= 0.0 && spread < 1.0),
                   "spread of the batteries' capacity",
                   ::dpdl::ShowNumber(spread),
                   "a number in [0, 1)");
    m_joule = joule;
    m_spread = spread;
}

void
DpdlBatteryHelper::SetHarvest(double watt, Time day)
{
    DPDL_REFUSE_IF(!(watt >= 0.0) || day.IsStrictlyNegative(),
                   "harvested power",
                   ::dpdl::ShowNumber(watt) + " W for " + ::dpdl::ShowNumber(day.GetSeconds()) +
                       "s",
                   "a power and a time >= 0");
    m_watt = watt;
    m_day = day;
}

void
DpdlBatteryHelper::Install(const NodeContainer& nodes) const
{
    BasicEnergySourceHelper batteries;
    BasicEnergyHarvesterHelper harvesters;
    const auto random = CreateObject<UniformRandomVariable>();
    const auto before = std::count_if(NodeList::Begin(), NodeList::End(), HasDpdlBattery);
    random->SetStream(DpdlStreams::BATTERIES + before);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const double factor = random->GetValue(1.0 - m_spread, 1.0 + m_spread);
        batteries.Set("BasicEnergySourceInitialEnergyJ", DoubleValue(m_joule * factor));
        const energy::EnergySourceContainer source = batteries.Install(nodes.Get(i));
        if (m_watt > 0.0)
        {
            const auto power = CreateObject<DeterministicRandomVariable>();
            std::vector<double> watts{m_watt, m_day.IsZero() ? m_watt : 0.0};
            power->SetValueArray(watts.data(), watts.size());
            const Time interval = m_day.IsZero() ? Seconds(HARVEST_INTERVAL) : m_day;
            harvesters.Set("HarvestablePower", PointerValue(power));
            harvesters.Set("PeriodicHarvestedPowerUpdateInterval", TimeValue(interval));
            harvesters.Install(source);
        }
    }
}

bool
HasDpdlBattery(Ptr<Node> node)
{
    const auto sources = node->GetObject<energy::EnergySourceContainer>();
    return sources && sources->GetN() > 0;
}

Ptr<DpdlRadio>
ConnectDpdlBattery(Ptr<Node> node)
{
    auto radio = node->GetObject<DpdlRadio>();
    if (!radio)
    {
        radio = CreateObjectWithAttributes<DpdlRadio>("OffCurrent", DoubleValue(0.0));
    }
    const auto sources = node->GetObject<energy::EnergySourceContainer>();
    CreateObject<DpdlRadioEnergyModel>()->Connect(radio, sources->Get(0));
    return radio;
}

} // namespace ns3
