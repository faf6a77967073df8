// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of vehicles that learn together while they drive: a SUMO trace moves them, IEEE 802.11p
 * radios carry the shares, and who hears whom is up to distance, fading and collisions. The study
 * of the same name runs it with frames for all neighbours, and with frames for each, to those that
 * beacons made known and to those that are near.
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
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::Burst", StringValue("2"));
    SetDefault("ns3::DpdlUdpTransport::PacingRate", StringValue("1Mbps"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // By default a radio throws away what waits for half a second.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return scenario.Main(argc, argv, [&traffic](DpdlScenario&) { traffic.Drive(); });
}
