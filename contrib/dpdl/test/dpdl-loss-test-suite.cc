// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"

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

/**
 * @ingroup dpdl-tests
 * @brief No round ends after its deadline, and a deadline that is not needed changes nothing.
 */
class DpdlDeadlineTest : public dpdltest::Case
{
    using Case::Case;

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
class DpdlLossyRepeatTest : public dpdltest::Case
{
    using Case::Case;

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

const dpdltest::Suite g_dpdlLossTestSuite("dpdl-loss",
                                          {new DpdlDeadlineTest("deadlines"),
                                           new DpdlLossyRepeatTest("lossy runs repeat")});

} // namespace
