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

/// How nodes make themselves known to each other.
struct DpdlBeaconSettings
{
    Time period{MilliSeconds(100)}; ///< from beacon to beacon
    uint32_t bytes{300};            ///< of a beacon, without UDP and IP headers
    Time ageingTime{Seconds(1)};    ///< how long a beacon counts
    uint32_t leastHeard{1};         ///< beacons within that time that make a node a neighbour

    /**
     * @brief Makes sure that a node which is heard without loss stays a neighbour.
     * @throws dpdl::UsageError naming option beaconAge if the ageing time is shorter than
     *         leastHeard periods
     */
    void Check() const;
};

/**
 * @ingroup dpdl
 *
 * @brief Gives nodes a DpdlBeacon each, and a run the topology `beacons` of who heard whom.
 *
 * @code
 * auto beacons = std::make_shared<DpdlBeaconHelper>();
 * DpdlBeaconHelper::EnterTopology(beacons);   // once, before the run
 * beacons->Install(nodes, settings);          // after devices and stacks
 * @endcode
 *
 * In a round a node sends to all its neighbours (DpdlBeacon::Neighbours()) of the moment when the
 * first node begins the round, as in topology `mobility`.
 */
class DpdlBeaconHelper
{
  public:
    /// The name of the topology.
    static constexpr const char* TOPOLOGY = "beacons";

    /// Adds topology `beacons` to this program. @param beacons are asked who is heard
    static void EnterTopology(std::shared_ptr<const DpdlBeaconHelper> beacons);

    /**
     * @brief Gives each node a DpdlBeacon that begins at time 0.
     *
     * Their random numbers get fixed streams. The nodes of an earlier call are asked no more.
     * @param nodes of the run, in its order, with one IPv4 interface that can broadcast
     * @param settings of all of them
     */
    void Install(const NodeContainer& nodes, const DpdlBeaconSettings& settings);

    /// The edges of this moment: from each node to all its neighbours, by node.
    std::vector<::dpdl::Edge> Edges() const;

    /// The applications, by node.
    const ApplicationContainer& Applications() const
    {
        return m_beacons;
    }

  private:
    ApplicationContainer m_beacons; //!< see Applications()
};

} // namespace ns3

#endif // DPDL_BEACON_HELPER_H
