// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SCENARIO_CELLS_H
#define DPDL_SCENARIO_CELLS_H

#include "../vehicular/traffic.h"

#include "ns3/dpdl-lte-network.h"

#include <string>

/// Options of the cells, and their run. An object must outlive the scenario's Main().
class Cells
{
  public:
    /**
     * @brief Adds the options of cells.
     * @param scenario receives the options
     * @param traffic the vehicles
     */
    Cells(ns3::DpdlScenario& scenario, Traffic& traffic);

    /**
     * @brief Simulates the run with the selected radio.
     * @throws dpdl::UsageError if a file has an error or options conflict
     */
    void Run();

  private:
    void Gossip();
    void Connect();
    void RequireCells(std::size_t nodes) const;
    ns3::DpdlLteNetwork Network(const ns3::DpdlVehicleMovement& movement) const;

    ns3::DpdlScenario& m_scenario;
    Traffic& m_traffic;
    std::string m_radio{"lte"};  ///< of the vehicles
    std::uint64_t m_cells{1};    ///< number of cells
    std::uint64_t m_blocks{25};  ///< resource blocks each way
    double m_stationPower{30.0}; ///< transmission power, dBm
};

#endif // DPDL_SCENARIO_CELLS_H
