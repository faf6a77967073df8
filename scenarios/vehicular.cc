// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of vehicles that learn together while they drive: a SUMO trace moves them, IEEE 802.11p
 * radios carry the shares, and who hears whom is up to distance, fading and collisions. The study
 * of the same name runs it with frames for all neighbours, and with frames for each.
 */

#include "dpdl/base/quantity.h"
#include "dpdl/base/registry.h"

#include "ns3/config.h"
#include "ns3/dpdl-scenario.h"
#include "ns3/dpdl-vehicle-movement.h"
#include "ns3/dpdl-vehicular-network.h"
#include "ns3/string.h"

using dpdl::RunSettings;
using ns3::DpdlScenario;
using ns3::StringValue;
using ns3::Config::SetDefault;

namespace
{

const std::string SHIPPED = MOBILITY_FOLDER "/mobility.tcl";

/// What the user may say of the vehicles.
struct Traffic
{
    std::string mobility{SHIPPED}; ///< how they move
    std::string activity;          ///< when they are there
    std::string units{"0"};        ///< roadside units
    std::string power{"23"};       ///< of all radios, in dBm
    std::string cast{"broadcast"}; ///< to whom a frame goes
};

void
AddOptions(DpdlScenario& scenario, Traffic& traffic)
{
    scenario.AddText("mobility",
                     "how vehicles move; their number is that of the file",
                     "the path of a movement file in the form of ns-2",
                     traffic.mobility);
    scenario.AddText("activity",
                     "when they depart and arrive; of one's own mobility: always there",
                     "the path of SUMO's ns2activity-output",
                     traffic.activity);
    scenario.AddText("roadsideUnits",
                     "learn too, on a grid",
                     "a whole number up to 1000",
                     traffic.units);
    scenario.AddText("txPower", "of all radios, in dBm", "-20 to 33", traffic.power);
    scenario.AddText("cast",
                     "one frame for all neighbours, or one for each, which acknowledges it",
                     "broadcast, unicast",
                     traffic.cast);
}

/// Makes the run: the number of nodes, who is absent when, and the radios follow from the files.
void
Drive(DpdlScenario& scenario, const Traffic& traffic)
{
    if (traffic.cast != "broadcast" && traffic.cast != "unicast")
    {
        dpdl::ThrowUnknownName("option 'cast'", traffic.cast, {"broadcast", "unicast"});
    }
    const bool isShipped = traffic.activity.empty() && traffic.mobility == SHIPPED;
    const ns3::DpdlVehicleMovement movement(traffic.mobility,
                                            isShipped ? MOBILITY_FOLDER "/activity.tcl"
                                                      : traffic.activity);
    const auto roadside = dpdl::ParseInteger("option 'roadsideUnits'", traffic.units, 0, 1000);
    const double dBm =
        dpdl::ParseNumber("option 'txPower'", traffic.power, "-20 to 33", [](double p) {
            return p >= -20.0 && p <= 33.0;
        });
    RunSettings& settings = scenario.Settings();
    if (settings.given.count("nodes") == 0)
    {
        dpdl::SetOption(settings, "nodes", std::to_string(movement.Vehicles() + roadside));
    }
    movement.Require(settings.nodes);
    dpdl::SetOption(settings, "transport", traffic.cast == "unicast" ? "udp" : traffic.cast);
    for (const std::string& sentence : movement.Absences())
    {
        dpdl::SetOption(settings, "fail", sentence);
    }
    scenario.SetNetwork([movement, dBm](const auto& nodes, const auto&) {
        movement.Install(nodes);
        ns3::DpdlVehicularNetwork network;
        network.SetTxPower(dBm);
        network.Install(nodes);
        network.FollowPresence(movement.Presence());
    });
    DpdlScenario::RunOnce(scenario);
}

} // namespace

int
main(int argc, char* argv[])
{
    DpdlScenario scenario("vehicular",
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
    Traffic traffic;
    AddOptions(scenario, traffic);
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::Burst", StringValue("2"));
    SetDefault("ns3::DpdlUdpTransport::PacingRate", StringValue("1Mbps"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // By default a radio throws away what waits for half a second.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return scenario.Main(argc, argv, [&traffic](DpdlScenario& s) { Drive(s, traffic); });
}
