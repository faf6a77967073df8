// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of moving vehicles that learn together: a SUMO trace moves them, and IEEE 802.11p radios
 * carry the shares. Reception depends on distance, fading and collisions. The study of the same
 * name compares broadcast with unicast, and neighbours found by beacons with neighbours within a
 * radius.
 */

#include "vehicular/traffic.h"

#include "ns3/config.h"
#include "ns3/string.h"

using ns3::DpdlScenario;
using ns3::StringValue;
using ns3::Config::SetDefault;

int
main(int argc, char* argv[])
{
    DpdlScenario scenario("vehicular",
                          "vehicles with 802.11p radios learn while they drive",
                          {{"model", "softmax-regression"},
                           {"topology", "beacons"},
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
    Traffic traffic(scenario);
    scenario.AddQuiet();
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::Burst", StringValue("2"));
    SetDefault("ns3::DpdlUdpTransport::PacingRate", StringValue("1Mbps"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // WiFi queues drop packets that are older than MaxDelay, by default 0.5 s.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return scenario.Main(argc, argv, [&traffic](DpdlScenario&) { traffic.Drive(); });
}
