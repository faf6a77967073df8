// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"

#include "ns3/constant-velocity-mobility-model.h"
#include "ns3/test.h"

#include <fstream>
#include <map>
#include <utility>

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInLockstep;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Who sends to whom follows ns-3's MobilityModels.
 */
class DpdlMobilityTest : public TestCase
{
  public:
    DpdlMobilityTest()
        : TestCase("nodes that move out of reach")
    {
    }

  private:
    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("mobility.db"));
        settings.topology = "mobility:10";
        settings.network = dpdl::NetworkKind::IDEAL;
        NS_TEST_EXPECT_MSG_EQ(IsRefused(settings), true, "nodes without a place");

        NodeContainer nodes;
        nodes.Create(settings.nodes);
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            Ptr<ConstantVelocityMobilityModel> model =
                CreateObject<ConstantVelocityMobilityModel>();
            model->SetPosition(Vector(4.0 * i, 0.0, 0.0));
            // Steps of 10 ms: the last node leaves the others' reach in the fourth round.
            model->SetVelocity(Vector(i == 4 ? 250.0 : 0.0, 0.0, 0.0));
            nodes.Get(i)->AggregateObject(model);
        }
        DpdlHelper helper(settings);
        helper.Install(nodes);
        const dpdl::GraphSequence& graph = helper.Experiment().Graph();
        std::map<std::pair<uint32_t, uint32_t>, std::vector<dpdl::NodeId>> heard;
        helper.Experiment().Recorder().SetStepCallback([&](const dpdl::NodeJob& job) {
            heard[{job.node, job.round}] = graph.OutNeighbours(job.node, job.round);
        });
        Simulator::Run();
        using Neighbours = std::vector<dpdl::NodeId>;
        NS_TEST_EXPECT_MSG_EQ((heard[{4, 0}] == Neighbours{2, 3}), true, "round 0");
        NS_TEST_EXPECT_MSG_EQ((heard[{4, 1}] == Neighbours{3}), true, "round 1");
        NS_TEST_EXPECT_MSG_EQ((heard[{4, 4}].empty()), true, "round 4");
        NS_TEST_EXPECT_MSG_EQ((heard[{0, 4}] == Neighbours{1, 2}), true, "others");
        const auto place = helper.Positions()(4);
        NS_TEST_ASSERT_MSG_EQ(place.has_value(), true, "the node has a place");
        NS_TEST_EXPECT_MSG_EQ_TOL(place->x,
                                  16.0 + 250.0 * Simulator::Now().GetSeconds(),
                                  1e-9,
                                  "where ns-3 has it");
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "the run reached its end");
        Simulator::Destroy();
    }

    /**
     * @param settings of a run
     * @return whether nodes without mobility cannot run it
     */
    bool IsRefused(const dpdl::RunOptions& settings)
    {
        NodeContainer nodes;
        nodes.Create(settings.nodes);
        DpdlHelper helper(settings);
        bool refused = false;
        try
        {
            helper.Install(nodes);
        }
        catch (const dpdl::UsageError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(settings.trace).good(), false, "nothing was written");
        Simulator::Destroy();
        return refused;
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Topologies that never repeat give the same run with and without the simulator.
 */
class DpdlUnrepeatedTest : public TestCase
{
  public:
    DpdlUnrepeatedTest()
        : TestCase("topologies that never repeat")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("contacts.txt");
        std::ofstream(path) << "0 0.025 0 1\n0 1 1 0\n0 1 2 3\n0 1 3 4\n0.015 1 4 2\n0 1 1 4\n";
        for (const std::string& topology :
             {std::string("random:0.5"), std::string("random-peer"), "contacts:" + path})
        {
            dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("unrepeated.db"));
            settings.topology = topology;
            settings.network = dpdl::NetworkKind::IDEAL;
            settings.measureQ = true;
            const Outcome simulated = RunInSimulator(settings);
            NS_TEST_EXPECT_MSG_EQ((simulated == RunInLockstep(settings)), true, topology);
            NS_TEST_EXPECT_MSG_EQ(simulated.complete, true, topology);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A node that may be ahead knows whom it had to hear in a round that all others have left.
 */
class DpdlStaleGraphTest : public TestCase
{
  public:
    DpdlStaleGraphTest()
        : TestCase("graphs last as long as a node waits for their shares")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = CreateTempDirFilename("contacts.txt");
        std::ofstream(path) << "0 9 0 1\n0 9 1 2\n0 9 2 3\n0 9 3 4\n0 9 4 0\n0 0.1 0 3\n";
        for (const dpdl::Round staleness : {1, 2, 3})
        {
            dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("stale.db"));
            settings.topology = "contacts:" + path;
            settings.schedule = dpdl::Schedule::ASYNCHRONOUS;
            settings.staleness = staleness;
            NS_TEST_EXPECT_MSG_EQ(RunInSimulator(settings).complete, true, staleness);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief The suite.
 */
class DpdlLiveTopologyTestSuite : public TestSuite
{
  public:
    DpdlLiveTopologyTestSuite()
        : TestSuite("dpdl-live-topology", Type::UNIT)
    {
        AddTestCase(new DpdlMobilityTest);
        AddTestCase(new DpdlUnrepeatedTest);
        AddTestCase(new DpdlStaleGraphTest);
    }
};

DpdlLiveTopologyTestSuite g_dpdlLiveTopologyTestSuite; //!< the suite

} // namespace
