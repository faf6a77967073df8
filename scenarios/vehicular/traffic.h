// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIO_TRAFFIC_H
#define DPDL_SCENARIO_TRAFFIC_H

#include "dpdl/base/types.h"

#include "ns3/dpdl-beacon-helper.h"
#include "ns3/dpdl-scenario.h"
#include "ns3/dpdl-vehicle-movement.h"

#include <memory>
#include <string>
#include <vector>

/// Adds the options of a scenario with moving vehicles, and simulates its run. An object must
/// outlive the scenario's Main().
class Traffic
{
  public:
    /// Adds the options of movement, radios and beacons, and registers topology `beacons`. @param
    /// scenario receives the options; outlives this object
    explicit Traffic(ns3::DpdlScenario& scenario);

    /**
     * @brief Simulates the run. The movement files determine the default number of nodes, and the
     *        absences of vehicles.
     * @throws dpdl::UsageError if a file has an error or options conflict
     */
    void Drive();

    /// Reads the movement file and the activity file. @throws dpdl::UsageError if a file has an
    /// error
    ns3::DpdlVehicleMovement ReadMovement() const;

    /// Warns of options of 802.11p and of beacons that have no effect.
    /// @param hasWifi true: vehicles have radios of 802.11p
    /// @param needs what would give them such radios, for messages
    void WarnOfIdle(bool hasWifi, const std::string& needs);

    /// Number of roadside units: fixed nodes that also learn.
    std::size_t Units() const
    {
        return m_units;
    }

    /// Transmission power of all radios, in dBm.
    double TxPower() const
    {
        return m_power;
    }

  private:
    void AddTownOptions();
    void AddBeaconOptions();

    bool UsesBeacons() const
    {
        return m_scenario.Settings().topology == ns3::DpdlBeaconHelper::TOPOLOGY;
    }

    void TakeTransport(dpdl::RunOptions& settings);
    void RequireVehicles(const ns3::DpdlVehicleMovement& movement) const;
    std::vector<dpdl::Building> ReadBuildings() const;

    ns3::DpdlScenario& m_scenario;
    std::shared_ptr<ns3::DpdlBeaconHelper> m_beacons;
    std::string m_mobility; ///< path of the movement file; empty: an included trace is used
    std::string m_activity; ///< path of SUMO's activity file; empty: that of the included trace, or
                            ///< none if m_mobility is set
    double m_mobilityStart{0.0}; ///< time in both files at which the run begins, s
    /// Number of an included trace: 1, 2 or 3; `run`: 1, 2, 3, 1, ... for runs 1, 2, 3, 4, ...
    std::string m_traffic{"run"};
    /// Path of the buildings file; empty: the included file, or none with m_mobility; `none`: no
    /// buildings.
    std::string m_buildings;
    std::uint64_t m_units{0};        ///< number of roadside units
    double m_power{23.0};            ///< transmission power of all radios, dBm
    std::string m_cast{"broadcast"}; ///< transmission of shares: broadcast or unicast
    double m_beaconPeriod{0.1};      ///< time from one beacon of a node to the next, s
    std::uint64_t m_beaconSize{300}; ///< size of a beacon without UDP and IP headers, in bytes
    double m_beaconAge{1.0};         ///< time for which a heard beacon counts, s
    /// Number of beacons heard within m_beaconAge that makes their sender a neighbour.
    std::uint64_t m_beaconCount{10};
};

#endif // DPDL_SCENARIO_TRAFFIC_H
