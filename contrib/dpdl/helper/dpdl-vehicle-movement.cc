// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-vehicle-movement.h"

#include "dpdl-node-state.h"
#include "dpdl/base/errors.h"

#include "ns3/ns2-mobility-helper.h"

#include <cmath>

namespace ns3
{

DpdlVehicleMovement::DpdlVehicleMovement(const std::string& movement, const std::string& activity)
    : m_path(movement),
      m_movement(::dpdl::ReadMovement(movement)),
      m_presence(activity.empty() ? std::vector<::dpdl::Presence>(m_movement.nodes)
                                  : ::dpdl::ReadActivity(activity, m_movement.nodes))
{
    for (::dpdl::Presence& presence : m_presence)
    {
        presence.start += presence.start > 0.0 ? m_movement.step : 0.0;
        presence.stop += m_movement.step;
    }
}

void
DpdlVehicleMovement::Require(std::size_t nodes) const
{
    if (nodes < Vehicles())
    {
        throw ::dpdl::UsageError("option 'nodes'",
                                 std::to_string(nodes),
                                 "at least the " + std::to_string(Vehicles()) +
                                     " nodes that mobility file '" + m_path + "' moves");
    }
}

void
DpdlVehicleMovement::Install(const NodeContainer& nodes) const
{
    Require(nodes.GetN());
    const auto firstUnit = nodes.Begin() + Vehicles();
    Ns2MobilityHelper(m_path).Install(nodes.Begin(), firstUnit);
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
