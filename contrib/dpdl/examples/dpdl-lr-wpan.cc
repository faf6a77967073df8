// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

/**
 * @file
 * Sensors with IEEE 802.15.4 radios, IPv6 and 6LoWPAN that send a model of 31 kB in chunks.
 */

#include "ns3/core-module.h"
#include "ns3/dpdl-helper.h"
#include "ns3/internet-module.h"
#include "ns3/lr-wpan-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/sixlowpan-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Sensors with IEEE 802.15.4 radios and 6LoWPAN, whose model goes chunk by chunk.");
    cmd.Parse(argc, argv);

    // The device has no attribute DataRate, so set the pacing rate. Until the MAC address of a
    // neighbour is known, the neighbour cache queues packets to it, by default only 3, and would
    // drop most packets of the first message.
    Config::SetDefault("ns3::DpdlUdpTransport::PacingRate", StringValue("30kbps"));
    Config::SetDefault("ns3::NdiscCache::UnresolvedQueueSize", UintegerValue(1000));
    NodeContainer nodes(3);
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::GridPositionAllocator", "DeltaX", DoubleValue(5.0));
    mobility.Install(nodes);
    LrWpanHelper lrWpan;
    NetDeviceContainer radios = lrWpan.Install(nodes);
    for (uint32_t i = 0; i < radios.GetN(); ++i)
    {
        const std::string number = std::to_string(i + 1);
        radios.Get(i)->SetAddress(Mac48Address(("00:00:00:00:00:0" + number).c_str()));
    }
    InternetStackHelper stack;
    stack.SetIpv4StackInstall(false);
    stack.Install(nodes);
    NetDeviceContainer devices = SixLowPanHelper().Install(radios);
    Ipv6AddressHelper addresses;
    addresses.SetBase(Ipv6Address("2001:db8::"), Ipv6Prefix(64));
    addresses.Assign(devices);

    DpdlHelper dpdl;
    dpdl.Set("model", "softmax-regression");
    dpdl.Set("samples", "300");
    dpdl.Set("testSamples", "100");
    dpdl.Set("batchSize", "20");
    dpdl.Set("rounds", "3");
    dpdl.Set("topology", "ring");
    dpdl.Set("network", "packet");
    dpdl.Set("chunk", "1000");
    dpdl.Set("deadline", "20s");
    dpdl.Set("trace", "dpdl-lr-wpan.db");
    dpdl.Set("overwrite", "true");
    dpdl.SetAttribute("ComputeTime", TimeValue(Seconds(1)));
    dpdl.Install(nodes);

    Simulator::Stop(Seconds(80));
    Simulator::Run();
    const bool complete = dpdl.Finish();
    dpdl.PrintResult(std::cout);
    Simulator::Destroy();
    return complete ? 0 : 1;
}
