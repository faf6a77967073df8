// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/boolean.h"
#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/dpdl-beacon-helper.h"
#include "ns3/dpdl-beacon.h"
#include "ns3/dpdl-cutoff-loss-model.h"
#include "ns3/dpdl-vehicular-network.h"
#include "ns3/ipv4.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cmath>

using namespace ns3;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Nodes in reach know each other after one period, and a node that is gone is forgotten.
 */
class DpdlNeighbourTableTest : public dpdltest::Case
{
    using Case::Case;

    using Neighbours = std::vector<uint32_t>;

    void DoRun() override
    {
        RngSeedManager::SetSeed(1);
        const NodeContainer nodes = dpdltest::StandingOnALine({0.0, 10.0, 20.0, 30.0, 5000.0});
        DpdlVehicularNetwork network;
        network.Install(nodes);
        // Node 1 leaves at 2 s.
        network.FollowPresence({dpdl::Presence{}, dpdl::Presence{0.0, 2.0}});
        Simulator::Schedule(Seconds(2), [&nodes] { nodes.Get(1)->GetObject<Ipv4>()->SetDown(1); });
        DpdlBeaconHelper beacons;
        beacons.Install(nodes, {});
        const auto at = [this, &nodes](double seconds, uint32_t node, const Neighbours& expected) {
            Simulator::Schedule(Seconds(seconds), [this, &nodes, node, expected] {
                const auto beacon = DynamicCast<DpdlBeacon>(nodes.Get(node)->GetApplication(0));
                NS_TEST_EXPECT_MSG_EQ((beacon->Neighbours() == expected),
                                      true,
                                      "node " << node << " at " << Simulator::Now());
            });
        };
        Simulator::Schedule(Seconds(0.105), [this, &nodes, &beacons] {
            CompareWithDistance(nodes, beacons.Edges());
        });
        at(1.95, 0, {1, 2, 3});
        at(2.85, 0, {1, 2, 3});
        at(3.01, 0, {2, 3});
        at(3.01, 3, {0, 2});
        at(3.01, 1, {});
        at(3.01, 4, {});
        Simulator::Stop(Seconds(3.05));
        Simulator::Run();
        const auto first = DynamicCast<DpdlBeacon>(nodes.Get(0)->GetApplication(0));
        NS_TEST_EXPECT_MSG_EQ_TOL(first->Sent(), 30U, 1U, "10 Hz");
        Simulator::Destroy();
    }

