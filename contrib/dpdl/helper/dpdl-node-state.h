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
 * @param node the node
 */
std::optional<::dpdl::Position> DpdlPlaceOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Places a node at a fixed position.
 * @param node without mobility
 * @param place position in metres
 */
void PlaceDpdlNode(Ptr<Node> node, const Vector& place);

/**
 * @ingroup dpdl
 * @brief Boxes of ns-3's BuildingList, each extended to the ground.
 */
std::vector<::dpdl::Building> ListDpdlBuildings();

/**
 * @ingroup dpdl
 * @brief Energy used by a node's radio so far, by state. If it has no DpdlRadio, energy that its
 * devices took from its energy sources, by type of ns-3's model; empty if it has no models.
 * @param node the node
 */
std::vector<::dpdl::EnergyUse> DpdlEnergyOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Sum of the frame counters of all nodes' radios; empty if no node has a DpdlRadio.
 * @param nodes of the run
 */
std::optional<DpdlRadio::Frames> CountDpdlFrames(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Starts counting bytes that WiFi and LR-WPAN devices of a program put on the air.
 * @param nodes of the run, with the program's devices
 * @return function that gives the bytes so far, with headers of the MAC layer and repeats; empty if
 *         no node has such a device, or a network of dpdl counts
 */
std::function<uint64_t()> CountDpdlAirBytes(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Starts recording which nodes can overhear messages addressed to others.
 *
 * If any node has a device that can broadcast on a channel of more than two (CSMA, WiFi, LR-WPAN,
 * LTE), all nodes count as overhearing everything. If all devices are point-to-point, a node
 * overhears packets for others that its IP layer receives, forwarded or not. For other devices the
 * result is unknown.
 * @param nodes of the run, with the program's stacks, before the simulation
 * @return function that gives the setting `overheard` after the simulation: `all`; pairs
 *         NODE:SOURCE, each followed by a comma, including each node with itself; or an unknown
 * type
 */
std::function<std::string()> WatchDpdlMedium(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Sets the duration of local steps in an application, if nodes differ.
 * @param application of the node
 * @param run the resolved options
 * @param node number of the node in the run
 */
void SetDpdlStepTime(Ptr<Application> application,
                     const ::dpdl::ResolvedNetwork& run,
                     uint32_t node);

} // namespace ns3

#endif // DPDL_NODE_STATE_H
