// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIO_TRAFFIC_H
#define DPDL_SCENARIO_TRAFFIC_H

#include "dpdl/base/position.h"

#include "ns3/dpdl-beacon-helper.h"
#include "ns3/dpdl-scenario.h"
#include "ns3/dpdl-vehicle-movement.h"

#include <memory>
#include <string>
#include <vector>

/// What the user may say of the vehicles. Objects outlive the scenario's Main().
class Traffic
{
  public:
    /// Adds the options of the scenario, and topology `beacons`.
    explicit Traffic(ns3::DpdlScenario& scenario);

    /**
     * @brief Makes the run: the number of nodes, who is absent when, and the radios follow from the
     *        files.
     * @throws dpdl::UsageError if a file has a mistake, or options contradict each other
     */
    void Drive();

    /// The vehicles of the files. @throws dpdl::UsageError if a file has a mistake
    ns3::DpdlVehicleMovement ReadMovement() const;

    /// How many roadside units there are.
    std::size_t Units() const
    {
        return m_units;
    }

    /// Power of all radios, in dBm.
    double TxPower() const
    {
        return m_power;
    }

  private:
    void AddTownOptions();
    void AddBeaconOptions();
    bool UsesBeacons() const;
    std::vector<dpdl::Building> ReadBuildings() const;

    ns3::DpdlScenario& m_scenario;
    std::shared_ptr<ns3::DpdlBeaconHelper> m_beacons;
    std::string m_mobility;          ///< how they move; empty: a trace that ships
    std::string m_activity;          ///< when they are there
    std::string m_traffic{"run"};    ///< which of the traces that ship
    std::string m_buildings;         ///< what shadows; empty: that of the town that ships
    std::uint64_t m_units{0};        ///< roadside units
    double m_power{23.0};            ///< of all radios, in dBm
    std::string m_cast{"broadcast"}; ///< to whom a frame goes
    double m_beaconPeriod{0.1};      ///< from beacon to beacon, in s
    std::uint64_t m_beaconSize{300}; ///< bytes of a beacon
    double m_beaconAge{1.0};         ///< how long a beacon counts, in s
    std::uint64_t m_beaconCount{10}; ///< beacons within that time that make a neighbour
};

#endif // DPDL_SCENARIO_TRAFFIC_H
