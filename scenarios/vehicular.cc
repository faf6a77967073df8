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

using dpdl::RunOptions;
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
    std::uint64_t units{0};        ///< roadside units
    double power{23.0};            ///< of all radios, in dBm
    std::string cast{"broadcast"}; ///< to whom a frame goes
};

void
AddOptions(DpdlScenario& scenario, Traffic& traffic)
{
    const auto power =
        dpdl::Number("-20 to 33", [](double dBm) { return dBm >= -20.0 && dBm <= 33.0; });
    const dpdl::Choices<std::string> casts{{"broadcast", "broadcast"}, {"unicast", "unicast"}};
    scenario.AddOption("mobility",
                       dpdl::AnyText("the path of a movement file in the form of ns-2"),
                       traffic.mobility,
                       "how vehicles move; their number is that of the file");
    scenario.AddOption("activity",
                       dpdl::AnyText("the path of SUMO's ns2activity-output"),
                       traffic.activity,
                       "when they depart and arrive; of a custom mobility: always there");
    scenario
        .AddOption("roadsideUnits",
                   dpdl::WholeNumber(0, 1000),
                   traffic.units,
                   "learn too, on a grid")
        .Accepts("a whole number up to 1000");
    scenario.AddOption("txPower", power, traffic.power, "of all radios, in dBm");
    scenario.AddOption("cast",
                       dpdl::OneOf(casts, true),
                       traffic.cast,
                       "one frame for all neighbours, or one for each, which acknowledges it");
}

/// Makes the run: the number of nodes, who is absent when, and the radios follow from the files.
void
Drive(DpdlScenario& scenario, const Traffic& traffic)
{
    const bool isShipped = traffic.activity.empty() && traffic.mobility == SHIPPED;
    const ns3::DpdlVehicleMovement movement(traffic.mobility,
                                            isShipped ? MOBILITY_FOLDER "/activity.tcl"
                                                      : traffic.activity);
    RunOptions& settings = scenario.Settings();
    if (!scenario.IsGiven("nodes"))
    {
        dpdl::SetOption(settings, "nodes", std::to_string(movement.Vehicles() + traffic.units));
    }
    movement.Require(settings.nodes);
    dpdl::SetOption(settings, "transport", traffic.cast == "unicast" ? "udp" : traffic.cast);
    for (const std::string& event : movement.Absences())
    {
        dpdl::SetOption(settings, "fail", event);
    }
    scenario.SetNetwork([movement, dBm = traffic.power](const auto& nodes, const auto&) {
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
