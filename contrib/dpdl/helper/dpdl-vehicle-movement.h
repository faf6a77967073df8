// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_VEHICLE_MOVEMENT_H
#define DPDL_VEHICLE_MOVEMENT_H

#include "dpdl/network/movement-file.h"

#include "ns3/node-container.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 *
 * @brief Vehicles that move as an ns-2 movement file says, and roadside units beside them.
 *
 * Both files are read and checked when this is made. ns-3's Ns2MobilityHelper moves the vehicles.
 * In a file of SUMO's traceExporter.py a vehicle has to go to where SUMO has it at that moment,
 * so that it is there one step later: the simulation's clock is SUMO's and a step. Starts and stops
 * of the activity file are therefore also a step later, and then fit the positions.
 */
class DpdlVehicleMovement
{
  public:
    /**
     * @param movement path of the movement file
     * @param activity path of SUMO's ns2activity-output; "": all vehicles are there all the time
     * @throws dpdl::UsageError if a file cannot be read, or has a mistake
     */
    DpdlVehicleMovement(const std::string& movement, const std::string& activity);

    /// Number of vehicles in the file.
    uint32_t Vehicles() const
    {
        return static_cast<uint32_t>(m_movement.nodes);
    }

    /// The rectangle in which they move: two opposite corners.
    std::pair<::dpdl::Position, ::dpdl::Position> Area() const
    {
        return {m_movement.low, m_movement.high};
    }

    /// When each vehicle is there, by the simulation's clock.
    const std::vector<::dpdl::Presence>& Presence() const
    {
        return m_presence;
    }

    /// The absence of vehicles, for dpdl::PlainOptions. @param first node's number
    std::vector<std::string> Absences(::dpdl::NodeId first = 0) const
    {
        return ::dpdl::AbsenceEvents(m_presence, first);
    }

    /**
     * @brief Makes sure that a run has a node for each vehicle.
     * @param nodes of the run
     * @throws dpdl::UsageError if they are fewer than Vehicles()
     */
    void Require(std::size_t nodes) const;

    /**
     * @brief Lets the first Vehicles() nodes move, and puts the others on a grid over the same
     * area.
     * @param nodes without mobility
     * @throws dpdl::UsageError if they are fewer than Vehicles()
     */
    void Install(const NodeContainer& nodes) const;

  private:
    std::string m_path;                       //!< of the movement file
    ::dpdl::Movement m_movement;              //!< what it says
    std::vector<::dpdl::Presence> m_presence; //!< see Presence()
};

} // namespace ns3

#endif // DPDL_VEHICLE_MOVEMENT_H
