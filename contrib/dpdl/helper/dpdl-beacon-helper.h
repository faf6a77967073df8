// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_BEACON_HELPER_H
#define DPDL_BEACON_HELPER_H

#include "dpdl/topology/graph-sequence.h"

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <memory>
#include <vector>

namespace ns3
{

/// Parameters of all beacons of a run.
struct DpdlBeaconSettings
{
    Time period{MilliSeconds(100)}; ///< time between two beacons of a node, at least 1 ms
    uint32_t bytes{300};            ///< size of a beacon without UDP and IP headers, in bytes
    Time ageingTime{Seconds(1)};    ///< time for which a received beacon counts, at least 1 ms
    /// Number of beacons received within ageingTime that makes their sender a neighbour, >= 1.
    uint32_t leastHeard{1};

    /**
     * @brief Checks that leastHeard beacons fit into the ageing time, so nodes can become
     *        neighbours.
     * @throws dpdl::UsageError naming option beaconAge if the ageing time is shorter than
     *         leastHeard periods
     */
    void Check() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Installs a DpdlBeacon on each node, and registers topology `beacons` of their neighbours.
 *
 * @code
 * auto beacons = std::make_shared<DpdlBeaconHelper>();
 * DpdlBeaconHelper::EnterTopology(beacons);   // once, before the run
 * beacons->Install(nodes, settings);          // after devices and stacks
 * @endcode
 *
 * The neighbours (DpdlBeacon::Neighbours()) of all nodes are read when the first node begins a
 * round. In this round, each node sends to its neighbours.
 */
class DpdlBeaconHelper
{
  public:
    /// Value of option topology that selects the edges of this helper.
    static constexpr const char* TOPOLOGY = "beacons";

    /// Registers topology `beacons` in this program; call this once, before the run.
    /// @param beacons helper that provides the edges
    static void EnterTopology(std::shared_ptr<const DpdlBeaconHelper> beacons);

    /**
     * @brief Installs on each node a DpdlBeacon that starts at time 0.
     *
     * This method assigns fixed random streams. A second call replaces the nodes of the first call.
     * @param nodes nodes of the run, in the order of their numbers, each with one IPv4 interface
     *        that can broadcast
     * @param settings parameters of the beacons of all nodes
     * @throws dpdl::UsageError if a DpdlBeacon does not accept a parameter, or Check() throws
     */
    void Install(const NodeContainer& nodes, const DpdlBeaconSettings& settings);

    /// Current edges, from each node to all its neighbours, in ascending order of source, then of
    /// target.
    std::vector<::dpdl::Edge> Edges() const;

  private:
    ApplicationContainer m_beacons; //!< beacon applications, by node
};

} // namespace ns3

#endif // DPDL_BEACON_HELPER_H
