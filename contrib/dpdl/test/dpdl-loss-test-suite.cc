// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-checked-run.h"

#include "ns3/test.h"

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @brief Settings of a lossy run without training.
 * @param trace path of its trace
 * @return the settings
 */
dpdl::RunOptions
LossyRun(const std::string& trace)
{
    dpdl::RunOptions settings = SmallRun(trace);
    settings.rounds = 60;
    settings.drop = 0.3;
    settings.evaluateEvery = 0;
    settings.train = false;
    settings.topology = "complete";
    return settings;
}

/// Every loss policy that can be chosen.
std::vector<dpdl::LossPolicy>
AllPolicies()
{
    std::vector<dpdl::LossPolicy> policies;
    for (const std::string& name : dpdl::LossPolicies().AvailableNames())
    {
        policies.push_back(dpdl::LossPolicies().Get(name));
    }
    return policies;
}

/**
 * @ingroup dpdl-tests
 * @brief After every event: mass at the nodes, on its way and lost adds up to the number of nodes.
 */
class DpdlMassTest : public TestCase
{
  public:
    DpdlMassTest()
        : TestCase("mass after every event")
    {
    }

  private:
    void DoRun() override
    {
        const std::string graph =
            dpdltest::UnbalancedGraph(CreateTempDirFilename("unbalanced.txt"));
        for (const std::string& topology : {std::string("complete"), std::string("star"), graph})
        {
            for (const auto policy : AllPolicies())
            {
                for (const auto kind : {dpdl::Deadline::Kind::AUTO, dpdl::Deadline::Kind::TIME})
                {
                    dpdl::RunOptions settings = LossyRun(CreateTempDirFilename("run.db"));
                    settings.topology = topology;
                    settings.lossPolicy = policy;
                    settings.deadline = {kind, 25e-3}; // shorter than a message takes
                    Run(settings);
                    settings.chunkBytes = 8000; // four chunks
                    settings.rounds = 20;
                    Run(settings);
                }
            }
        }
    }

    /// One run. @param settings of the run
    void Run(const dpdl::RunOptions& settings)
    {
        const auto inspect = [&](dpdl::Experiment& experiment) {
            const dpdl::MassLedger& mass = experiment.Mass();
            const bool keepsMass = settings.lossPolicy == dpdl::LossPolicy::RUNNING_SUM ||
                                   settings.lossPolicy == dpdl::LossPolicy::REFUND;
            const bool losesMass = settings.lossPolicy == dpdl::LossPolicy::NONE;
            NS_TEST_EXPECT_MSG_EQ((keepsMass && mass.Lost() != 0.0), false, "nothing is lost");
            NS_TEST_EXPECT_MSG_EQ((losesMass && mass.Lost() <= 0.0), false, "lost permanently");
            NS_TEST_EXPECT_MSG_EQ((mass.AtNodes() > 0.0), true, "some is left");
        };
        const dpdltest::CheckedRun run = dpdltest::RunChecked(settings, {}, inspect);
        NS_TEST_EXPECT_MSG_EQ(run.outcome.complete, true, "run");
        NS_TEST_EXPECT_MSG_GT(run.events, settings.rounds * 5, "events seen");
        NS_TEST_EXPECT_MSG_LT(run.massError, 1e-12 * 5, "mass error on " << settings.topology);
    }
};

/**
 * @ingroup dpdl-tests
 * @brief No round ends after its deadline, and a deadline that is not needed changes nothing.
 */
