// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-checked-run.h"
#include "dpdl-test-case.h"

#include "ns3/dpdl-application.h"

using namespace ns3;
using dpdltest::CheckedRun;
using dpdltest::Outcome;
using dpdltest::RunChecked;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/// One application of a run. @param apps all of them @param node its number
Ptr<DpdlApplication>
At(const ApplicationContainer& apps, uint32_t node)
{
    return DynamicCast<DpdlApplication>(apps.Get(node));
}

/**
 * @brief Schedules a crash.
 * @param app whose
 * @param at when, in s
 * @param keepState whether (z, w) survives
 * @param back when it recovers, in s; 0: never
 */
void
CrashAt(Ptr<DpdlApplication> app, double at, bool keepState, double back)
{
    Simulator::Schedule(Seconds(at), &DpdlApplication::Crash, app, keepState);
    if (back > 0.0)
    {
        Simulator::Schedule(Seconds(back), &DpdlApplication::Recover, app);
    }
}

/**
 * @brief Settings of a run whose rounds take some 40 ms where nothing fails, 10 ms of them a step.
 * @param trace path of its trace
 * @param policy what becomes of lost mass
 * @return the settings
 */
dpdl::RunOptions
FailingRun(const std::string& trace, dpdl::LossPolicy policy)
{
    dpdl::RunOptions settings = SmallRun(trace);
    settings.rounds = 20;
    settings.outages = dpdl::Outages::PASSING;
    settings.lossPolicy = policy;
    settings.measureQ = true;
    return settings;
}

/**
 * @ingroup dpdl-tests
 * @brief Pauses, slow steps and crashes that lose no message cost time and no bit.
 */
class DpdlHarmlessTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.topology = "complete";
        const Outcome expected = RunInSimulator(settings);
        double end = 0.0;
        const auto note = [&end](dpdl::Experiment&) { end = Simulator::Now().GetSeconds(); };
        RunInSimulator(settings, {}, note);
        const double usual = end;

        const auto pause = [](DpdlHelper&, ApplicationContainer apps) {
            // Half of the first step is done; it waits 50 ms for the other half.
            Simulator::Schedule(MilliSeconds(5), &DpdlApplication::Pause, At(apps, 1));
            Simulator::Schedule(MilliSeconds(55), &DpdlApplication::Resume, At(apps, 1));
        };
        // The paused node has heard all others and runs ahead, which the epsilon of a round shows.
        const Outcome paused = RunInSimulator(settings, pause, note);
        NS_TEST_EXPECT_MSG_EQ((paused.states == expected.states), true, "pause, states");
        NS_TEST_EXPECT_MSG_EQ((paused.weights == expected.weights), true, "pause, weights");
        NS_TEST_EXPECT_MSG_EQ((paused.releases == expected.releases), true, "pause, releases");
        NS_TEST_EXPECT_MSG_EQ_TOL(end, usual + 0.05, 1e-9, "time of a pause");

        const auto slow = [](DpdlHelper&, ApplicationContainer apps) {
            // The second half of the first step, and some of the second, take three times as long.
            Simulator::Schedule(MilliSeconds(5), &DpdlApplication::SetSlowdown, At(apps, 1), 3.0);
            Simulator::Schedule(MilliSeconds(70), &DpdlApplication::SetSlowdown, At(apps, 1), 1.0);
        };
        NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings, slow, note) == expected), true, "slow");
        NS_TEST_EXPECT_MSG_GT(end, usual + 0.01, "time of a slow node");

        const auto crash = [](DpdlHelper&, ApplicationContainer apps) {
            // Before any node has sent anything: the step is redone, with the same noise.
            CrashAt(At(apps, 1), 5e-3, true, 9e-3);
        };
        NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings, crash, note) == expected), true, "crash");
        NS_TEST_EXPECT_MSG_EQ_TOL(end, usual + 9e-3, 1e-9, "time of a redone step");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A node that lost its state has no mass, and neither learns nor releases before it hears.
 */
class DpdlLostStateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings =
            FailingRun(CreateTempDirFilename("run.db"), dpdl::LossPolicy::NONE);
        settings.topology = "complete";
        const auto prepare = [this](DpdlHelper& helper, ApplicationContainer apps) {
            CrashAt(At(apps, 1), 5e-3, false, 7e-3);
            Simulator::Schedule(MilliSeconds(6), [this, &helper]() {
                const dpdl::MassLedger& mass = helper.Experiment().Mass();
                NS_TEST_EXPECT_MSG_EQ(mass.Lost(), 1.0, "its mass");
                NS_TEST_EXPECT_MSG_EQ(mass.AtNodes(), 4.0, "the others'");
                NS_TEST_EXPECT_MSG_EQ(helper.Experiment().At(1).IsDown(), true, "down");
            });
        };
        const auto inspect = [this](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_EQ(experiment.Mass().Lost(), 1.0, "no more than that");
            const auto& releases = experiment.Recorder().Releases();
            NS_TEST_EXPECT_MSG_EQ(releases.ForNode(0).size(), 20, "of the others");
            NS_TEST_EXPECT_MSG_EQ(releases.ForNode(1).size(), 19, "none in the first round");
            NS_TEST_EXPECT_MSG_EQ(releases.ForNode(1).front().round, 1, "from the next on");
        };
        NS_TEST_EXPECT_MSG_EQ(RunInSimulator(settings, prepare, inspect).complete, true, "run");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Nodes that never come back delay no other; without a deadline the run ends and says why.
 */
class DpdlGoneNodeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings =
            FailingRun(CreateTempDirFilename("run.db"), dpdl::LossPolicy::NONE);
        settings.topology = "complete";
        const auto prepare = [](DpdlHelper&, ApplicationContainer apps) {
            CrashAt(At(apps, 1), 0.1, true, 0.0);
            CrashAt(At(apps, 3), 0.2, false, 0.0);
        };
        const auto inspect = [this](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_EQ(experiment.StallReason(), "", "the living are done");
            NS_TEST_EXPECT_MSG_EQ((experiment.At(1).Weight().ToDouble() > 0.0), true, "kept");
            NS_TEST_EXPECT_MSG_EQ(experiment.At(3).Weight().ToDouble(), 0.0, "lost");
        };
        const CheckedRun run = RunChecked(settings, prepare, inspect);
        NS_TEST_EXPECT_MSG_EQ(run.outcome.rounds.size(), 20, "rounds of the living");
        NS_TEST_EXPECT_MSG_LT(run.massError, 1e-12 * 5, "mass error");

        settings.deadline.kind = dpdl::Deadline::Kind::NONE;
        const auto stuck = [this](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_EQ(experiment.StallReason(),
                                  "3 of 5 nodes have not done all their rounds: node 0 is in round "
                                  "3 and waits for the shares of node 1 (crashed)",
                                  "who waits for whom");
        };
        const Outcome outcome = RunInSimulator(settings, prepare, stuck);
        NS_TEST_EXPECT_MSG_EQ(outcome.complete, false, "incomplete");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A node that crashes sooner than it can finish a step does not keep a run going
 * indefinitely.
 */
class DpdlHopelessNodeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const std::string state : {" with state", " without state"})
        {
            dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
            settings.topology = "complete";
            settings.fail = {"random node 1 crash" + state + " mean-up=0.2ms mean-down=0.1ms"};
            const auto inspect = [this](dpdl::Experiment& experiment) {
                NS_TEST_EXPECT_MSG_EQ(experiment.StallReason(), "", "the others are done");
                NS_TEST_EXPECT_MSG_EQ(experiment.At(1).IsDown(), true, "it is gone");
                NS_TEST_EXPECT_MSG_EQ(experiment.At(1).CurrentRound(), 0, "before its first step");
                NS_TEST_EXPECT_MSG_LT(experiment.Parameters().Allocated(), 100, "vectors in use");
            };
            RunChecked(settings, {}, inspect);
        }
    }
};

const dpdltest::Suite g_dpdlCrashTestSuite(
    "dpdl-crash",
    {new DpdlHarmlessTest("what loses nothing changes nothing"),
     new DpdlLostStateTest("a crash without state"),
     new DpdlGoneNodeTest("nodes that never come back"),
     new DpdlHopelessNodeTest("a node that never stays up for a whole step")});

} // namespace
