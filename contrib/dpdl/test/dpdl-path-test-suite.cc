// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-test-network.h"
#include "dpdl-test-case.h"

#include "ns3/config.h"
#include "ns3/dpdl-path.h"
#include "ns3/dpdl-tcp-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using dpdltest::PacketNetwork;

namespace
{

/// A link with large packets. @param ends both @param rate of it @param delay of it
NetDeviceContainer
Connect(const NodeContainer& ends, const std::string& rate, const std::string& delay)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue(rate));
    link.SetDeviceAttribute("Mtu", UintegerValue(9000));
    link.SetChannelAttribute("Delay", StringValue(delay));
    return link.Install(ends);
}

/// Node 0 has a fast link to node 3 and a slow one to node 2, which routes to node 1.
NetDeviceContainer
TwoHomes(const NodeContainer& nodes)
{
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    NetDeviceContainer devices;
    devices.Add(Connect({nodes.Get(0), nodes.Get(3)}, "1Gbps", "1ms"));
    devices.Add(Connect({nodes.Get(0), nodes.Get(2)}, "10Mbps", "1ms"));
    devices.Add(Connect({nodes.Get(2), nodes.Get(1)}, "100Mbps", "20ms"));
    for (uint32_t i = 0; i < devices.GetN(); i += 2)
    {
        addresses.Assign({devices.Get(i), devices.Get(i + 1)});
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return devices;
}

/**
 * @ingroup dpdl-tests
 * @brief A path leaves where the routes say, and its packets fit the links in between.
 */
class DpdlPathTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        NodeContainer nodes(4);
        const NetDeviceContainer devices = TwoHomes(nodes);
        const DpdlPath far = FindDpdlPath(nodes.Get(0), nodes.Get(1), 1);
        NS_TEST_EXPECT_MSG_EQ(far.device, devices.Get(2), "the second interface");
        NS_TEST_EXPECT_MSG_EQ(far.remoteDevice, devices.Get(5), "the target's");
        NS_TEST_EXPECT_MSG_EQ(far.IsOneLink(), false, "a router lies between");
        NS_TEST_EXPECT_MSG_EQ(far.Mtu(), 1500, "of what may lie between");
        const DpdlPath near = FindDpdlPath(nodes.Get(0), nodes.Get(2), 1);
        NS_TEST_EXPECT_MSG_EQ(near.device, devices.Get(2), "of the subnet");
        NS_TEST_EXPECT_MSG_EQ(near.IsOneLink(), true, "neighbours");
        NS_TEST_EXPECT_MSG_EQ(near.Mtu(), 9000, "of both ends");
        devices.Get(3)->SetMtu(1400);
        NS_TEST_EXPECT_MSG_EQ(near.Mtu(), 1400, "the smaller one");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A sender with two interfaces is paced by the one through which its messages leave.
 */
class DpdlRoutedPaceTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        PacketNetwork network(CreateObject<DpdlUdpTransport>(), false);
        TwoHomes(network.nodes);
        Simulator::Schedule(Seconds(1), [&network] {
            for (uint32_t round = 0; round < 8; ++round)
            {
                network.Send(0, 1, round, 300000); // 209 packets; a device's queue holds 100
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 8, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 0, "none lost");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief PacingRate spreads short messages too.
 */
class DpdlPacingRateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const auto transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("PacingRate", StringValue("1Mbps"));
        PacketNetwork network(transport);
        const uint32_t packets = 20; // fewer than attribute Burst allows
        network.Send(0, 1, 0, packets * 1440 - 52);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrives");
        const Time shaped = DataRate("1Mbps").CalculateBytesTxTime((packets - 2) * 1502);
        NS_TEST_EXPECT_MSG_GT(network.TimeOf(0, 1, 0), shaped, "all but two wait");
        NS_TEST_EXPECT_MSG_LT(network.TimeOf(0, 1, 0), shaped * int64_t{2}, "and not longer");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief The first link's delay says nothing of a routed path; the program's default wins.
 */
class DpdlTcpBufferTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // In 41 ms, 32 KiB are 6.4 Mbps, and 128 KiB are more than the 10 Mbps of the first link.
        NS_TEST_EXPECT_MSG_LT(TimeTo(1), Seconds(1.2), "ns-3's buffer, routed");
        NS_TEST_EXPECT_MSG_LT(TimeTo(2), Seconds(1), "neighbours");
        Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(16 << 10));
        NS_TEST_EXPECT_MSG_GT(TimeTo(1), Seconds(2.5), "the program's buffer, routed");
        Config::Reset();
    }

    /// When a message of 1 MB from node 0 arrives. @param target its receiver
    static Time TimeTo(uint32_t target)
    {
        PacketNetwork network(CreateObject<DpdlTcpTransport>(), false);
        TwoHomes(network.nodes);
        Simulator::Schedule(Seconds(1), [&] { network.Send(0, target, 0, 1000000); });
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        const Time at = network.TimeOf(0, target, 0) - Seconds(1);
        Simulator::Destroy();
        return at;
    }
};

const dpdltest::Suite g_dpdlPathTestSuite(
    "dpdl-path",
    {new DpdlPathTest("device and MTU of a path"),
     new DpdlRoutedPaceTest("UDP: the pace of the routed interface"),
     new DpdlPacingRateTest("UDP: PacingRate shapes what a burst would hold"),
     new DpdlTcpBufferTest("TCP: buffers of routed paths and of the program")});

} // namespace
