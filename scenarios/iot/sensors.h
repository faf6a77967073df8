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

/// The sensors of the scenario iot: what its user may say of them, and their network.
class Sensors
{
  public:
    /// Adds the options. @param scenario outlives this, and this its options' reading
    explicit Sensors(ns3::DpdlScenario& scenario);

    /// Sets what follows from the layout. @throws dpdl::UsageError if options do not go together
    void Apply(dpdl::RunOptions& settings) const;

    /// Gives nodes places, radios, stacks and batteries.
    void Build(const ns3::NodeContainer& nodes, const dpdl::RunOptions& settings) const;

  private:
    void AddPower(ns3::DpdlScenario& scenario);
    bool HasHops() const;
    void ApplyHops(dpdl::RunOptions& settings) const;
    void Place(ns3::DpdlLrWpanNetwork& network, const ns3::NodeContainer& nodes) const;
    void InstallBatteries(const ns3::NodeContainer& nodes) const;

    std::string m_layout{"gateway"};  ///< how they are connected
    std::uint64_t m_hops{2};          ///< of the farthest nodes of a tree
    double m_dutyCycle{0.5};          ///< share of the time that radios are awake
    double m_wakePeriod{4.0};         ///< from one waking to the next, in s
    double m_distance{20.0};          ///< metres to the gateway, or between neighbours
    bool m_isContending{false};       ///< all send at the same time
    std::optional<double> m_battery;  ///< J; empty: power never fails
    double m_batterySpread{0.1};      ///< how far capacities are from it at most, as a share
    double m_harvest{0.0};            ///< W
    std::optional<double> m_daylight; ///< s with that power, and then without; empty: always
};

#endif // DPDL_SCENARIOS_IOT_SENSORS_H
