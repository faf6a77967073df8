// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NODE_STATE_H
#define DPDL_NODE_STATE_H

#include "dpdl/base/types.h"
#include "dpdl/experiment/energy-log.h"
#include "dpdl/experiment/resolve.h"

#include "ns3/application.h"
#include "ns3/dpdl-radio.h"
#include "ns3/node-container.h"
#include "ns3/vector.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dpdl
 * @brief Current position of a node in metres; empty if it has no MobilityModel.
 * @param node any node
 */
std::optional<::dpdl::Position> DpdlPlaceOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Places a node at a fixed position.
 * @param node node without a MobilityModel
 * @param place position in metres
 */
void PlaceDpdlNode(Ptr<Node> node, const Vector& place);

/// Largest accepted transmission power of radios of nodes, in dBm.
constexpr double MOST_DPDL_POWER = 33.0;
/// Largest accepted transmission power of base stations, in dBm.
constexpr double MOST_DPDL_STATION_POWER = 60.0;

/// True if a transmission power is accepted: from -20 to @p most.
/// @param dBm power in dBm
/// @param most MOST_DPDL_POWER or MOST_DPDL_STATION_POWER
inline bool
IsDpdlPower(double dBm, double most)
{
    return dBm >= -20.0 && dBm <= most;
}

/**
 * @ingroup dpdl
 * @brief Checks the transmission power of a radio.
 * @param dBm power in dBm
 * @param most largest accepted power, in dBm
 * @return @p dBm
 * @throws dpdl::UsageError unless IsDpdlPower()
 */
double RequireDpdlPower(double dBm, double most);

/**
 * @ingroup dpdl
 * @brief Buildings of ns-3's BuildingList as boxes that stand on the ground; coordinates in metres.
 */
std::vector<::dpdl::Building> ListDpdlBuildings();

/**
 * @ingroup dpdl
 * @brief Energy in J that a node's DpdlRadio has used so far, one entry per state of the radio.
 *        Without a DpdlRadio: energy that the node's devices took from its energy sources, one
 *        entry per type of ns-3's DeviceEnergyModel; empty if no device has such a model.
 * @param node any node
 */
std::vector<::dpdl::EnergyUse> DpdlEnergyOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Sum of the frame counters of all nodes' radios; empty if no node has a DpdlRadio.
 * @param nodes nodes of the run
 */
std::optional<DpdlRadio::Frames> CountDpdlFrames(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Starts counting the bytes that WiFi and LR-WPAN devices transmit.
 * @param nodes nodes of the run, whose devices are installed
 * @return function that returns the number of bytes so far, with MAC headers and retransmissions;
 *        empty if no node has such a device. It is also empty if node 0 has a DpdlRadio or a
 *        DpdlAirBytes, because networks that dpdl built count their bytes themselves
 */
std::function<uint64_t()> CountDpdlAirBytes(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Starts recording which nodes can overhear messages addressed to others.
 *
 * If any node has a broadcast device that is not point-to-point (CSMA, WiFi, LR-WPAN, LTE), all
 * nodes count as overhearing everything. If all devices are point-to-point, a node overhears the
 * packets for other nodes that its IP layer receives, even if it does not forward them. For other
 * devices the result is unknown.
 * @param nodes nodes of the run, whose IP stacks are installed; call this before the simulation
 * @return function that returns the setting `overheard` after the simulation. It is `all`, the type
 *        of an unknown device or stack, or pairs NODE:SOURCE of an observing node and an observed
 *        sender, each followed by a comma. Every node is also paired with itself
 */
std::function<std::string()> WatchDpdlMedium(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Sets the duration of a node's local steps, if option compute=profile or different speeds
 *        of the nodes determine it. With compute=measured, sets the node's factor on measured
 *        durations.
 * @param application DpdlApplication of the node
 * @param run the resolved options
 * @param node number of the node in the run
 */
void SetDpdlStepTime(Ptr<Application> application,
                     const ::dpdl::ResolvedNetwork& run,
                     uint32_t node);

} // namespace ns3

#endif // DPDL_NODE_STATE_H
