// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"

#include "ns3/constant-velocity-mobility-model.h"

#include <boost/graph/adjacency_list.hpp>
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
class DpdlMobilityTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("mobility.db"));
        settings.topology = "mobility:10";
        settings.network = dpdl::NetworkKind::IDEAL;
        NodeContainer bare(settings.nodes);
        Refuse([&] { DpdlHelper(settings).Install(bare); }, "nodes without a place");
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(settings.trace).good(), false, "nothing was written");
        Simulator::Destroy();

        NodeContainer nodes(settings.nodes);
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
        const dpdl::GraphSequence& graph = *helper.Experiment().Settings().graph;
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
};

/**
 * @ingroup dpdl-tests
 * @brief Edges that a script gives make the run of the topology which has the same ones.
 */
class DpdlScriptTopologyTest : public dpdltest::Case
{
    using Case::Case;

    static constexpr uint32_t NODES = 5; //!< of SmallRun()

    void DoRun() override
    {
        std::vector<dpdl::Edge> edges;
        boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> directed(NODES);
        boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> undirected(NODES);
        for (uint32_t node = 0; node < NODES; ++node)
        {
            edges.push_back({node, (node + 1) % NODES});
            boost::add_edge(node, (node + 1) % NODES, directed);
            boost::add_edge(node, (node + 1) % NODES, undirected);
        }
        NS_TEST_EXPECT_MSG_EQ((RunOn(edges) == RunNamed("ring")), true, "edges");
        NS_TEST_EXPECT_MSG_EQ((RunOn(directed) == RunNamed("ring")), true, "directed");
        NS_TEST_EXPECT_MSG_EQ((RunOn(undirected) == RunNamed("undirected-ring")),
                              true,
                              "undirected");
        std::vector<dpdl::Round> asked;
        const auto exponential = [&asked](dpdl::Round round) {
            asked.push_back(round);
            std::vector<dpdl::Edge> all;
            for (uint32_t node = 0; node < NODES; ++node)
            {
                all.push_back({node, (node + (1U << round % 3)) % NODES});
            }
            return all;
        };
        NS_TEST_EXPECT_MSG_EQ((RunOn(exponential) == RunNamed("exponential")), true, "rounds");
        std::string rounds;
        for (const dpdl::Round round : asked)
        {
            rounds += std::to_string(round) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(rounds, "0 1 2 3 4 5 6 ", "each once");

        edges.back().target = NODES;
        std::string reason;
        try
        {
            RunOn(edges);
        }
        catch (const dpdl::Error& error)
        {
            reason = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(reason, "edge 4->5 must join two different nodes in 0..4", "refused");
        Simulator::Destroy();
    }

    /**
     * @param topology as an option
     * @return what the run leaves
     */
    Outcome RunNamed(const std::string& topology)
    {
        DpdlHelper helper(Settings());
        helper.Set("topology", topology);
        return Run(helper);
    }

    /**
     * @param topology as DpdlHelper::SetTopology() takes it
     * @return what the run leaves
     */
    template <typename Topology>
    Outcome RunOn(const Topology& topology)
    {
        DpdlHelper helper(Settings());
        helper.SetTopology(topology);
        return Run(helper);
    }

    /// @return those of a run
    dpdl::RunOptions Settings()
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("script.db"));
        settings.network = dpdl::NetworkKind::IDEAL;
        return settings;
    }

    /**
     * @param helper of the run
     * @return what it leaves
     */
    Outcome Run(DpdlHelper& helper)
    {
        NodeContainer nodes(NODES);
        helper.Install(nodes);
        Outcome outcome;
        dpdltest::Watch(helper.Experiment(), outcome);
        Simulator::Run();
        helper.Finish();
        dpdltest::Collect(helper.Experiment(), outcome);
        Simulator::Destroy();
        return outcome;
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Topologies that never repeat give the same run with and without the simulator.
 */
class DpdlUnrepeatedTest : public dpdltest::Case
{
    using Case::Case;

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
class DpdlStaleGraphTest : public dpdltest::Case
{
    using Case::Case;

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

const dpdltest::Suite g_dpdlLiveTopologyTestSuite(
    "dpdl-live-topology",
    {new DpdlMobilityTest("nodes that move out of reach"),
     new DpdlScriptTopologyTest("a script's own topology"),
     new DpdlUnrepeatedTest("topologies that never repeat"),
     new DpdlStaleGraphTest("graphs last as long as a node waits for their shares")});

} // namespace
