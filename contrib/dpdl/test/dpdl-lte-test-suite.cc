// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-property-run.h"
#include "dpdl-test-case.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/experiment/run-failures.h"

#include "ns3/config.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/dpdl-lte-network.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;

namespace
{

/// What a run over LTE leaves.
struct Driven
{
    dpdltest::CheckedRun run; ///< with its masses
    uint64_t lost{0};         ///< messages
    uint64_t sent{0};         ///< messages
    uint64_t airBytes{0};     ///< by users and stations
};

/// Four users, 100 m from the corners of a square of 800 m, and a server that averages.
dpdl::RunOptions
FourUsers(const std::string& trace)
{
    dpdl::RunOptions settings = dpdltest::SmallRun(trace);
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"algorithm", "dp-fedavg"},
                                                          {"hyper", "iterations=2,server=0"},
                                                          {"network", "packet"},
                                                          {"transport", "udp"},
                                                          {"compute", "fixed:200ms"},
                                                          {"deadline", "1s"},
                                                          {"lossPolicy", "running-sum"}})
    {
        dpdl::SetOption(settings, option, value);
    }
    return settings;
}

/// Stations for the square of FourUsers(). @param stations how many
DpdlLteNetwork
CellsOf(uint32_t stations)
{
    DpdlLteNetwork network;
    network.PlaceStations(Vector(0, 0, 0), Vector(800, 800, 0), stations);
    return network;
}

/**
 * @brief Places a server far away and users near the corners, and gives them cells.
 * @param nodes the server and up to four users
 * @param stations how many
 * @param events that may let stations fail
 */
void
InstallCells(const NodeContainer& nodes,
             uint32_t stations,
             const std::vector<dpdl::FailureEvent>& events)
{
    PlaceDpdlNode(nodes.Get(0), {-10000.0, 0.0, 0.0});
    NodeContainer users;
    for (uint32_t i = 1; i < nodes.GetN(); ++i)
    {
        PlaceDpdlNode(nodes.Get(i), {i % 2 == 0 ? 100.0 : 700.0, i < 3 ? 100.0 : 700.0, 0.0});
        users.Add(nodes.Get(i));
    }
    DpdlLteNetwork::SetDefaults();
    DpdlLteNetwork network = CellsOf(stations);
    network.Follow(events);
    network.Install(nodes.Get(0), users);
}

Driven
Drive(const dpdl::RunOptions& settings, uint32_t stations)
{
    Driven driven;
    Ptr<DpdlAirBytes> bytes;
    Config::SetDefault("ns3::DpdlUdpTransport::SilenceTimeout", TimeValue(Seconds(1)));
    const auto build = [&](const NodeContainer& nodes) {
        InstallCells(nodes, stations, dpdl::ReadFailures(settings));
        bytes = nodes.Get(0)->GetObject<DpdlAirBytes>();
    };
    const auto prepare = [](DpdlHelper&, const ApplicationContainer&) {
        Simulator::Stop(Seconds(8)); // LTE never rests
    };
    driven.run = dpdltest::RunChecked(
        settings,
        prepare,
        [&driven](dpdl::Experiment& experiment) {
            driven.lost = experiment.Recorder().Deliveries().Lost();
            driven.sent = experiment.Recorder().Deliveries().Sent();
        },
        build);
    driven.airBytes = bytes->byNodes + bytes->byStations;
    return driven;
}

/**
 * @ingroup dpdl-tests
 * @brief If nothing is lost, cells change no model, and mass is kept at every event.
 */
class DpdlLteEqualityTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = FourUsers(CreateTempDirFilename("lte.db"));
        for (const uint32_t stations : {1U, 3U})
        {
            const Driven driven = Drive(settings, stations);
            NS_TEST_EXPECT_MSG_EQ(driven.run.outcome.complete, true, "all rounds");
            NS_TEST_EXPECT_MSG_EQ(driven.lost, 0, "nothing is lost");
            NS_TEST_EXPECT_MSG_LT(driven.run.massError, 1e-9, "mass at every event");
            // A model of 31 kB up and down for each user in each of three exchanges.
            NS_TEST_EXPECT_MSG_GT(driven.airBytes, 3 * 2 * 4 * 31400, "at least the models");
            NS_TEST_EXPECT_MSG_LT(driven.airBytes, 3 * 2 * 4 * 31400 * 3 / 2, "and not much more");
            dpdl::RunOptions ideal = settings;
            ideal.network = dpdl::NetworkKind::IDEAL;
            ideal.transport.reset();
            const dpdltest::Outcome expected = dpdltest::RunInSimulator(ideal);
            NS_TEST_EXPECT_MSG_EQ((driven.run.outcome.states == expected.states), true, "models");
            NS_TEST_EXPECT_MSG_EQ((driven.run.outcome.releases == expected.releases),
                                  true,
                                  "the ledger");
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Holes and stations that fail lose messages and no mass; another station takes over.
 */
class DpdlLteFailureTest : public dpdltest::Case
{
    using Case::Case;

    Driven With(const std::vector<std::string>& events, uint32_t stations)
    {
        dpdl::RunOptions settings = FourUsers(CreateTempDirFilename("failure.db"));
        for (const std::string& event : events)
        {
            dpdl::SetOption(settings, "fail", event);
        }
        const Driven driven = Drive(settings, stations);
        NS_TEST_EXPECT_MSG_EQ(driven.run.outcome.complete, true, "all rounds");
        NS_TEST_EXPECT_MSG_LT(driven.run.massError, 1e-9, "mass at every event");
        return driven;
    }

    void DoRun() override
    {
        const Driven hole = With({"region center=(100,100) radius=50 down"}, 1);
        NS_TEST_EXPECT_MSG_EQ(4 * hole.lost, hole.sent, "one of four users");
        const Driven one = With({"region center=(400,400) radius=1 down at 100ms"}, 1);
        NS_TEST_EXPECT_MSG_GT(2 * one.lost, one.sent, "nearly all");
        // Stations at (200, 200), (600, 200) and (400, 600).
        const Driven three = With({"region center=(200,200) radius=1 down at 100ms"}, 3);
        NS_TEST_EXPECT_MSG_LT(6 * three.lost, three.sent, "the others take its user");
        const Driven crash = With({"node 2 crash with state at 500ms recover 2500ms"}, 1);
        NS_TEST_EXPECT_MSG_GT(crash.lost, 0, "it is away");
        NS_TEST_EXPECT_MSG_LT(8 * crash.lost, 2 * crash.sent, "and has its route again");
        Refuse([] { DpdlLteNetwork().PlaceStations({}, {}, 2); }, "two stations");
        Refuse(
            [] {
                const std::string event =
                    "random region center=(400,400) radius=9 down mean-up=1s mean-down=1s";
                DpdlLteNetwork().Follow(dpdl::ParseFailures(event, "test", 2));
            },
            "a station at random");
        Refuse(
            [] {
                NodeContainer many(DpdlLteNetwork::MOST_USERS + 1);
                DpdlLteNetwork().Install(CreateObject<Node>(), many);
            },
            "too many users");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Whatever fails, also stations: mass is exact at every event, and the ledger has what ran.
 */
class DpdlLteLawsTest : public dpdltest::Case
{
    using Case::Case;

    /// Up to four users of one or three stations, and a server. @param draws random numbers
    dpdltest::PropertyCase Make(uint32_t number, const std::string& trace)
    {
        dpdltest::PropertyDraws draws(number);
        dpdltest::PropertyCase made;
        made.number = number;
        dpdl::RunOptions& s = made.settings;
        s = dpdltest::SmallRun(trace);
        s.nodes = 2 + draws.Below(4);
        s.rounds = 4;
        s.samples = 24;
        s.testSamples = 1;
        s.batchSize = 2;
        s.evaluateEvery = 0;
        s.topology = "star";
        s.network = dpdl::NetworkKind::PACKET;
        s.transport = dpdl::TransportKind::UDP;
        s.train = draws.Chance(0.3);
        s.algorithm = s.train ? "const-d2p" : "sgp";
        s.lossPolicy = dpdl::LossPolicies().Get(
            draws.Pick<std::string>({"none", "running-sum", "reliable", "refund", "renormalise"}));
        s.compute = dpdl::StepTime{};
        s.compute->seconds = draws.Pick({20e-3, 60e-3});
        s.deadline = {dpdl::Deadline::Kind::TIME, 0.2};
        made.attributes.emplace_back("ns3::DpdlUdpTransport::SilenceTimeout", "200ms");
        const uint32_t stations = draws.Chance(0.5) ? 1 : 3;
        s.fail = DrawFailures(s.nodes, stations, draws);
        made.network = [stations, events = dpdl::ReadFailures(s)](const auto& nodes) {
            InstallCells(nodes, stations, events);
        };
        return made;
    }

    /// Events that cells accept. @param nodes of the run @param stations how many
    static std::vector<std::string> DrawFailures(std::size_t nodes,
                                                 uint32_t stations,
                                                 dpdltest::PropertyDraws& draws)
    {
        std::vector<std::string> accepted;
        for (const std::string& event :
             dpdltest::PropertyFailures(nodes, 800, true, true).Draw(draws))
        {
            const auto parsed = dpdl::ParseFailures(event, "case", nodes);
            if (parsed[0].kind == dpdl::FailureKind::LINK_DELAY ||
                parsed[0].kind == dpdl::FailureKind::LINK_RATE)
            {
                continue; // cells have delays and rates
            }
            try
            {
                CellsOf(stations).Follow(parsed);
                accepted.push_back(event);
            }
            catch (const dpdl::UsageError&)
            {
                continue; // a station at random
            }
        }
        return accepted;
    }

    void DoRun() override
    {
        const auto dataset = dpdl::LoadDataset("fashion-mnist", "", 24, 1); // read once
        const uint32_t first = dpdltest::FromEnvironment("DPDL_PROPERTY_FIRST", 0);
        const uint32_t cases = dpdltest::FromEnvironment("DPDL_PROPERTY_CASES", 20);
        for (uint32_t number = first; number - first < cases; ++number)
        {
            const dpdltest::PropertyCase made = Make(number, CreateTempDirFilename("laws.db"));
            const std::string fault = dpdltest::PropertyRun(made).Judge();
            NS_TEST_EXPECT_MSG_EQ(fault, "", "case " << number << ": " << made.Describe());
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A user beside the station gets what 3GPP TS 36.213 has for 25 blocks: 18336 bits each ms
 *        (table 7.1.7.2.1-1, index 26), less headers.
 */
class DpdlLteRateTest : public dpdltest::Case
{
    using Case::Case;

    static void Read(uint64_t* bytes, Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            *bytes += packet->GetSize();
        }
    }

    void DoRun() override
    {
        NodeContainer nodes(2);
        PlaceDpdlNode(nodes.Get(1), {420.0, 400.0, 0.0});
        DpdlLteNetwork::SetDefaults();
        DpdlLteNetwork().Install(nodes.Get(0), NodeContainer(nodes.Get(1)));
        const auto type = UdpSocketFactory::GetTypeId();
        const Ptr<Socket> sender = Socket::CreateSocket(nodes.Get(0), type);
        const Ptr<Socket> receiver = Socket::CreateSocket(nodes.Get(1), type);
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        uint64_t bytes = 0;
        receiver->SetRecvCallback(MakeBoundCallback(&Read, &bytes));
        const auto to = nodes.Get(1)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        for (uint32_t k = 0; k < 3000; ++k) // 23.5 Mbit/s, more than the cell has
        {
            Simulator::Schedule(MilliSeconds(100) + k * MicroSeconds(500), [&] {
                sender->SendTo(Create<Packet>(1470), 0, InetSocketAddress(to, 9));
            });
        }
        uint64_t before = 0;
        Simulator::Schedule(MilliSeconds(500), [&] { before = bytes; });
        Simulator::Stop(MilliSeconds(1500));
        Simulator::Run();
        const double megabits = 8e-6 * static_cast<double>(bytes - before);
        NS_TEST_EXPECT_MSG_LT(megabits, 18.336, "no more than the blocks hold");
        NS_TEST_EXPECT_MSG_GT(megabits, 0.93 * 18.336, "and nearly all of it");
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_lteTests(
    "dpdl-lte",
    {new DpdlLteEqualityTest("models through cells are those of an ideal network"),
     new DpdlLteFailureTest("circles without coverage, and stations that fail"),
     new DpdlLteLawsTest("laws under random failures of users and stations"),
     new DpdlLteRateTest("the rate of a cell")},
    ns3::TestSuite::Type::SYSTEM);

} // namespace
