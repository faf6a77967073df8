// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-beacon-helper.h"

#include "dpdl-packet-network.h"
#include "dpdl-streams.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/topology/round-graph-sequence.h"
#include "dpdl/topology/topologies.h"

#include "ns3/dpdl-beacon.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Topology `beacons`: edges to the current neighbours.
class BeaconGraphSequence : public ::dpdl::LiveGraphSequence
{
  public:
    BeaconGraphSequence(std::size_t nodes, std::shared_ptr<const DpdlBeaconHelper> beacons)
        : LiveGraphSequence(nodes),
          m_beacons(std::move(beacons))
    {
    }

  private:
    std::vector<::dpdl::Edge> MakeEdges(::dpdl::Round /*round*/) const override
    {
        return m_beacons->Edges();
    }

    std::shared_ptr<const DpdlBeaconHelper> m_beacons; //!< provides the edges
};

} // namespace

void
DpdlBeaconSettings::Check() const
{
    DPDL_REFUSE_IF(ageingTime < period * leastHeard,
                   "option 'beaconAge'",
                   ::dpdl::ShowNumber(ageingTime.GetSeconds()) + "s",
                   "at least beaconCount=" + std::to_string(leastHeard) +
                       " times beaconPeriod=" + ::dpdl::ShowNumber(period.GetSeconds()) + "s");
}

void
DpdlBeaconHelper::EnterTopology(std::shared_ptr<const DpdlBeaconHelper> beacons)
{
    ::dpdl::RegisterTopology(
        {TOPOLOGY, "to all nodes whose beacons were heard lately", "DpdlBeacon", {}},
        [beacons = std::move(beacons)](const std::string& /*argument*/,
                                       std::size_t nodes,
                                       ::dpdl::RandomSeed /*seed*/) {
            return std::make_shared<BeaconGraphSequence>(nodes, beacons);
        });
}

void
DpdlBeaconHelper::Install(const NodeContainer& nodes, const DpdlBeaconSettings& settings)
{
    const DpdlPacketNetwork::Attributes attributes{
        {"Period", Create<TimeValue>(settings.period)},
        {"Size", Create<UintegerValue>(settings.bytes)},
        {"AgeingTime", Create<TimeValue>(settings.ageingTime)},
        {"LeastHeard", Create<UintegerValue>(settings.leastHeard)}};
    settings.Check();
    m_beacons = ApplicationContainer();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto beacon = CreateObject<DpdlBeacon>();
        SetDpdlAttributes(*beacon, attributes, "DpdlBeaconHelper::Install");
        beacon->SetNumber(i);
        beacon->AssignStreams(DpdlStreams::BEACONS + i);
        nodes.Get(i)->AddApplication(beacon);
        m_beacons.Add(beacon);
    }
}

std::vector<::dpdl::Edge>
DpdlBeaconHelper::Edges() const
{
    std::vector<::dpdl::Edge> edges;
    for (uint32_t i = 0; i < m_beacons.GetN(); ++i)
    {
        for (const uint32_t heard : DynamicCast<DpdlBeacon>(m_beacons.Get(i))->Neighbours())
        {
            // A node outside the run may also send beacons, so the node number may be invalid.
            if (heard < m_beacons.GetN() && heard != i)
            {
                edges.push_back({i, heard});
            }
        }
    }
    return edges;
}

} // namespace ns3
