// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIOS_IOT_SENSORS_H
#define DPDL_SCENARIOS_IOT_SENSORS_H

#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/dpdl-scenario.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <optional>
#include <string>

/// Options and network of the sensors of scenario iot.
class Sensors
{
  public:
    /// Adds the options. @param scenario outlives this; this must outlive its Main()
    explicit Sensors(ns3::DpdlScenario& scenario);

    /// Sets the options implied by the layout. @throws dpdl::UsageError if options conflict
    void Apply(dpdl::RunOptions& settings) const;

    /// Installs positions, radios, stacks and batteries on nodes.
    void Build(const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) const;

  private:
    void AddPower(ns3::DpdlScenario& scenario);
    bool HasHops() const;
    void ApplyHops(dpdl::RunOptions& settings) const;
    void Place(ns3::DpdlLrWpanNetwork& network, const ns3::NodeContainer& nodes) const;
    void InstallBatteries(const ns3::NodeContainer& nodes) const;

    std::string m_layout{"gateway"};  ///< one of the layouts of option layout
    std::uint64_t m_hops{2};          ///< maximum hops in a tree
    double m_dutyCycle{0.5};          ///< fraction of the time in which radios are awake
    double m_wakePeriod{4.0};         ///< period of waking up, s
    double m_distance{20.0};          ///< metres to the gateway, or between neighbours
    bool m_isContending{false};       ///< true: CSMA without slots
    std::optional<double> m_battery;  ///< J; empty: power never fails
    double m_batterySpread{0.1};      ///< maximum relative deviation of capacities
    double m_harvest{0.0};            ///< harvested power, W
    std::optional<double> m_daylight; ///< length of a day and of a night, s; empty: always day
};

#endif // DPDL_SCENARIOS_IOT_SENSORS_H