    /// @param nodes that stand @param heard the edges of beacons
    void CompareWithDistance(const NodeContainer& nodes, const std::vector<dpdl::Edge>& heard)
    {
        const auto oracle = dpdl::MakeGraphSequence("mobility:150", nodes.GetN(), {1, 1});
        dpdl::RunWorld world;
        world.now = [] { return Simulator::Now().GetSeconds(); };
        world.position = [&nodes](uint32_t node) {
            const Vector place = nodes.Get(node)->GetObject<MobilityModel>()->GetPosition();
            return dpdl::Position{place.x, place.y, place.z};
        };
        oracle->Attach(world);
        const dpdl::NeighbourLists lists(nodes.GetN(), heard);
        for (uint32_t node = 0; node < nodes.GetN(); ++node)
        {
            NS_TEST_EXPECT_MSG_EQ((lists.out[node] == oracle->OutNeighbours(node, 0)),
                                  true,
                                  "beacons and distance agree on node " << node);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief No mass vanishes when a node leaves while tables of others still have it.
 */
class DpdlBeaconMassTest : public dpdltest::Case
{
    using Case::Case;

    static constexpr uint32_t SCHEDULES = 20; //!< of failures; other seeds repeat them

    void DoRun() override
    {
        const auto beacons = std::make_shared<DpdlBeaconHelper>();
        DpdlBeaconHelper::EnterTopology(beacons);
        uint64_t lost = 0;
        const uint32_t cases = dpdltest::FromEnvironment("DPDL_PROPERTY_CASES", SCHEDULES);
        for (uint32_t number = 0; number < cases; ++number)
        {
            lost += RunOne(*beacons, number);
        }
        NS_TEST_EXPECT_MSG_GT(lost, 0, "tables were stale");
        for (const auto& [option, value] :
             {std::pair{"drop", "0.999999"}, {"fail", "link * down at 0s for 30s"}})
        {
            lost = RunOne(*beacons, 0, option, value);
            NS_TEST_EXPECT_MSG_EQ(lost, 0, "none is sent, since no beacon arrives: " << option);
        }
    }

    /// @param beacons of the topology @param number of the case @param loss another option of the
    /// run @param value of that option @return messages that were lost
    uint64_t RunOne(DpdlBeaconHelper& beacons,
                    uint32_t number,
                    const std::string& loss = "deadline",
                    const std::string& value = "1s")
    {
        const uint32_t schedule = number % SCHEDULES;
        dpdl::RunOptions settings = dpdltest::SmallRun(CreateTempDirFilename("mass.db"));
        settings.seed.seed = number + 1;
        for (const auto& [option, value] : {std::pair{"topology", "beacons"},
                                            {"network", "packet"},
                                            {"transport", "broadcast"},
                                            {"lossPolicy", "running-sum"},
                                            {"deadline", "1s"}})
        {
            dpdl::SetOption(settings, option, value);
        }
        const std::string begin = std::to_string(1050 + 170 * schedule % 3000) + "ms";
        const std::string end = std::to_string(4200 + 90 * schedule) + "ms";
        settings.fail = {"node 1 crash with state at " + begin + " recover " + end};
        dpdl::SetOption(settings, loss, value);
        RngSeedManager::SetSeed(settings.seed.seed);
        NodeContainer nodes(settings.nodes);
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto place = CreateObject<ConstantVelocityMobilityModel>();
            place->SetPosition(Vector(40.0 * i, 0.0, 0.0));
            // The last node leaves the others' reach within some seconds.
            place->SetVelocity(Vector(i == 4 ? 100.0 + 20.0 * schedule : 0.0, 0.0, 0.0));
            nodes.Get(i)->AggregateObject(place);
        }
        DpdlVehicularNetwork().Install(nodes);
        beacons.Install(nodes, {});
        DpdlHelper helper(settings);
        helper.SetAttribute("FullRounds", BooleanValue(true));
        helper.Install(nodes);
        Simulator::Stop(Seconds(30));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "case " << number);
        Simulator::Destroy();
        const dpdl::TraceReader trace(settings.trace);
        NS_TEST_EXPECT_MSG_LT(std::fabs(trace.SummaryNumber("mass_error").value_or(1.0)),
                              1e-12 * settings.nodes,
                              "mass of case " << number);
        return static_cast<uint64_t>(trace.SummaryNumber("messages_lost").value_or(0.0));
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Signals below the floor vanish, the others fade as without it; bad settings are refused.
 */
class DpdlCutoffTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const NodeContainer nodes = dpdltest::StandingOnALine({0.0, 100.0});
        const auto from = nodes.Get(0)->GetObject<MobilityModel>();
        const auto to = nodes.Get(1)->GetObject<MobilityModel>();
        const auto cutoff = CreateObject<DpdlCutoffLossModel>();
        NS_TEST_EXPECT_MSG_EQ(cutoff->CalcRxPower(-104.0, from, to), -104.0, "no fading");
        cutoff->SetFading(CreateObject<NakagamiPropagationLossModel>());
        const auto fading = CreateObject<NakagamiPropagationLossModel>();
        NS_TEST_EXPECT_MSG_EQ(cutoff->AssignStreams(7), fading->AssignStreams(7), "streams");
        for (const double mean : {-60.0, -104.0})
        {
            NS_TEST_EXPECT_MSG_EQ(cutoff->CalcRxPower(-104.1, from, to),
                                  DpdlCutoffLossModel::VANISHED,
                                  "below the floor, without a random number");
            NS_TEST_EXPECT_MSG_EQ(cutoff->CalcRxPower(mean, from, to),
                                  fading->CalcRxPower(mean, from, to),
                                  "above the floor");
        }
        const Time second = Seconds(1);
        const std::vector<DpdlBeaconSettings> mistakes{{Seconds(2), 300, second},
                                                       {Time(0), 300, second},
                                                       {second, 3, second},
                                                       {second, 1473, second},
                                                       {second, 300, second, 0}};
        for (const DpdlBeaconSettings& settings : mistakes)
        {
            Refuse([&] { DpdlBeaconHelper().Install(nodes, settings); }, "settings of beacons");
        }
        Refuse([] { DpdlVehicularNetwork().SetTxPower(NAN); }, "power");
    }
};

const dpdltest::Suite g_beaconTests("dpdl-beacon",
                                    {new DpdlNeighbourTableTest("tables of neighbours"),
                                     new DpdlBeaconMassTest("mass of runs over beacons"),
                                     new DpdlCutoffTest("cut-off of weak signals, and mistakes")});

} // namespace
