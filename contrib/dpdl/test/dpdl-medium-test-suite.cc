// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/recorded-run.h"
#include "dpdl/observation/observe-command.h"
#include "dpdl/observation/observer.h"

#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simple-net-device.h"

#include <sstream>

using namespace ns3;
using dpdltest::RunInSimulator;

namespace
{

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// A device of which dpdl knows nothing.
class OddNetDevice : public PointToPointNetDevice
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("dpdltest::OddNetDevice")
                                .SetParent<PointToPointNetDevice>()
                                .SetGroupName("Dpdl");
        return tid;
    }
};

/// Two rounds of muffliato over packets. @param trace path @param words other options
dpdl::RunOptions
OneInput(const std::string& trace, const NamedValues& words)
{
    dpdl::RunOptions settings = dpdltest::SmallRun(trace);
    settings.rounds = 2;
    settings.nodes = 4;
    settings.evaluateEvery = 0;
    for (const auto& [option, value] : NamedValues{{"algorithm", "muffliato"},
                                                   {"dataset", "blobs"},
                                                   {"network", "packet"},
                                                   {"deadline", "2s"},
                                                   {"topology", "ring"},
                                                   {"epsilon", "3"}})
    {
        dpdl::SetOption(settings, option, value);
    }
    for (const auto& [option, value] : words)
    {
        dpdl::SetOption(settings, option, value);
    }
    return settings;
}

/// What is certified of a node for another one. @param trace path @param observer who looks
/// @param target whose data
double
Certified(const std::string& trace, uint32_t observer, uint32_t target)
{
    std::ostringstream out;
    dpdl::Observe({trace,
                   "--observer=node:" + std::to_string(observer),
                   "--target=" + std::to_string(target),
                   "--json"},
                  out);
    const std::string json = out.str();
    const std::string name = "\"epsilon\": ";
    return std::stod(json.substr(json.find(name, json.find("\"certificate\"")) + name.size()));
}

/// Links between the neighbours of a line, and routes along it.
void
ALine(const NodeContainer& nodes)
{
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        addresses.Assign(PointToPointHelper().Install(nodes.Get(i - 1), nodes.Get(i)));
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
}

/// The same with IPv6, three nodes.
void
ALineOfIpv6(const NodeContainer& nodes)
{
    InternetStackHelper stack;
    stack.SetIpv4StackInstall(false);
    stack.Install(nodes);
    Ipv6AddressHelper addresses("2001:1::", Ipv6Prefix(64));
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        auto interfaces =
            addresses.Assign(PointToPointHelper().Install(nodes.Get(i - 1), nodes.Get(i)));
        interfaces.SetForwarding(0, true);
        interfaces.SetForwarding(1, true);
        interfaces.SetDefaultRoute(i == 1 ? 0 : 1, i == 1 ? 1 : 0);
        addresses.NewNetwork();
    }
}

/// A link of each node to a router, which is not of the run.
void
AStar(const NodeContainer& nodes)
{
    NodeContainer router(1);
    InternetStackHelper().Install(NodeContainer(nodes, router));
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        addresses.Assign(PointToPointHelper().Install(nodes.Get(i), router.Get(0)));
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
}

/// One segment to which all nodes are attached.
void
ASegment(const NodeContainer& nodes)
{
    const NetDeviceContainer devices = SimpleNetDeviceHelper().Install(nodes);
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        devices.Get(i)->SetMtu(1500);
    }
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(devices);
}

/// A line, and a device that no one knows at its last node.
void
ALineWithAnOddDevice(const NodeContainer& nodes)
{
    ALine(nodes);
    nodes.Get(nodes.GetN() - 1)->AddDevice(CreateObject<OddNetDevice>());
}

/// A line, and a segment that two of its nodes are attached to.
void
ALineWithASegment(const NodeContainer& nodes)
{
    ALine(nodes);
    SimpleNetDeviceHelper().Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
}

/// A network, and who hears what of it.
struct NetworkCase
{
    const char* name;                                ///< of the network
    std::function<void(const NodeContainer&)> build; ///< makes it; empty: dpdl does
    NamedValues options;                             ///< of the run
    std::string heard; ///< NODE:SENDER of messages to others; all: of all, ?: refused
};

/**
 * @ingroup dpdl-tests
 * @brief Each kind of network says who could hear the messages of a run.
 */
class DpdlWhoHearsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const NamedValues complete{{"topology", "complete"}};
        const NetworkCase cases[] = {
            {"ideal", {}, {{"network", "ideal"}}, ""},
            {"message", {}, {{"network", "message"}}, ""},
            {"own links", {}, {}, ""},
            // 3 sends to 0 along the whole line.
            {"line", ALine, {}, "1:3 2:3 "},
            {"line, TCP", ALine, {{"transport", "tcp"}}, "1:0 1:3 2:0 2:3 "},
            {"line, IPv6", ALineOfIpv6, {{"nodes", "3"}}, "1:2 "},
            {"line, both ways", ALine, complete, "1:0 1:2 1:3 2:0 2:1 2:3 "},
            {"router", AStar, complete, ""},
            {"segment", ASegment, {}, "all"},
            {"segment, broadcast", ASegment, {{"transport", "broadcast"}}, "all"},
            {"line and segment", ALineWithASegment, {}, "all"},
            {"odd device", ALineWithAnOddDevice, {}, "?"},
        };
        for (const NetworkCase& one : cases)
        {
            const std::string path = CreateTempDirFilename("run.db");
            RunInSimulator(OneInput(path, one.options), {}, {}, one.build);
            NS_TEST_EXPECT_MSG_EQ(Heard(path), one.heard, one.name);
        }
    }

    std::string Heard(const std::string& path)
    try
    {
        const dpdl::Medium medium = dpdl::ReadMedium(dpdl::RecordedRun(path));
        std::string heard = medium.isShared ? "all" : "";
        for (const auto& [node, sender] : medium.overheard)
        {
            const std::string pair = std::to_string(node) + ":" + std::to_string(sender) + " ";
            heard += node == sender ? "" : pair; // of a routed network
        }
        return heard;
    }

    catch (const dpdl::UsageError& error)
    {
        const std::string what = error.what();
        NS_TEST_EXPECT_MSG_NE(what.find("dpdltest::OddNetDevice"), std::string::npos, what);
        return "?";
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A node of a directed ring on one segment gets the broadcasts of all others: what is
 * certified for it is what is certified for who sees everything.
 */
class DpdlBroadcastViewTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("run.db");
        const dpdl::RunOptions settings = OneInput(path,
                                                   {{"transport", "broadcast"},
                                                    {"nodes", "8"},
                                                    {"model", "linear-regression"},
                                                    {"dataset", "linear-regression"},
                                                    {"init", "zero"},
                                                    {"delta", "1e-5"},
                                                    {"samples", "160"},
                                                    {"batchSize", "10"}});
        std::set<Address> heard;
        const auto listen = [&heard](DpdlHelper&, ApplicationContainer applications) {
            const auto node = applications.Get(3)->GetNode();
            node->RegisterProtocolHandler(
                MakeBoundCallback(&DpdlBroadcastViewTest::OnFrame, &heard),
                0x0800,
                nullptr);
        };
        RunInSimulator(settings, listen, {}, ASegment);
        NS_TEST_EXPECT_MSG_EQ(heard.size(), 7, "senders whose frames node 3 gets");
        for (const uint32_t target : {0U, 1U, 2U, 4U, 5U, 6U, 7U})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Certified(path, 3, target), 3.0, 0.01, "of " << target);
        }
    }

    static void OnFrame(std::set<Address>* heard,
                        Ptr<NetDevice>,
                        Ptr<const Packet> packet,
                        uint16_t,
                        const Address& source,
                        const Address&,
                        NetDevice::PacketType)
    {
        packet->GetSize() > 100 ? void(heard->insert(source)) : void();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A sensor that forwards what another one sends knows it.
 */
class DpdlRelayViewTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("run.db");
        dpdl::RunOptions settings = OneInput(path,
                                             {{"topology", "star"},
                                              {"transport", "udp"},
                                              {"nodes", "7"},
                                              {"samples", "140"},
                                              {"testSamples", "20"},
                                              {"batchSize", "10"},
                                              {"deadline", "200s"}});
        const auto build = [&settings](const NodeContainer& nodes) {
            RngSeedManager::SetSeed(settings.seed.seed);
            RngSeedManager::SetRun(settings.seed.run);
            DpdlLrWpanNetwork network;
            network.SetDutyCycle(Seconds(30), 0.5);
            network.SetTree(DpdlLrWpanTree::Place(nodes, 2, 60.0));
            network.FitTo(settings);
            network.Install(nodes);
        };
        const auto stopAtEnd = [](DpdlHelper& helper, ApplicationContainer) {
            helper.Experiment().Recorder().SetProgressCallback([](const dpdl::Progress& progress) {
                progress.round == progress.rounds ? Simulator::Stop() : void();
            });
        };
        RunInSimulator(settings, stopAtEnd, {}, build);
        // The mixed states that node 0 sends it would tell it less: 1.14.
        NS_TEST_EXPECT_MSG_GT(Certified(path, 1, 4), 2.65, "of node 4, which is behind node 1");
    }
};

const dpdltest::Suite g_dpdlMediumTestSuite(
    "dpdl-medium",
    {new DpdlWhoHearsTest("networks, and who hears what"),
     new DpdlBroadcastViewTest("a directed ring of broadcasts, seen by a node of it"),
     new DpdlRelayViewTest("a tree of sensors, seen by one that forwards")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
