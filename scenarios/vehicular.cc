// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Vehicles that learn together while they drive: a SUMO trace moves them, IEEE 802.11p radios carry
 * the shares, and who hears whom is up to distance, fading and collisions.
 */

#include "dpdl/base/quantity.h"

#include "ns3/config.h"
#include "ns3/dpdl-campaign.h"
#include "ns3/dpdl-vehicle-movement.h"
#include "ns3/dpdl-vehicular-network.h"
#include "ns3/string.h"

using ns3::StringValue;
using ns3::Config::SetDefault;
using Campaign = ns3::DpdlCampaign;

int
main(int argc, char* argv[])
{
    const std::string shipped = MOBILITY_FOLDER "/mobility.tcl";
    std::string mobility = shipped;
    std::string activity;
    std::string units = "0";
    std::string power = "23";
    Campaign::Items casts;
    Campaign campaign("vehicular",
                      "vehicles with 802.11p radios learn while they drive",
                      {{"model", "softmax-regression"},
                       {"topology", "mobility:150"},
                       {"network", "packet"},
                       {"transport", "broadcast"},
                       {"chunk", "1000"},
                       {"rounds", "60"},
                       {"deadline", "1500ms"},
                       {"compute", "fixed:100ms:heterogeneous=4"},
                       {"testSamples", "2000"},
                       {"evaluateEvery", "5"},
                       {"qWindow", "20"},
                       {"lossPolicy", "running-sum"},
                       {"traceLevel", "full"},
                       {"accountant", "rdp"}});
    campaign.AddText("mobility",
                     "how vehicles move; their number is that of the file",
                     "the path of a movement file in the form of ns-2",
                     mobility);
    campaign.AddText("activity",
                     "when they depart and arrive; of one's own mobility: always there",
                     "the path of SUMO's ns2activity-output",
                     activity);
    campaign.AddText("roadsideUnits", "learn too, on a grid", "a whole number up to 1000", units);
    campaign.AddText("txPower", "of all radios, in dBm", "-20 to 33", power);
    campaign.AddList({"cast",
                      "",
                      "one frame for all neighbours, or one for each, which acknowledges it",
                      {"broadcast", "unicast"},
                      {}},
                     casts);
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::Burst", StringValue("2"));
    SetDefault("ns3::DpdlUdpTransport::PacingRate", StringValue("1Mbps"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // By default a radio throws away what waits for half a second.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return campaign.Main(argc, argv, [&] {
        const bool isShipped = activity.empty() && mobility == shipped;
        const ns3::DpdlVehicleMovement movement(mobility,
                                                isShipped ? MOBILITY_FOLDER "/activity.tcl"
                                                          : activity);
        const auto roadside = dpdl::ParseInteger("option 'roadsideUnits'", units, 0, 1000);
        const double dBm = dpdl::ParseNumber("option 'txPower'", power, "-20 to 33", [](double p) {
            return p >= -20.0 && p <= 33.0;
        });
        campaign.SetDefault("nodes", std::to_string(movement.Vehicles() + roadside));
        movement.Require(campaign.Settings().nodes);
        campaign.SetNetwork([movement, dBm](const auto& nodes, const auto&) {
            movement.Install(nodes);
            ns3::DpdlVehicularNetwork network;
            network.SetTxPower(dBm);
            network.Install(nodes);
            network.FollowPresence(movement.Presence());
        });
        for (const std::string& cast : casts)
        {
            Campaign::Words changes{{"transport", cast == "unicast" ? "udp" : cast}};
            for (const std::string& sentence : movement.Absences())
            {
                changes.emplace_back("fail", sentence);
            }
            campaign.Add({{"cast", cast}}, changes);
        }
    });
}
