// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Learning added to an existing script: a point-to-point link joins an Ethernet segment and a WiFi
 * cell, and an echo client sends to a server. Only the lines that end with "// dpdl" were
 * added.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/dpdl-helper.h" // dpdl
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/ssid.h"
#include "ns3/yans-wifi-helper.h"

using namespace ns3;

// WiFi 10.1.3.0                         Ethernet 10.1.2.0
//   *   *   *   AP   point-to-point   ================
//   |   |   |   |       10.1.1.0      |    |    |    |
//   s0  s1  s2  a ------------------- b    e1   e2   e3

namespace
{

/// Installs the radios of a cell; its stations move randomly within 50 m of the access point.
NetDeviceContainer
InstallWifi(const NodeContainer& stations, Ptr<Node> accessPoint)
{
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    const SsidValue ssid(Ssid("third"));
    WifiHelper wifi;
    WifiMacHelper mac;
    mac.SetType("ns3::StaWifiMac", "Ssid", ssid);
    NetDeviceContainer devices = wifi.Install(phy, mac, stations);
    mac.SetType("ns3::ApWifiMac", "Ssid", ssid);
    devices.Add(wifi.Install(phy, mac, accessPoint));

    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(accessPoint);
    mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(5.0));
    mobility.SetMobilityModel("ns3::RandomWalk2dMobilityModel",
                              "Bounds",
                              RectangleValue(Rectangle(-35, 35, -35, 35)));
    mobility.Install(stations);
    return devices;
}

/// Installs a UDP echo server, and a client that sends a packet to it every second. @param address
/// IPv4 address of the server
void
InstallEcho(Ptr<Node> client, Ptr<Node> server, Ipv4Address address)
{
    const uint16_t port = 9;
    UdpEchoServerHelper(port).Install(server);
    UdpEchoClientHelper echo(address, port);
    echo.SetAttribute("Interval", TimeValue(Seconds(1)));
    echo.Install(client).Start(Seconds(2));
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("A script with a link, an Ethernet segment and a WiFi cell, and learning added to "
              "it: the lines marked \"// dpdl\".");
    DpdlHelper dpdl;             // dpdl
    dpdl.AddOption("fail", cmd); // dpdl
    cmd.Parse(argc, argv);

    NodeContainer link(2);
    NodeContainer segment(link.Get(1));
    segment.Create(3);
    NodeContainer stations(3);

    PointToPointHelper pointToPoint;
    pointToPoint.SetDeviceAttribute("DataRate", StringValue("50Mbps"));
    pointToPoint.SetChannelAttribute("Delay", TimeValue(MilliSeconds(2)));
    const NetDeviceContainer linkDevices = pointToPoint.Install(link);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    const NetDeviceContainer segmentDevices = csma.Install(segment);
    const NetDeviceContainer radios = InstallWifi(stations, link.Get(0));

    const NodeContainer all(segment, link.Get(0), stations);
    InternetStackHelper().Install(all);
    Ipv4AddressHelper address("10.1.1.0", "255.255.255.0");
    address.Assign(linkDevices);
    address.SetBase("10.1.2.0", "255.255.255.0");
    const Ipv4InterfaceContainer ethernet = address.Assign(segmentDevices);
    address.SetBase("10.1.3.0", "255.255.255.0");
    address.Assign(radios);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    InstallEcho(stations.Get(2), segment.Get(3), ethernet.GetAddress(3));

    dpdl.Set("network", "packet");              // dpdl
    dpdl.Set("rounds", "15");                   // dpdl
    dpdl.Set("deadline", "500ms");              // dpdl
    dpdl.Install(all).Start(MilliSeconds(500)); // dpdl

    Simulator::Stop(Seconds(10));
    Simulator::Run();
    dpdl.Finish();               // dpdl
    dpdl.PrintResult(std::cout); // dpdl
    Simulator::Destroy();
    return 0;
}
