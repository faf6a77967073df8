// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// A script of a user's own, with modules that dpdl itself does not need: nodes on one Ethernet
// segment, watched by FlowMonitor.

#include "dpdl/trace/trace-reader.h"

#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);

    Config::SetDefault("ns3::ArpCache::PendingQueueSize", UintegerValue(1000));
    NodeContainer nodes;
    nodes.Create(4);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    const NetDeviceContainer devices = csma.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("dataset", "blobs");
    dpdl.Set("samples", "200");
    dpdl.Set("testSamples", "50");
    dpdl.Set("batchSize", "10");
    dpdl.Set("rounds", "5");
    dpdl.Set("topology", "ring");
    dpdl.Set("network", "packet");
    dpdl.Set("deadline", "200ms");
    dpdl.Set("trace", "own-scenario.db");
    dpdl.Set("overwrite", "true");
    dpdl.Install(nodes);
    FlowMonitorHelper flows;
    const Ptr<FlowMonitor> monitor = flows.Install(nodes);

    Simulator::Stop(Seconds(5));
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    std::size_t seen = 0;
    std::size_t arrived = 0;
    for (const auto& [flow, stats] : monitor->GetFlowStats())
    {
        seen += stats.txPackets > 0;
        arrived += stats.txPackets > 0 && stats.rxPackets == stats.txPackets;
    }
    Simulator::Destroy();
    std::cout << arrived << " of " << seen << " flows arrived whole\n";
    // Four nodes on a ring: four flows of shares, which all nodes of the segment can hear.
    const bool isShared = dpdl::TraceReader("own-scenario.db").Setting("overheard") == "all";
    return complete && seen == 4 && arrived == seen && isShared ? 0 : 1;
}
