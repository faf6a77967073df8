// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-packet-test-network.h"
#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/experiment/recorded-run.h"

#include "ns3/config.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-udp-transport.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>

using namespace ns3;

namespace
{

/// A network that damages, repeats and delays messages, each by its name.
class RoughTransport : public DpdlTransport
{
  private:
    void DoSend(const DpdlMessage& message) override
    {
        const dpdl::Share& share = message.share;
        const DpdlMessage damaged(share, Create<Packet>(message.GetSize()));
        switch ((share.source + 3 * share.target + share.round + share.chunk) % 5)
        {
        case 0: // damaged, and then damaged once more
            Deliver(damaged, MilliSeconds(1));
            Deliver(damaged, MilliSeconds(2));
            break;
        case 1: // damaged, and then intact
            Deliver(damaged, MilliSeconds(1));
            Deliver(message, MilliSeconds(2));
            break;
        case 2: // twice
            Deliver(message, MilliSeconds(1));
            Deliver(message, MilliSeconds(2));
            break;
        case 3: // in one of the next rounds
            Deliver(message, MilliSeconds(45));
            break;
        default:
            Deliver(message, MilliSeconds(1));
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Damaged, repeated and late messages have their own rows, and the books stay exact.
 */
class DpdlFateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const std::string& name : dpdl::LossPolicies().Names())
        {
            const dpdl::LossPolicy policy = dpdl::LossPolicies().Get(name);
            for (const std::size_t chunk : {std::size_t{0}, std::size_t{8000}})
            {
                const std::string path = CreateTempDirFilename("run.db");
                Run(path, policy, chunk);
                Check(path, policy, name);
            }
        }
    }

    /**
     * @brief One run.
     * @param path of its trace
     * @param policy loss policy
     * @param chunk bytes in a chunk
     */
    void Run(const std::string& path, dpdl::LossPolicy policy, std::size_t chunk)
    {
        dpdl::RunOptions settings = dpdltest::SmallRun(path);
        settings.topology = "complete";
        settings.rounds = 20;
        settings.evaluateEvery = 0;
        settings.lossPolicy = policy;
        settings.chunkBytes = chunk;
        dpdl::Experiment experiment(settings, {});
        Ptr<RoughTransport> transport = CreateObject<RoughTransport>();
        NodeContainer nodes(5);
        for (uint32_t i = 0; i < 5; ++i)
        {
            Ptr<DpdlApplication> application = CreateObject<DpdlApplication>();
            nodes.Get(i)->AddApplication(application);
            application->Setup(i, experiment.At(i), transport, MilliSeconds(20));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_LT(std::fabs(experiment.Mass().Error()), 1e-12 * 5, "mass");
        NS_TEST_EXPECT_MSG_EQ(experiment.Finish(Simulator::Now().GetSeconds()), true, "complete");
        transport->Dispose();
        Simulator::Destroy();
    }

    /**
     * @brief Looks at the rows.
     * @param path of the trace
     * @param policy loss policy
     * @param name of the policy
     */
    void Check(const std::string& path, dpdl::LossPolicy policy, const std::string& name)
    {
        const bool repairs =
            policy == dpdl::LossPolicy::REFUND || policy == dpdl::LossPolicy::RUNNING_SUM;
        std::map<dpdl::DeliveryFate, uint32_t> count;
        uint32_t repaired = 0;
        for (const dpdl::Delivery& row : dpdl::RecordedRun(path).Deliveries())
        {
            ++count[row.fate];
            const bool isCorrupt = row.fate == dpdl::DeliveryFate::CORRUPT;
            const bool isCopy = row.fate == dpdl::DeliveryFate::DUPLICATE;
            repaired += isCorrupt && row.usedInRound.has_value() ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((isCopy && row.usedInRound.has_value()), false, name);
            NS_TEST_EXPECT_MSG_EQ(((isCorrupt || isCopy) && !row.arrivedAt), false, name);
        }
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::CORRUPT], 50, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::DUPLICATE], 50, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::LATE], 20, name);
        NS_TEST_EXPECT_MSG_GT(count[dpdl::DeliveryFate::DELIVERED], 50, name);
        NS_TEST_EXPECT_MSG_EQ((repaired > 50), repairs, name << ": corrupt ones repaired");
        NS_TEST_EXPECT_MSG_EQ((repaired > 0), repairs, name << ": corrupt ones repaired");
    }
};

