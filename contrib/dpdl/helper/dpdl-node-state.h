// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NODE_STATE_H
#define DPDL_NODE_STATE_H

#include "dpdl/base/position.h"
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
 * @brief Where ns-3 has a node at this moment, in metres, if it has a MobilityModel.
 * @param node the node
 */
std::optional<::dpdl::Position> DpdlPlaceOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief Lets a node stand at a place.
 * @param node without mobility
 * @param place in metres
 */
void PlaceDpdlNode(Ptr<Node> node, const Vector& place);

/**
 * @ingroup dpdl
 * @brief The boxes of ns-3's BuildingList, each as if it stood on the ground.
 */
std::vector<::dpdl::Building> ListDpdlBuildings();

/**
 * @ingroup dpdl
 * @brief What the radio of a node has taken until now, state by state; empty if it has none.
 * @param node the node
 */
std::vector<::dpdl::EnergyUse> DpdlEnergyOf(Ptr<Node> node);

/**
 * @ingroup dpdl
 * @brief What the radios of all nodes have sent together; empty if no node has one.
 * @param nodes of the run
 */
std::optional<DpdlRadio::Frames> CountDpdlFrames(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Begins to watch who can hear messages that are not addressed to it.
 *
 * If any node has a device that can broadcast on a channel of more than two (CSMA, WiFi, LR-WPAN,
 * LTE), all nodes count as hearing everything. If all devices are point-to-point, a node hears what
 * its IP receives for others, to forward it or not: routes may change. Of other devices it is not
 * known.
 * @param nodes of the run, with stacks of the program's own, before the simulation
 * @return gives the setting `overheard` after it: `all`, pairs NODE:SOURCE, each with a comma,
 *         among them each node with itself; or the type of a device or stack that is not known
 */
std::function<std::string()> WatchDpdlMedium(const NodeContainer& nodes);

/**
 * @ingroup dpdl
 * @brief Gives an application the time of its node's local steps, where nodes differ.
 * @param application of the node
 * @param run what is in force
 * @param node its number in the run
 */
void SetDpdlStepTime(Ptr<Application> application, const ::dpdl::ResolvedRun& run, uint32_t node);

} // namespace ns3

#endif // DPDL_NODE_STATE_H
