// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Nodes in an ad hoc WiFi network, 5 m apart on a line. Each node sends its shares over UDP to its
 * neighbours in a ring.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"
#include "ns3/yans-wifi-helper.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string transport = "udp";
    CommandLine cmd(__FILE__);
    cmd.Usage("Nodes in an ad hoc WiFi network, on a ring graph over UDP or TCP.");
    cmd.AddValue("transport", "udp or tcp", transport);
    cmd.Parse(argc, argv);

    NodeContainer nodes(5);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator",
                                  "DeltaX",
                                  DoubleValue(5.0),
                                  "GridWidth",
                                  UintegerValue(5));
    mobility.Install(nodes);
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("OfdmRate24Mbps"));
    NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "500");
    dpdl.Set("testSamples", "200");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "8");
    dpdl.Set("topology", "ring");
    dpdl.Set("network", "packet");
    dpdl.Set("transport", transport);
    dpdl.Set("deadline", "500ms");
    dpdl.Set("trace", "dpdl-wifi-adhoc.db");
    dpdl.Set("overwrite", "true");
    ApplicationContainer applications = dpdl.Install(nodes);
    // Let the nodes start one after another, so their first ARP requests do not collide: these are
    // broadcasts, which WiFi does not retransmit.
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        applications.Get(i)->SetStartTime(MilliSeconds(7 * i));
    }

    Simulator::Stop(Seconds(30));
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