/// A point-to-point link with addresses. @param queue of its devices @param disc of the first node
void
Link(Ptr<Node> a, Ptr<Node> b, const std::string& queue, const std::string& disc = "")
{
    static Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Mbps"));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(queue));
    const NetDeviceContainer devices = link.Install(a, b);
    TrafficControlHelper control;
    if (!disc.empty())
    {
        control.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue(disc));
        control.Install(devices);
    }
    addresses.Assign(devices);
    addresses.NewNetwork();
    if (disc.empty())
    {
        TrafficControlHelper::Default().Uninstall(devices);
    }
}

/**
 * @ingroup dpdl-tests
 * @brief A lost message says why and where, as ns-3's drop traces do.
 */
class DpdlCauseTest : public dpdltest::Case
{
    using Case::Case;
    using Maker = std::function<void(NodeContainer nodes, Ptr<Node> router)>;

    void DoRun() override
    {
        const auto direct = [](const std::string& queue, const std::string& disc) {
            return [queue, disc](const NodeContainer& nodes, Ptr<Node>) {
                Link(nodes.Get(0), nodes.Get(1), queue, disc);
            };
        };
        const Maker routed = [](const NodeContainer& nodes, Ptr<Node> router) {
            Link(nodes.Get(0), router, "1000p");
            Link(router, nodes.Get(1), "1000p");
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        };
        const Maker lost = [](const NodeContainer& nodes, Ptr<Node> router) {
            Link(nodes.Get(0), router, "1000p");
            Link(nodes.Get(1), nodes.Get(2), "1000p");
            Ipv4StaticRoutingHelper routes;
            const auto ipv4 = nodes.Get(0)->GetObject<Ipv4>();
            const Ipv4Address gateway = router->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
            routes.GetStaticRouting(ipv4)->SetDefaultRoute(gateway, 1);
        };
        Expect("device queue node 0", direct("2p", ""));
        Expect("queue disc node 0", direct("1p", "2p"));
        Expect("no route ns-3 node 4", lost);
        Config::SetDefault("ns3::Ipv4L3Protocol::DefaultTtl", UintegerValue(1));
        Expect("TTL ns-3 node 4", routed);
        Config::Reset();
        Config::SetDefault("ns3::UdpSocket::RcvBufSize", UintegerValue(100));
        Expect("socket buffer node 1", direct("1000p", ""));
        Config::Reset();
    }

    /// All messages are lost for one reason. @param loss cause and place @param make the network
    void Expect(const std::string& loss, const Maker& make)
    {
        const auto transport = CreateObject<DpdlUdpTransport>();
        transport->SetAttribute("PacingRate", StringValue("1Gbps"));
        dpdltest::PacketNetwork network(transport, false);
        const Ptr<Node> router = CreateObject<Node>();
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(network.nodes);
        stack.Install(router);
        make(network.nodes, router);
        // Queue discs are there once the nodes are initialised.
        Simulator::Schedule(MilliSeconds(1), [&network] {
            for (uint32_t round = 0; round < 3; ++round)
            {
                network.Send(0, 1, round, 20000);
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 3, loss);
        NS_TEST_EXPECT_MSG_EQ(network.losses.size(), 1, loss);
        NS_TEST_EXPECT_MSG_EQ(*network.losses.begin(), loss, "cause and place");
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_dpdlFateTestSuite(
    "dpdl-fate",
    {new DpdlFateTest("fates of damaged, repeated and late messages"),
     new DpdlCauseTest("causes and places of losses")});

} // namespace
