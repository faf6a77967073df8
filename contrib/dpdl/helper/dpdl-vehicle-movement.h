// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_VEHICLE_MOVEMENT_H
#define DPDL_VEHICLE_MOVEMENT_H

#include "dpdl/base/input-file.h"
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
 * @brief Movement of vehicles by an ns-2 movement file, and positions of roadside units.
 *
 * The constructor reads and checks the movement file and the activity file. ns-3's
 * Ns2MobilityHelper moves the vehicles. In a file of SUMO's traceExporter.py, a vehicle starts
 * towards its SUMO position at that position's time and arrives one step later. The simulation's
 * clock is therefore one step after SUMO's. The starts and stops of the activity file are shifted
 * by one step to match.
 */
class DpdlVehicleMovement
{
  public:
    /**
     * @param movement path of the movement file
     * @param activity path of SUMO's ns2activity-output; "": all vehicles are always present
     * @param start time in both files at which the simulation starts, in s
     * @throws dpdl::UsageError if a file cannot be read or has an error, or a vehicle moves before
     *         @p start
     */
    DpdlVehicleMovement(const std::string& movement,
                        const std::string& activity,
                        double start = 0.0);

    /// Number of vehicles in the file.
    uint32_t Vehicles() const
    {
        return static_cast<uint32_t>(m_movement.nodes);
    }

    /// Bounding rectangle of the movement: two opposite corners, in metres.
    std::pair<::dpdl::Position, ::dpdl::Position> Area() const
    {
        return {m_movement.low, m_movement.high};
    }

    /// Warning of one line if FCD output lacks vehicles for some timesteps, as SUMO's teleports do:
    /// such a vehicle counts as present and drives straight to where it reappears. Else "".
    std::string Warning() const;

    /// First and last time of the movement, in simulated time.
    ::dpdl::InputTimes Times() const;

    /// By vehicle: interval of simulated time, in s, in which the vehicle is present.
    const std::vector<::dpdl::Presence>& Presence() const
    {
        return m_presence;
    }

    /// Failure events that switch off the nodes of absent vehicles, for
    /// dpdl::NetworkSettings::absences.
    /// @param first number of the first vehicle's node
    std::vector<std::string> Absences(::dpdl::NodeId first = 0) const
    {
        return ::dpdl::AbsenceEvents(m_presence, first);
    }

    /**
     * @brief Checks that a run has a node for each vehicle.
     * @param nodes number of nodes of the run
     * @throws dpdl::UsageError if @p nodes is less than Vehicles()
     */
    void Require(std::size_t nodes) const;

    /**
     * @brief Moves the first Vehicles() nodes, and places all further nodes on a grid over Area().
     * @param nodes nodes without a MobilityModel
     * @throws dpdl::UsageError if there are fewer nodes than Vehicles()
     */
    void Install(const NodeContainer& nodes) const;

  private:
    std::string m_path;          //!< path of the movement file
    ::dpdl::Movement m_movement; //!< content of the movement file
    /// By vehicle: interval of simulated time, in s, in which the vehicle is present.
    std::vector<::dpdl::Presence> m_presence;
};

} // namespace ns3

#endif // DPDL_VEHICLE_MOVEMENT_H
