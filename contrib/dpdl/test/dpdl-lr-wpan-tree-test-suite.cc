// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/dpdl-battery-helper.h"
#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/rng-seed-manager.h"

#include <map>

using namespace ns3;
using dpdltest::SmallRun;

namespace
{

/// Sensors on one line from the gateway, node 0, outwards: 0, 1, 2, ...
class Line
{
  public:
    /// @param trace path @param nodes how many @param distance between neighbours, m
    Line(const std::string& trace, uint32_t nodes, double distance)
        : m_settings(SmallRun(trace)),
          m_distance(distance)
    {
        m_settings.nodes = nodes;
        m_settings.rounds = 6;
        m_settings.samples = 400;
        for (const auto& [option, value] :
             std::vector<std::pair<std::string, std::string>>{{"model", "cnn-xs"},
                                                              {"sharedLayers", "1"},
                                                              {"network", "packet"},
                                                              {"transport", "udp"},
                                                              {"chunk", "500"},
                                                              {"deadline", "30s"},
                                                              {"topology", "star"}})
        {
            dpdl::SetOption(m_settings, option, value);
        }
        m_nodes.Create(nodes);
    }

    /// When a node loses its power and, unless it is 0, has it back, s.
    std::map<uint32_t, std::pair<double, double>> outages;

    /// Runs it. @return whether it is complete
    bool Run()
    {
        RngSeedManager::SetSeed(m_settings.seed.seed);
        RngSeedManager::SetRun(m_settings.seed.run);
        DpdlLrWpanNetwork network;
        network.SetDutyCycle(Seconds(4), 0.5);
        network.SetTree(DpdlLrWpanTree::Place(m_nodes, m_nodes.GetN() - 1, m_distance));
        network.FitTo(m_settings);
        network.Install(m_nodes);
        DpdlBatteryHelper batteries;
        batteries.SetCapacity(1e6, 0.0); // whose power fails is said below
        batteries.SetHarvest(1e-9, Time(0));
        batteries.Install(m_nodes);
        DpdlHelper helper(m_settings);
        helper.Install(m_nodes); // stops the network's endless timers with the last round
        for (const auto& [node, times] : outages)
        {
            const auto radio = m_nodes.Get(node)->GetObject<DpdlRadio>();
            Simulator::Schedule(Seconds(times.first), &DpdlRadio::SetPowered, radio, false);
            if (times.second > 0.0)
            {
                Simulator::Schedule(Seconds(times.second), &DpdlRadio::SetPowered, radio, true);
            }
        }
        Simulator::Run();
        const bool isComplete = helper.Finish();
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            sent.push_back(m_nodes.Get(i)->GetObject<DpdlRadio>()->Count().sent);
        }
        massError = helper.Experiment().Mass().Error();
        Simulator::Destroy();
        return isComplete;
    }

    /// Messages of a link that arrived, in time or not, and those that were lost.
    std::pair<uint32_t, uint32_t> FatesOf(uint32_t source, uint32_t target) const
    {
        std::pair<uint32_t, uint32_t> fates{0, 0};
        const dpdl::TraceReader trace(m_settings.trace);
        for (const dpdl::Delivery& row : trace.Deliveries(m_settings.nodes))
        {
            const bool isMine = row.source == source && row.target == target;
            fates.first += isMine && row.arrivedAt ? 1 : 0;
            fates.second += isMine && row.fate == dpdl::DeliveryFate::LOST ? 1 : 0;
        }
        return fates;
    }

    std::vector<uint64_t> sent; ///< frames, by node
    double massError{0.0};      ///< at the end

  private:
    dpdl::RunOptions m_settings; ///< of the run
    double m_distance;           ///< between neighbours
    NodeContainer m_nodes;       ///< of the run
};

/**
 * @ingroup dpdl-tests
 * @brief Shares cross hops that no radio spans alone, and those in the middle send them.
 */
class DpdlTreeHopsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // A radio reaches 99 m.
        Line line(CreateTempDirFilename("run.db"), 4, 60.0);
        NS_TEST_EXPECT_MSG_EQ(line.Run(), true, "complete");
        for (uint32_t node = 1; node < 4; ++node)
        {
            // 6 rounds of 2 chunks.
            NS_TEST_EXPECT_MSG_EQ(line.FatesOf(node, 0).first, 12, "up from " << node);
            NS_TEST_EXPECT_MSG_EQ(line.FatesOf(0, node).first, 12, "down to " << node);
        }
        NS_TEST_EXPECT_MSG_GT(line.sent[1], 2 * line.sent[3], "node 1 forwards for two others");
        Line far(CreateTempDirFilename("run.db"), 4, 100.0);
        Refuse([&far] { far.Run(); }, "out of reach", "99 m");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A relay without power takes those behind it off the network, and all are back with it.
 */
class DpdlTreeOutageTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string trace = CreateTempDirFilename("run.db");
        Line gone(trace, 4, 60.0);
        gone.outages[2] = {5.0, 0.0};
        NS_TEST_EXPECT_MSG_EQ(gone.Run(), true, "complete without node 2");
        NS_TEST_EXPECT_MSG_GT(gone.FatesOf(3, 0).second, 0, "node 3 is cut off");
        // One share may collide with what is repeated for the relay that no longer answers.
        NS_TEST_EXPECT_MSG_LT(gone.FatesOf(1, 0).second, 2, "node 1 is not");
        NS_TEST_EXPECT_MSG_EQ_TOL(gone.massError, 0.0, 1e-11, "mass");
        NS_TEST_EXPECT_MSG_EQ(dpdl::TraceReader(trace).SummaryNumber("batteries_empty").value_or(0),
                              1,
                              "one is gone");
        const uint32_t before = gone.FatesOf(2, 0).first;
        const uint32_t behind = gone.FatesOf(3, 0).first;
        Line back(trace, 4, 60.0);
        back.outages[2] = {5.0, 45.0};
        NS_TEST_EXPECT_MSG_EQ(back.Run(), true, "complete with node 2");
        NS_TEST_EXPECT_MSG_GT(back.FatesOf(3, 0).first, behind, "node 3 is heard again");
        NS_TEST_EXPECT_MSG_GT(back.FatesOf(2, 0).first, before, "node 2, too");
        NS_TEST_EXPECT_MSG_EQ_TOL(back.massError, 0.0, 1e-11, "mass");
    }
};

const dpdltest::Suite g_dpdlLrWpanTreeTestSuite("dpdl-lr-wpan-tree",
                                                {new DpdlTreeHopsTest("shares over three hops"),
                                                 new DpdlTreeOutageTest("a relay without power")},
                                                ns3::TestSuite::Type::SYSTEM);

} // namespace
