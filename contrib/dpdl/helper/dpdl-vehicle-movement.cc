// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-vehicle-movement.h"

#include "dpdl-node-state.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"

#include "ns3/ns2-mobility-helper.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

namespace ns3
{

DpdlVehicleMovement::DpdlVehicleMovement(const std::string& movement,
                                         const std::string& activity,
                                         double start)
    : m_path(movement),
      m_movement(::dpdl::ReadMovement(movement, start)),
      m_presence(activity.empty() ? m_movement.presence
                                  : ::dpdl::ReadActivity(activity, m_movement.nodes))
{
    DPDL_REFUSE_IF(start > m_movement.first,
                   "option 'mobilityStart'",
                   ::dpdl::ShowNumber(start),
                   "at most " + ::dpdl::ShowNumber(m_movement.first) +
                       ", the first time of mobility file '" + m_path + "'");
    m_movement.first -= start;
    m_movement.last -= start;
    for (::dpdl::Presence& presence : m_presence)
    {
        presence.start = std::max(0.0, presence.start - start);
        presence.stop = std::max(0.0, presence.stop - start);
        presence.start += presence.start > 0.0 ? m_movement.step : 0.0;
        presence.stop += m_movement.step;
    }
}

std::string
DpdlVehicleMovement::Warning() const
{
    std::size_t vehicles = 0;
    std::size_t steps = 0;
    for (const ::dpdl::Presence& presence : m_movement.presence)
    {
        vehicles += presence.missed > 0 ? 1 : 0;
        steps += presence.missed;
    }
    return vehicles == 0 ? ""
                         : "mobility file '" + m_path + "': " + std::to_string(vehicles) +
                               " vehicles are missing in " + std::to_string(steps) +
                               " timesteps between others that have them (SUMO: teleporting); they "
                               "count as present and drive straight to where they reappear";
}

::dpdl::InputTimes
DpdlVehicleMovement::Times() const
{
    return {"mobility file '" + m_path + "'",
            m_movement.first,
            m_movement.last + m_movement.step,
            "--mobilityStart=SECONDS"};
}

void
DpdlVehicleMovement::Require(std::size_t nodes) const
{
    DPDL_REFUSE_IF(nodes < Vehicles(),
                   "option 'nodes'",
                   std::to_string(nodes),
                   "at least the " + std::to_string(Vehicles()) + " nodes that mobility file '" +
                       m_path + "' moves");
}

void
DpdlVehicleMovement::Install(const NodeContainer& nodes) const
{
    Require(nodes.GetN());
    const auto firstUnit = nodes.Begin() + Vehicles();
    const int memory = memfd_create("dpdl-movement", MFD_CLOEXEC);
    const std::string path = "/proc/self/fd/" + std::to_string(memory);
    if (!(std::ofstream(path, std::ios::binary) << *m_movement.commands).flush())
    {
        throw ::dpdl::Error("no memory for the movement of the nodes");
    }
    Ns2MobilityHelper(path).Install(nodes.Begin(), firstUnit);
    close(memory);
    const auto units = static_cast<uint32_t>(nodes.End() - firstUnit);
    const auto columns = static_cast<uint32_t>(std::ceil(std::sqrt(units)));
    for (uint32_t i = 0; i < units; ++i)
    {
        const uint32_t rows = (units + columns - 1) / columns;
        const double x = (i % columns + 0.5) / columns;
        const uint32_t row = i / columns;
        const double y = (row + 0.5) / rows;
        PlaceDpdlNode(firstUnit[i],
                      Vector(m_movement.low.x + x * (m_movement.high.x - m_movement.low.x),
                             m_movement.low.y + y * (m_movement.high.y - m_movement.low.y),
                             0.0));
    }
}

} // namespace ns3
