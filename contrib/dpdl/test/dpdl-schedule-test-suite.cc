// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/dpdl-application.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Asynchronous rounds without staleness are synchronous ones, whatever is lost.
 */
class DpdlNoStalenessTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.compute = dpdl::StepTime{};
        settings.compute->heterogeneity = 3.0;
        for (const double drop : {0.0, 0.3})
        {
            settings.drop = drop;
            settings.schedule = dpdl::Schedule::SYNCHRONOUS;
            const Outcome expected = RunInSimulator(settings);
            settings.schedule = dpdl::Schedule::ASYNCHRONOUS;
            settings.staleness = 0;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, "drop " << drop);
            settings.staleness = 1;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), false, "stale " << drop);
        }
    }
};

/**
 * @brief Makes the first of the nodes five times slower than the others.
 * @param apps the applications of all nodes
 * @param onEnd called with a node and a round of it that ends
 */
void
SlowNodeZero(ApplicationContainer apps, const std::function<void(uint32_t, uint32_t)>& onEnd)
{
    for (uint32_t node = 0; node < apps.GetN(); ++node)
    {
        auto app = DynamicCast<DpdlApplication>(apps.Get(node));
        app->SetSlowdown(node == 0 ? 5.0 : 1.0);
        app->TraceConnectWithoutContext(
            "RoundEnd",
            Callback<void, uint32_t, double>(
                [onEnd, node](uint32_t round, double) { onEnd(node, round); }));
    }
}

/**
 * @ingroup dpdl-tests
 * @brief A slow node lets its neighbours be ahead by the staleness, and not by more.
 */
class DpdlStragglerTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const uint32_t staleness : {0U, 1U, 3U})
        {
            dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
            settings.topology = "complete";
            settings.rounds = 20;
            settings.measureQ = true; // refuses a share that is mixed before its own round
            settings.schedule = dpdl::Schedule::ASYNCHRONOUS;
            settings.staleness = staleness;
            m_rounds.assign(5, 0);
            m_lead = 0;
            const auto prepare = [this](DpdlHelper&, ApplicationContainer apps) {
                SlowNodeZero(apps, [this](uint32_t node, uint32_t round) { End(node, round); });
            };
            const auto inspect = [this](dpdl::Experiment& experiment) {
                NS_TEST_EXPECT_MSG_EQ(experiment.Mass().Lost(), 0.0, "lost mass");
            };
            const Outcome outcome = RunInSimulator(settings, prepare, inspect);
            NS_TEST_EXPECT_MSG_EQ(outcome.complete, true, "complete");
            NS_TEST_EXPECT_MSG_EQ(m_lead, staleness, "lead over the straggler");
        }
    }

    /**
     * @brief A round ends.
     * @param node whose
     * @param round which one
     */
    void End(uint32_t node, uint32_t round)
    {
        m_rounds[node] = round + 1;
        if (node != 0)
        {
            m_lead = std::max(m_lead, round + 1 - std::min(round + 1, m_rounds[0]));
        }
    }

    std::vector<uint32_t> m_rounds; //!< by node, rounds ended
    uint32_t m_lead{0};             //!< largest lead of a node that ends a round
};

/**
 * @ingroup dpdl-tests
 * @brief A wait-free node keeps its own pace, and a slow one mixes what is ahead of it.
 */
class DpdlWaitFreeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.topology = "complete";
        settings.rounds = 20;
        settings.drop = 0.2;
        settings.lossPolicy = dpdl::LossPolicy::REFUND;
        settings.schedule = dpdl::Schedule::WAIT_FREE;
        settings.compute = dpdl::StepTime{};
        settings.compute->seconds = 0.01;
        std::vector<double> ends(5, 0.0);
        const auto prepare = [&ends](DpdlHelper&, ApplicationContainer apps) {
            SlowNodeZero(apps, [&ends](uint32_t node, uint32_t) {
                ends[node] = Simulator::Now().GetSeconds();
            });
        };
        const auto inspect = [this](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_EQ(experiment.Mass().Lost(), 0.0, "lost mass");
            NS_TEST_EXPECT_MSG_LT(std::abs(experiment.Mass().Error()), 1e-12, "mass");
        };
        const Outcome outcome = RunInSimulator(settings, prepare, inspect);
        NS_TEST_EXPECT_MSG_EQ(outcome.complete, true, "complete");
        for (uint32_t node = 0; node < 5; ++node)
        {
            const double pace = node == 0 ? 1.0 : 0.2;
            NS_TEST_EXPECT_MSG_EQ_TOL(ends[node], pace, 1e-9, "end of node " << node);
        }
        std::size_t early = 0;
        for (const dpdl::Delivery& row : dpdl::TraceReader(settings.trace).Deliveries(5))
        {
            early += row.usedInRound && *row.usedInRound < row.round ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((row.target == 0 || !row.usedInRound || row.source == 0 ||
                                   *row.usedInRound + 1 >= row.round),
                                  true,
                                  "equal nodes are at most a round apart");
        }
        NS_TEST_EXPECT_MSG_GT(early, 0U, "shares of rounds that the straggler had not reached");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Times of local steps: by the option, by a device, and as measured.
 */
class DpdlComputeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.network = dpdl::NetworkKind::IDEAL;
        const Outcome expected = RunInSimulator(settings);
        dpdl::SetOption(settings, "compute", "fixed:20ms:heterogeneous=4");
        Run(settings, expected);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_end, 6 * m_slowest, 1e-7, "the slowest node sets the pace");
        NS_TEST_EXPECT_MSG_GT(m_slowest, 0.02, "slower than the fastest there can be");
        NS_TEST_EXPECT_MSG_LT(m_slowest, 0.08, "at most four times as slow");

        dpdl::SetOption(settings, "compute", "profile:pi4");
        Run(settings, expected);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_end, 6 * m_slowest, 1e-7, "a device");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_slowest, 1e-3 + 8 * 4 * 7840 / 4.8e9, 1e-12, "its speed");

        dpdl::SetOption(settings, "compute", "measured");
        Run(settings, expected);
        NS_TEST_EXPECT_MSG_GT(m_end, 0.0, "measured");
    }

    /**
     * @brief One run.
     * @param settings of the run
     * @param expected what it should leave, as time changes nothing on this network
     */
    void Run(const dpdl::RunOptions& settings, const Outcome& expected)
    {
        const Outcome outcome = RunInSimulator(settings, {}, [this](dpdl::Experiment& experiment) {
            m_end = Simulator::Now().GetSeconds();
            m_slowest = experiment.Settings().computeModel->Slowest(5);
        });
        NS_TEST_EXPECT_MSG_EQ((outcome.states == expected.states), true, "same learning");
        NS_TEST_EXPECT_MSG_EQ((outcome.releases == expected.releases), true, "same releases");
    }

    double m_end{0.0};     //!< simulated end of the last run
    double m_slowest{0.0}; //!< step of its slowest node
};

const dpdltest::Suite g_dpdlScheduleTestSuite(
    "dpdl-schedule",
    {new DpdlNoStalenessTest("staleness 0 is synchronous"),
     new DpdlWaitFreeTest("a wait-free node keeps its own pace"),
     new DpdlStragglerTest("a straggler holds its neighbours back at most so many rounds"),
     new DpdlComputeTest("compute models")});

} // namespace
