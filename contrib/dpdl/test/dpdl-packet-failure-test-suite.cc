// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-test-network.h"
#include "dpdl-test-case.h"

#include "ns3/config.h"
#include "ns3/dpdl-broadcast-transport.h"
#include "ns3/dpdl-tcp-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simple-net-device.h"
#include "ns3/string.h"

#include <map>

using namespace ns3;
using dpdltest::Name;
using dpdltest::PacketNetwork;

namespace
{

/// Conditions that a test sets.
class Conditions : public dpdl::NetworkState
{
  public:
    dpdl::LinkCondition Link(dpdl::NodeId source, dpdl::NodeId target) const override
    {
        const auto found = links.find({source, target});
        return found == links.end() ? dpdl::LinkCondition() : found->second;
    }

    bool WasDown(dpdl::NodeId source, dpdl::NodeId target, double) const override
    {
        return !Link(source, target).up;
    }

    dpdl::NodeCondition Node(dpdl::NodeId node) const override
    {
        const auto found = nodes.find(node);
        return found == nodes.end() ? dpdl::NodeCondition() : found->second;
    }

    std::map<std::pair<dpdl::NodeId, dpdl::NodeId>, dpdl::LinkCondition> links; //!< not as usual
    std::map<dpdl::NodeId, dpdl::NodeCondition> nodes;                          //!< not as usual
};

/// A network under conditions that change.
class FailingNetwork : public PacketNetwork
{
  public:
    /// @param carrier under test
    /// @param withLinks false: the caller gives the nodes a network
    explicit FailingNetwork(Ptr<DpdlPacketTransport> carrier, bool withLinks = true)
        : PacketNetwork(carrier, withLinks),
          m_conditions(std::make_shared<Conditions>())
    {
        transport->SetConditions(m_conditions);
    }

    /// Sets the condition of the link 0->1. @param at when @param condition which
    void SetLink(Time at, const dpdl::LinkCondition& condition)
    {
        Simulator::Schedule(at, [this, condition]() {
            m_conditions->links[{0, 1}] = condition;
            transport->UpdateConditions();
        });
    }

    /// Sets the condition of both directions. @param at when @param condition which
    void SetBoth(Time at, const dpdl::LinkCondition& condition)
    {
        Simulator::Schedule(at, [this, condition]() { m_conditions->links[{1, 0}] = condition; });
        SetLink(at, condition);
    }

    /// Sets the condition of node 1. @param at when @param up whether it runs
    void SetNode(Time at, bool up)
    {
        Simulator::Schedule(at, [this, up]() {
            m_conditions->nodes[1].up = up;
            transport->UpdateConditions();
        });
    }

  private:
    std::shared_ptr<Conditions> m_conditions; //!< of the network
};

/// A condition. @param up whether anything gets through
dpdl::LinkCondition
Link(bool up)
{
    dpdl::LinkCondition condition;
    condition.up = up;
    return condition;
}

/**
 * @ingroup dpdl-tests
 * @brief TCP waits through an outage, connects again after a long one, and gives up after a
 * longer one; each message arrives once or is lost.
 */
class DpdlTcpOutageTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // A connection waits through a short outage, and is made again after a longer one.
        Check({Seconds(3), 1, 1, 5});
        Check({Seconds(200), 2, 3, 5});
        // Ten connections in a row that deliver nothing lose all (attribute Attempts).
        Check({Seconds(100000), 10, 11, 0});
    }

    /// An outage, and what has to come of five messages.
    struct Outage
    {
        Time until;               //!< its end
        uint64_t fewest;          //!< connections at least
        uint64_t most;            //!< connections at most
        std::size_t messagesDone; //!< messages that arrive; the others are lost
    };

    void Check(const Outage& outage)
    {
        const auto& [until, low, high, arrive] = outage;
        Ptr<DpdlTcpTransport> transport = CreateObject<DpdlTcpTransport>();
        FailingNetwork network(transport);
        network.UseRealPayload();
        network.SetLink(MilliSeconds(500), Link(false));
        network.SetLink(until, Link(true));
        for (uint32_t round = 0; round < 5; ++round)
        {
            network.Send(0, 1, round, 600000); // 0.6 s each: the first is interrupted
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), arrive, "arrive, until " << until);
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 5 - arrive, "are lost");
        NS_TEST_EXPECT_MSG_EQ(network.losses.count("failure node 1"), 1 - arrive / 5, "where");
        NS_TEST_EXPECT_MSG_EQ(network.Distinct(), 5, "once each");
        for (uint32_t round = 0; round < network.arrived.size(); ++round)
        {
            NS_TEST_EXPECT_MSG_EQ((network.arrived[round].name == Name(0, 1, round)),
                                  true,
                                  "order");
            NS_TEST_EXPECT_MSG_EQ(network.arrived[round].isSound, true, "contents");
        }
        NS_TEST_EXPECT_MSG_EQ((transport->Connections() >= low), true, "connections");
        NS_TEST_EXPECT_MSG_EQ((transport->Connections() <= high), true, "connections");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Delay, rate, outages and crashes act on packets from the moment they are set.
 */
class DpdlUdpConditionsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        FailingNetwork network(CreateObject<DpdlUdpTransport>());
        dpdl::LinkCondition slow;
        slow.delay = 0.2;
        slow.rate = 8e5;
        network.SetLink(Seconds(1), slow);
        network.SetLink(Seconds(2), Link(true));
        network.SetLink(Seconds(3), Link(false));
        network.SetLink(Seconds(4), Link(true));
        network.SetNode(Seconds(5), false);
        network.SetNode(Seconds(6), true);
        for (uint32_t round = 0; round < 7; ++round)
        {
            Simulator::Schedule(Seconds(round) + MilliSeconds(100), [&network, round]() {
                network.Send(0, 1, round, 1000);
                network.Send(0, 2, round, 1000); // undisturbed
            });
        }
        Simulator::Run();
        // 1114 bytes on the wire: 1.114 ms at 8 Mbps.
        const Time usual = MicroSeconds(6114 + 100000);
        for (const uint32_t round : {0U, 2U, 4U, 6U})
        {
            NS_TEST_EXPECT_MSG_EQ(network.TimeOf(0, 1, round), Seconds(round) + usual, round);
        }
        NS_TEST_EXPECT_MSG_EQ(network.TimeOf(0, 1, 1),
                              Seconds(1) + MicroSeconds(11140 + 200000 + 100000),
                              "delay and rate");
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 2, "outage and crash");
        for (uint32_t round = 0; round < 7; ++round)
        {
            NS_TEST_EXPECT_MSG_EQ(network.TimeOf(0, 2, round),
                                  Seconds(round) + usual,
                                  "other link");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A channel that has one delay for both directions gets it back after a failure of both.
 */
class DpdlSharedDelayTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        FailingNetwork network(CreateObject<DpdlUdpTransport>(), false);
        InternetStackHelper().Install(network.nodes);
        PointToPointHelper link;
        link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(30)));
        const auto devices = link.Install(network.nodes.Get(0), network.nodes.Get(1));
        Ipv4AddressHelper("10.1.0.0", "255.255.255.0").Assign(devices);
        dpdl::LinkCondition slow;
        slow.delay = 0.2;
        network.SetBoth(Seconds(1), slow);
        network.SetBoth(Seconds(2), Link(true));
        for (uint32_t round = 0; round < 3; ++round)
        {
            Simulator::Schedule(Seconds(round) + MilliSeconds(100), [&network, round]() {
                network.Send(0, 1, round, 1000);
                network.Send(1, 0, round, 1000);
            });
        }
        Simulator::Run();
        for (const uint32_t source : {0U, 1U})
        {
            const Time usual = network.TimeOf(source, 1 - source, 0);
            NS_TEST_EXPECT_MSG_EQ(network.TimeOf(source, 1 - source, 1),
                                  Seconds(1) + usual + MilliSeconds(170),
                                  source);
            NS_TEST_EXPECT_MSG_EQ(network.TimeOf(source, 1 - source, 2),
                                  Seconds(2) + usual,
                                  source);
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A link that goes through a router fails where it ends, and no other link with it; the
 * delay of such a link cannot be changed.
 */
class DpdlRoutedLinkTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        FailingNetwork network(CreateObject<DpdlUdpTransport>(), false);
        Star(network.nodes);
        dpdl::LinkCondition slow;
        slow.delay = 0.1;
        network.SetLink(Seconds(2), Link(false));
        network.SetLink(Seconds(4), slow);
        for (uint32_t round = 0; round < 2; ++round)
        {
            Simulator::Schedule(Seconds(2 * round + 1), [&network, round]() {
                for (const uint32_t source : {0U, 2U, 3U})
                {
                    network.Send(source, 1, round, 3000);
                }
                network.Send(0, 3, round, 3000);
            });
        }
        Refuse([] { Simulator::Run(); },
               "a delay on a route",
               "link 0->1 cannot be changed: it goes through routers");
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 7, "all others arrive");
        NS_TEST_ASSERT_MSG_EQ(network.dropped.size(), 1, "lost");
        NS_TEST_EXPECT_MSG_EQ((network.dropped.front().name == Name(0, 1, 1)), true, "which");
        Simulator::Destroy();
    }

    /// Links between node 2 and each other node. @param nodes with nothing
    static void Star(const NodeContainer& nodes)
    {
        InternetStackHelper().Install(nodes);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("8Mbps"));
        Ipv4AddressHelper address("10.1.1.0", "255.255.255.0");
        for (const uint32_t leaf : {0U, 1U, 3U})
        {
            address.Assign(link.Install(nodes.Get(2), nodes.Get(leaf)));
            address.NewNetwork();
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief One transmission reaches all out-neighbours; each may lose it on its own.
 */
class DpdlBroadcastTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlBroadcastTransport> transport = CreateObject<DpdlBroadcastTransport>();
        transport->SetAttribute("SilenceTimeout", TimeValue(Seconds(1)));
        PacketNetwork network(transport, false);
        network.UseRealPayload();
        const NetDeviceContainer devices = Medium(network.nodes);
        Ptr<ReceiveListErrorModel> list = CreateObject<ReceiveListErrorModel>();
        list->SetList({1}); // the second piece of the first message
        DynamicCast<SimpleNetDevice>(devices.Get(2))->SetReceiveErrorModel(list);
        for (uint32_t round = 0; round < 2; ++round)
        {
            Simulator::Schedule(Seconds(round), [&network, round]() {
                for (const uint32_t target : {1U, 2U})
                {
                    network.Send(0, target, round, 3000);
                }
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 3, "arrive; node 3 takes none");
        NS_TEST_ASSERT_MSG_EQ(network.dropped.size(), 1, "lost");
        NS_TEST_EXPECT_MSG_EQ((network.dropped.front().name == Name(0, 2, 0)), true, "at node 2");
        for (const auto& arrival : network.arrived)
        {
            NS_TEST_EXPECT_MSG_EQ(arrival.isSound, true, "own header, same contents");
            NS_TEST_EXPECT_MSG_EQ(arrival.size, 3052, "one header");
        }
        NS_TEST_EXPECT_MSG_EQ(transport->BytesSent(), 2 * (3104 + 3 * 32), "sent once");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(ArriveFirst(), 1, "waits for an address");
        Config::SetDefault("ns3::ArpCache::PendingQueueSize", StringValue("3"));
        NS_TEST_EXPECT_MSG_EQ(ArriveFirst(), 0, "the program's queue");
        Config::Reset();
    }

    /// How many messages arrive of one, of 40 packets, to a neighbour of whom ARP knows nothing.
    static std::size_t ArriveFirst()
    {
        PacketNetwork network(CreateObject<DpdlUdpTransport>(), false);
        Medium(network.nodes);
        network.Send(0, 1, 0, 40000);
        Simulator::Run();
        Simulator::Destroy();
        return network.arrived.size();
    }

    /// Puts nodes on one medium. @param nodes with nothing
    static NetDeviceContainer Medium(const NodeContainer& nodes)
    {
        const NetDeviceContainer devices = SimpleNetDeviceHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(devices);
        for (uint32_t i = 0; i < devices.GetN(); ++i)
        {
            devices.Get(i)->SetMtu(1200);
        }
        return devices;
    }
};

const dpdltest::Suite g_dpdlPacketFailureTestSuite(
    "dpdl-packet-failure",
    {new DpdlTcpOutageTest("TCP: outages"),
     new DpdlUdpConditionsTest("UDP: delay, rate, outage, crash"),
     new DpdlSharedDelayTest("one delay for both directions"),
     new DpdlRoutedLinkTest("a link through a router"),
     new DpdlBroadcastTest("broadcast")});

} // namespace
