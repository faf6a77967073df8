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
 * @param node node without a MobilityModel
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
 * @brief Energy that a node's radio has used so far, by state of the radio. Without a DpdlRadio:
 *        energy that the node's devices took from its energy sources, by type of ns-3's energy
 *        model; empty if no device has such a model.
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
 * @brief Starts counting the bytes that the WiFi and LR-WPAN devices of a program transmit.
 * @param nodes of the run, with the program's devices
 * @return function that returns the number of bytes so far, with MAC headers and retransmissions;
 *        empty if no node has such a device, or if the first node has a DpdlRadio or a
 *        DpdlAirBytes, with which dpdl's networks count themselves
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
 * @param nodes of the run, with the program's stacks, before the simulation
 * @return function that returns the setting `overheard` after the simulation. It is `all`, the type
 *        of an unknown device or stack, or pairs NODE:SOURCE of an observing node and an observed
 *        sender, each followed by a comma. Every node is also paired with itself
 */
std::function<std::string()> WatchDpdlMedium(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Sets the duration of a node's local steps in its application, with option compute=profile
 *        or if nodes differ in speed. Measured durations are scaled.
 * @param application of the node
 * @param run the resolved options
 * @param node number of the node in the run
 */
void SetDpdlStepTime(Ptr<Application> application,
                     const ::dpdl::ResolvedNetwork& run,
                     uint32_t node);

} // namespace ns3

#endif // DPDL_NODE_STATE_H
