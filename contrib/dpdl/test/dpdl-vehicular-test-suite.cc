// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"

#include "ns3/boolean.h"
#include "ns3/dpdl-frame-counter.h"
#include "ns3/dpdl-vehicle-movement.h"
#include "ns3/dpdl-vehicular-network.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <map>
#include <utility>

using namespace ns3;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Vehicles are where the file says, one step later, and there when the activity says so.
 */
class DpdlVehicleMovementTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string movement = CreateTempDirFilename("movement.tcl");
        const std::string activity = CreateTempDirFilename("activity.tcl");
        // What SUMO writes of a vehicle that departs at 1 s with 10 m/s, in steps of 0.5 s.
        std::ofstream(movement) << "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n"
                                   "$ns_ at 1.0 \"$node_(0) setdest 0 0 0\"\n"
                                   "$ns_ at 1.5 \"$node_(0) setdest 5 0 10\"\n"
                                   "$ns_ at 2.0 \"$node_(0) setdest 10 0 10\"\n"
                                   "$ns_ at 2.5 \"$node_(0) setdest 10 5 10\"\n";
        std::ofstream(activity) << "$ns_ at 1.0 \"$g(0) start\"\n$ns_ at 2.5 \"$g(0) stop\"\n";
        const DpdlVehicleMovement vehicles(movement, activity);
        NS_TEST_EXPECT_MSG_EQ(vehicles.Vehicles(), 1, "vehicles");
        NS_TEST_EXPECT_MSG_EQ(vehicles.Presence()[0].start, 1.5, "a step after SUMO's 1 s");
        NS_TEST_EXPECT_MSG_EQ(vehicles.Presence()[0].stop, 3.0, "a step after SUMO's 2.5 s");
        NS_TEST_EXPECT_MSG_EQ(vehicles.Absences().size(), 2, "before and after");
        NodeContainer nodes(5);
        vehicles.Install(nodes);
        const auto place = [&nodes](uint32_t node) {
            return nodes.Get(node)->GetObject<MobilityModel>()->GetPosition();
        };
        // SUMO has it at (5, 0) at 1.5 s and at (10, 5) when it arrives, at 2.5 s.
        for (const auto& [time, x, y] :
             {std::tuple{2.0, 5.0, 0.0}, {2.5, 10.0, 0.0}, {3.0, 10.0, 5.0}})
        {
            Simulator::Schedule(Seconds(time) - MilliSeconds(1), [this, place, x = x, y = y] {
                NS_TEST_EXPECT_MSG_EQ_TOL(place(0).x, x, 0.02, "x");
                NS_TEST_EXPECT_MSG_EQ_TOL(place(0).y, y, 0.02, "y");
            });
        }
        NS_TEST_EXPECT_MSG_EQ(place(1).x, 2.5, "units are in the middle of equal parts");
        NS_TEST_EXPECT_MSG_EQ(place(4).x, 7.5, "units are in the middle of equal parts");
        NS_TEST_EXPECT_MSG_EQ(place(4).y, 3.75, "units are in the middle of equal parts");
        Simulator::Run();
        Simulator::Destroy();
        NodeContainer none;
        Refuse([&] { vehicles.Install(none); }, "too few nodes");
        NS_TEST_EXPECT_MSG_EQ(vehicles.Warning(), "", "nothing to warn of");
        std::ofstream(movement) << "<fcd-export><timestep time=\"0\"><vehicle id=\"a\" x=\"1\" "
                                   "y=\"1\"/></timestep><timestep time=\"1\"/><timestep "
                                   "time=\"2\"><vehicle id=\"a\" x=\"2\" y=\"1\"/></timestep>"
                                   "</fcd-export>";
        const std::string warning = DpdlVehicleMovement(movement, "").Warning();
        NS_TEST_EXPECT_MSG_NE(warning.find("1 vehicles are missing in 1 timesteps"),
                              std::string::npos,
                              warning);
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Radios reach as far as they should, and not while their node is not there.
 */
class DpdlVehicularNetworkTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const NodeContainer nodes = dpdltest::StandingOnALine({0.0, 10.0, 20.0, 5000.0});
        DpdlVehicularNetwork network;
        network.Install(nodes);
        // Node 1 is there from 1 s to 2 s.
        network.FollowPresence({dpdl::Presence{}, dpdl::Presence{1.0, 2.0}});
        std::map<uint32_t, uint32_t> heard;
        std::vector<Ptr<Socket>> sockets;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            sockets.push_back(Socket::CreateSocket(nodes.Get(i), UdpSocketFactory::GetTypeId()));
            sockets[i]->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            sockets[i]->SetAllowBroadcast(true);
            sockets[i]->SetRecvCallback(MakeBoundCallback(&Listen, &heard[i]));
        }
        constexpr uint32_t EACH = 100;
        for (uint32_t k = 0; k < 3 * EACH; ++k)
        {
            Simulator::Schedule(MilliSeconds(10 * k + 5), [&sockets] {
                sockets[0]->SendTo(Create<Packet>(500),
                                   0,
                                   InetSocketAddress(Ipv4Address("10.1.255.255"), 9));
            });
        }
        Simulator::Stop(Seconds(4));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(heard[1], EACH * 9 / 10, "it hears while it is there");
        NS_TEST_EXPECT_MSG_LT(heard[1], EACH + 1, "and neither before nor after");
        NS_TEST_EXPECT_MSG_GT(heard[2], 3 * EACH * 9 / 10, "it is there all the time");
        NS_TEST_EXPECT_MSG_EQ(heard[3], 0, "5 km are too far");
        CheckCounts(nodes.Get(0)->GetObject<DpdlFrameCounter>()->Rows());
        Simulator::Destroy();
    }

    /// Counts what a socket gives. @param heard the counter @param socket the socket
    static void Listen(uint32_t* heard, Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            ++*heard;
        }
    }

    /// @param rows counted on one sender without any that disturbs
    void CheckCounts(const std::vector<dpdl::FramesByDistance>& rows)
    {
        uint64_t faded = 0;
        for (const dpdl::FramesByDistance& row : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(row.sent, row.received + row.collided + row.faded, "every frame");
            NS_TEST_EXPECT_MSG_EQ(row.collided, 0, "no other node sends");
            faded += row.distanceFrom > 4000.0 ? row.faded : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(faded, 300, "5 km are too far");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Frames that overlap collide at those who are nearer to the other sender, or not much
 * farther.
 */
class DpdlFrameCounterTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // Receiver 1 is 100 m from sender 0 and 150 m from sender 2; node 3 is far from sender 2.
        const NodeContainer nodes = dpdltest::StandingOnALine({0.0, 100.0, 250.0, -100.0});
        const auto counter = CreateObject<DpdlFrameCounter>();
        counter->SetNodes(nodes);
        Simulator::Schedule(MilliSeconds(1),
                            [counter] { counter->Send(0, 7, MilliSeconds(2), true); });
        Simulator::Schedule(MilliSeconds(2),
                            [counter] { counter->Send(2, 8, MilliSeconds(2), false); });
        Simulator::Run();
        const std::vector<dpdl::FramesByDistance> rows = counter->Rows();
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 2, "100 m twice, and 250 m");
        NS_TEST_EXPECT_MSG_EQ(rows[0].sent, 2, "nodes 1 and 3");
        NS_TEST_EXPECT_MSG_EQ(rows[0].collided, 1, "node 1");
        NS_TEST_EXPECT_MSG_EQ(rows[0].faded, 1, "node 3");
        NS_TEST_EXPECT_MSG_EQ(rows[1].collided, 1, "node 2, which sends itself");
        Simulator::Destroy();
        counter->Dispose();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief With FullRounds nodes that hear no other keep step, and crashed ones have no neighbours.
 */
class DpdlFullRoundsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = dpdltest::SmallRun(CreateTempDirFilename("rounds.db"));
        settings.topology = "mobility:10";
        settings.network = dpdl::NetworkKind::IDEAL;
        settings.deadline = {dpdl::Deadline::Kind::TIME, 1.0};
        settings.fail = {"node 0 crash with state at 0s recover 1500ms"};
        const NodeContainer nodes = dpdltest::StandingOnALine({0.0, 1.0, 2.0, 3000.0, 4000.0});
        DpdlHelper helper(settings);
        helper.SetAttribute("FullRounds", BooleanValue(true));
        helper.Install(nodes);
        const dpdl::GraphSequence& graph = *helper.Experiment().Settings().graph;
        using Neighbours = std::vector<dpdl::NodeId>;
        std::map<std::pair<uint32_t, uint32_t>, Neighbours> heard;
        helper.Experiment().Recorder().SetStepCallback([&](const dpdl::NodeJob& job) {
            heard[{job.node, job.round}] = graph.OutNeighbours(job.node, job.round);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(Simulator::Now().GetSeconds(),
                                  static_cast<double>(settings.rounds),
                                  0.02,
                                  "a round a second, also of nodes that are alone");
        NS_TEST_EXPECT_MSG_EQ((heard[{1, 0}] == Neighbours{2}), true, "0 is down");
        NS_TEST_EXPECT_MSG_EQ((heard[{0, 1}].empty()), true, "and sends to none");
        NS_TEST_EXPECT_MSG_EQ((heard[{1, 2}] == Neighbours{0, 2}), true, "0 is back");
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "the run reached its end");
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_vehicularTests(
    "dpdl-vehicular",
    {new DpdlVehicleMovementTest("vehicles of a movement file"),
     new DpdlVehicularNetworkTest("radios of vehicles"),
     new DpdlFrameCounterTest("frames by what became of them"),
     new DpdlFullRoundsTest("rounds that last until their deadline")});

} // namespace
