// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Nodes on one Ethernet segment (CSMA): each node sends its share to all other nodes in one
 * broadcast.
 */

#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string transport = "broadcast";
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Nodes on one Ethernet segment: each sends its share to all others in one broadcast.");
    cmd.AddValue("transport", "udp, tcp or broadcast", transport);
    cmd.Parse(argc, argv);

    NodeContainer nodes(6);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(5)));
    NetDeviceContainer devices = csma.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "600");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "10");
    dpdl.Set("topology", "complete");
    dpdl.Set("network", "packet");
    dpdl.Set("transport", transport);
    dpdl.Set("deadline", "200ms");
    dpdl.Set("trace", "dpdl-csma.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);

    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