class DpdlDeadlineTest : public TestCase
{
  public:
    DpdlDeadlineTest()
        : TestCase("deadlines")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto policy : {dpdl::LossPolicy::NONE, dpdl::LossPolicy::RUNNING_SUM})
        {
            dpdl::RunOptions settings = LossyRun(CreateTempDirFilename("run.db"));
            settings.lossPolicy = policy;
            Run(settings);
            NS_TEST_EXPECT_MSG_GT(m_atDeadline, 100, "rounds that waited in vain");
            NS_TEST_EXPECT_MSG_GT(m_early, 20, "rounds that heard all");
        }
        CheckTight();
        CheckNeedless();
    }

    /// A run whose rounds are timed. @param settings of the run
    Outcome Run(const dpdl::RunOptions& settings)
    {
        m_atDeadline = 0;
        m_early = 0;
        const Outcome outcome =
            RunInSimulator(settings, [this](DpdlHelper& helper, ApplicationContainer apps) {
                m_deadline = Seconds(helper.Experiment().DeadlineSeconds());
                for (uint32_t i = 0; i < apps.GetN(); ++i)
                {
                    apps.Get(i)->TraceConnectWithoutContext(
                        "RoundEnd",
                        MakeCallback(&DpdlDeadlineTest::End, this));
                }
            });
        NS_TEST_EXPECT_MSG_EQ(outcome.complete, true, "complete");
        NS_TEST_EXPECT_MSG_EQ(m_atDeadline + m_early, 5 * settings.rounds, "rounds");
        return outcome;
    }

    /// Messages take longer than a round: each one is late, and mixed nevertheless.
    void CheckTight()
    {
        dpdl::RunOptions settings = LossyRun(CreateTempDirFilename("run.db"));
        settings.drop = 0.0;
        settings.deadline = {dpdl::Deadline::Kind::TIME, 25e-3};
        const Outcome outcome = Run(settings);
        NS_TEST_EXPECT_MSG_EQ(m_early, 0, "no node is heard in time");
        for (const dpdl::ScaledDouble& weight : outcome.weights)
        {
            NS_TEST_EXPECT_MSG_GT(weight.ToDouble(), 0.1, "what came late was mixed");
        }
    }

    /// A deadline far behind the end of a lossless round.
    void CheckNeedless()
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        const Outcome expected = dpdltest::RunInLockstep(settings);
        settings.deadline = {dpdl::Deadline::Kind::TIME, 1.0};
        NS_TEST_EXPECT_MSG_EQ((Run(settings) == expected), true, "as without a deadline");
        NS_TEST_EXPECT_MSG_EQ(m_atDeadline, 0, "no node waits");
    }

    /// A round ends. @param round which one
    void End(uint32_t round, double)
    {
        const Time deadline = m_deadline * static_cast<int64_t>(round + 1);
        NS_TEST_EXPECT_MSG_EQ((Simulator::Now() <= deadline), true, "round " << round);
        ++(Simulator::Now() == deadline ? m_atDeadline : m_early);
    }

    Time m_deadline;          //!< of a round
    uint32_t m_atDeadline{0}; //!< rounds that ended at their deadline
    uint32_t m_early{0};      //!< rounds that ended before
};

/**
 * @ingroup dpdl-tests
 * @brief Lossy runs repeat bit for bit, and streams change them.
 */
class DpdlLossyRepeatTest : public TestCase
{
  public:
    DpdlLossyRepeatTest()
        : TestCase("lossy runs repeat")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto policy : {dpdl::LossPolicy::NONE, dpdl::LossPolicy::RUNNING_SUM})
        {
            dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
            settings.drop = 0.3;
            settings.lossPolicy = policy;
            const Outcome first = Run(settings, 0);
            NS_TEST_EXPECT_MSG_EQ((Run(settings, 0) == first), true, "the same again");
            NS_TEST_EXPECT_MSG_EQ((Run(settings, 17).weights == first.weights),
                                  false,
                                  "another stream loses other messages");
            settings.algorithm = "sgp";
            NS_TEST_EXPECT_MSG_EQ((Run(settings, 0).weights == first.weights),
                                  true,
                                  "another algorithm loses the same messages");
        }
    }

    /**
     * @brief One run.
     * @param settings of the run
     * @param stream first random stream
     * @return what it leaves
     */
    Outcome Run(const dpdl::RunOptions& settings, int64_t stream)
    {
        return RunInSimulator(settings, [stream](DpdlHelper& helper, ApplicationContainer) {
            helper.AssignStreams(stream);
        });
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Tests of runs on networks that lose messages.
 */
class DpdlLossTestSuite : public TestSuite
{
  public:
    DpdlLossTestSuite()
        : TestSuite("dpdl-loss", Type::UNIT)
    {
        AddTestCase(new DpdlMassTest);
        AddTestCase(new DpdlDeadlineTest);
        AddTestCase(new DpdlLossyRepeatTest);
    }
};

DpdlLossTestSuite g_dpdlLossTestSuite; //!< the suite

} // namespace
