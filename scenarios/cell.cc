// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * One run of moving vehicles that learn with a server through one or three LTE cells, with each
 * other by IEEE 802.11p, or without radios. The study of the same name compares them, also with a
 * coverage gap and with a failing cell.
 */

#include "cell/cells.h"

#include "ns3/config.h"
#include "ns3/string.h"

using ns3::DpdlScenario;
using ns3::StringValue;
using ns3::Config::SetDefault;

int
main(int argc, char* argv[])
{
    DpdlScenario scenario("cell",
                          "vehicles learn with a server, through cells of LTE",
                          {{"model", "softmax-regression"},
                           {"algorithm", "dp-fedavg"},
                           {"hyper", "iterations=2,server=0"},
                           {"topology", "complete"},
                           {"network", "packet"},
                           {"chunk", "1000"},
                           {"rounds", "60"},
                           {"deadline", "1500ms"},
                           {"compute", "fixed:100ms:heterogeneous=4"},
                           {"testSamples", "2000"},
                           {"evaluateEvery", "4"},
                           {"lossPolicy", "running-sum"},
                           {"accountant", "rdp"}});
    Traffic traffic(scenario);
    Cells cells(scenario, traffic);
    ns3::DpdlLteNetwork::SetDefaults();
    SetDefault("ns3::DpdlApplication::FullRounds", StringValue("true"));
    SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", StringValue("3s"));
    // By default a WiFi queue drops packets after half a second.
    SetDefault("ns3::WifiMacQueue::MaxDelay", StringValue("1500ms"));
    return scenario.Main(argc, argv, [&cells](DpdlScenario&) { cells.Run(); });
}
