// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/base/errors.h"
#include "dpdl/experiment/option-table.h"
#include "dpdl/trace/trace-reader.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/dpdl-application.h"
#include "ns3/dpdl-streams.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInLockstep;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief Attributes: their defaults, and that the run follows them.
 */
class DpdlAttributesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlApplication> application = CreateObject<DpdlApplication>();
        TimeValue time;
        application->GetAttribute("ComputeTime", time);
        NS_TEST_EXPECT_MSG_EQ(time.Get(), MilliSeconds(10), "ComputeTime");
        for (const char* name : {"ClipDecay", "NoiseGrowth"})
        {
            DoubleValue factor;
            application->GetAttribute(name, factor);
            NS_TEST_EXPECT_MSG_EQ(factor.Get(), 0.0, name);
        }
        application->Dispose();
        CheckOptions();
        CheckAttributes();
    }

    /// Options reach the run, and wrong ones are refused.
    void CheckOptions()
    {
        DpdlHelper helper(SmallRun(CreateTempDirFilename("run.db")));
        Refuse([&] { helper.Set("drop", "2"); }, "drop=2");
        Refuse([&] { helper.SetMetadata("drop", "0.1"); }, "metadata drop=0.1");
        helper.Set("compute", "fixed:20ms");
        NodeContainer nodes(4);
        helper.Set("nodes", "3");
        Refuse([&] { helper.Install(nodes); }, "4 nodes where 3 were asked for");
        helper.Set("nodes", "4");
        helper.Install(nodes);
        NS_TEST_EXPECT_MSG_EQ(helper.Experiment().Settings().nodes, 4, "as many as installed");
        NS_TEST_EXPECT_MSG_EQ(helper.Experiment().Settings().compute.seconds, 0.02, "compute");
        NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(5), 1, "streams");
        const std::vector<dpdl::Edge> ring{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
        Refuse([&] { helper.Set("rounds", "3"); }, "a late option");
        Refuse([&] { helper.SetMetadata("a", "b"); }, "late metadata");
        Refuse([&] { helper.SetTopology(ring); }, "late edges");
        Refuse([&] { helper.SetStartJitter(Seconds(1)); }, "a late jitter");
        Refuse([&] { helper.SetFailures({}); }, "late failures");
        Refuse([&] { helper.SetLossModel("ns3::RateErrorModel"); }, "a late loss model");
        Refuse([&] { helper.SetAttribute("FullRounds", BooleanValue(true)); }, "an attribute");
        Refuse([&] { helper.SetTransportAttribute("Port", UintegerValue(9)); }, "a late port");
        Refuse([&] { helper.SetDeviceAttribute("Mtu", UintegerValue(900)); }, "a late MTU");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        Simulator::Destroy();
    }

    /// Attributes reach the run.
    void CheckAttributes()
    {
        DpdlHelper helper(SmallRun(CreateTempDirFilename("run.db")));
        helper.SetAttribute("ComputeTime", TimeValue(MilliSeconds(30)));
        helper.SetAttribute("ClipDecay", DoubleValue(4.0));
        helper.SetAttribute("NoiseGrowth", DoubleValue(1.0));
        helper.Set("network", "ideal");
        NodeContainer nodes(5);
        helper.Install(nodes);
        const dpdl::LearningPlan& plan = helper.Experiment().Plan();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.At(0, 3).clip, plan.At(0, 0).clip / 2, 1e-15, "ClipDecay");
        NS_TEST_EXPECT_MSG_EQ(plan.At(0, 5).mu, plan.At(0, 0).mu, "NoiseGrowth");
        NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(5), 0, "streams");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(180), "ComputeTime");
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief No two networks or helpers use the same random streams.
 */
class DpdlStreamsTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        using Streams = DpdlStreams;
        // First index, and more streams than 10000 vehicles, 319 users or 254 sensors use.
        const std::vector<std::pair<int64_t, int64_t>> table{{0, 65000},
                                                             {Streams::VEHICULAR, 90000},
                                                             {Streams::VEHICULAR_STACKS, 90000},
                                                             {Streams::BEACONS, 65000},
                                                             {Streams::LTE, 50000},
                                                             {Streams::LR_WPAN, 5000},
                                                             {Streams::LR_WPAN_STACKS, 5000},
                                                             {Streams::SIX_LOW_PAN, 5000},
                                                             {Streams::DODAG, 254},
                                                             {Streams::BATTERIES, 65000}};
        for (std::size_t i = 1; i < table.size(); ++i)
        {
            const int64_t end = table[i - 1].first + table[i - 1].second;
            NS_TEST_EXPECT_MSG_EQ((end <= table[i].first), true, "streams " << table[i].first);
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A command line that is parsed twice counts once, and wins over what the script sets.
 */
class DpdlCommandLineTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        DpdlHelper helper(SmallRun(CreateTempDirFilename("run.db")));
        CommandLine cmd("helper");
        helper.AddOption("fail", cmd);
        helper.AddOption("rounds", cmd);
        helper.Set("fail", "node 1 pause at 10ms for 5ms");
        const std::vector<std::string> words{"helper",
                                             "--fail=node 2 pause at 10ms for 5ms",
                                             "--fail=node 3 pause at 10ms for 5ms",
                                             "--rounds=4"};
        cmd.Parse(words);
        cmd.Parse(words);
        helper.Set("rounds", "5");
        NodeContainer nodes(5);
        helper.Install(nodes);
        NS_TEST_EXPECT_MSG_EQ(helper.Experiment().Settings().rounds, 4, "the command line wins");
        NS_TEST_EXPECT_MSG_EQ(helper.Experiment().Settings().failureEvents.size(),
                              3,
                              "each event once");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        Simulator::Destroy();
        Refuse([&] { cmd.Parse(std::vector<std::string>{"helper", "--rounds=none"}); }, "at once");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Attributes of transport and devices; two runs share nodes if their ports differ.
 */
class DpdlRunAttributesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const std::string transport : {"udp", "tcp"})
        {
            NS_TEST_EXPECT_MSG_EQ(RunTwo(transport, 4243), "", transport << ", two ports");
            const std::string refusal = RunTwo(transport, 4242);
            NS_TEST_EXPECT_MSG_NE(refusal.find("4242"), std::string::npos, refusal);
        }
        NodeContainer nodes(5);
        DpdlHelper helper(SmallRun(CreateTempDirFilename("run.db")));
        helper.Set("network", "packet");
        helper.SetDeviceAttribute("Mtu", UintegerValue(9000));
        helper.Install(nodes);
        NS_TEST_EXPECT_MSG_EQ(nodes.Get(0)->GetDevice(1)->GetMtu(), 9000, "of each device");
        Simulator::Destroy();
        DpdlHelper wrong(SmallRun(CreateTempDirFilename("run.db")));
        wrong.SetTransportAttribute("Mtu", UintegerValue(9000));
        Refuse([&] { wrong.Install(nodes); }, "no attribute of a transport");
        Refuse([&] { wrong.Install({}); }, "no nodes");
        Refuse([&] { wrong.Install({nodes, nodes}); }, "each node twice");
        Refuse([&] { wrong.SetLossModel("ns3::Node"); }, "no error model");
        Refuse([&] { wrong.SetLossModel("ns3::NoModel"); }, "an unknown type");
        DpdlHelper message(SmallRun(CreateTempDirFilename("run.db")));
        message.SetDeviceAttribute("Mtu", UintegerValue(9000));
        Refuse([&] { message.Install(nodes); }, "devices of nodes without any");
        DpdlHelper early(SmallRun(CreateTempDirFilename("run.db")));
        early.SetStartJitter(Seconds(-1));
        Refuse([&] { early.Install(nodes); }, "a negative jitter");
    }

    /// Two runs on the same nodes. @param port of the second one @return its refusal; "": none
    std::string RunTwo(const std::string& transport, uint16_t port)
    {
        NodeContainer nodes(5);
        // The first gives the nodes stacks and links, which both use.
        DpdlHelper first(SmallRun(CreateTempDirFilename("first.db")));
        DpdlHelper second(SmallRun(CreateTempDirFilename("second.db")));
        second.SetTransportAttribute("Port", UintegerValue(port));
        std::string refusal;
        for (DpdlHelper* helper : {&first, &second})
        {
            helper->Set("network", "packet");
            helper->Set("transport", transport);
            helper->Set("topology", "ring");
            helper->Install(nodes);
        }
        try
        {
            Simulator::Run();
            const bool complete = first.Finish() && second.Finish();
            NS_TEST_EXPECT_MSG_EQ(complete, true, "both");
        }
        catch (const dpdl::UsageError& error)
        {
            refusal = error.what();
        }
        Simulator::Destroy();
        return refusal;
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Jitter shifts each node's rounds, by what the run's seed says.
 */
class DpdlStartJitterTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::set<Time> starts = Starts(1);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 5, "all at different times");
        NS_TEST_EXPECT_MSG_LT(*starts.rbegin(), MilliSeconds(150), "within the longest");
        NS_TEST_EXPECT_MSG_GT(*starts.begin(), MilliSeconds(50), "after the start");
        NS_TEST_EXPECT_MSG_EQ((Starts(1) == starts), true, "repeated");
        NS_TEST_EXPECT_MSG_EQ((Starts(2) == starts), false, "another run");
    }

    /// When the nodes begin their first rounds. @param number of the run
    std::set<Time> Starts(uint32_t number)
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.seed.run = number;
        DpdlHelper helper(settings);
        helper.Set("deadline", "1s");
        helper.SetStartJitter(MilliSeconds(100));
        NodeContainer nodes(5);
        ApplicationContainer applications = helper.Install(nodes);
        applications.Start(MilliSeconds(50));
        m_starts.clear();
        for (uint32_t i = 0; i < applications.GetN(); ++i)
        {
            applications.Get(i)->TraceConnectWithoutContext(
                "RoundStart",
                MakeCallback(&DpdlStartJitterTest::Note, this));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.Finish(), true, "complete");
        Simulator::Destroy();
        return m_starts;
    }

    /// @param round that begins
    void Note(uint32_t round)
    {
        if (round == 0)
        {
            m_starts.insert(Simulator::Now());
        }
    }

    std::set<Time> m_starts; //!< of first rounds
};

/**
 * @ingroup dpdl-tests
 * @brief Start and stop times of the applications.
 */
class DpdlStartStopTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        const Outcome expected = RunInLockstep(settings);
        const Outcome later =
            RunInSimulator(settings, [this](DpdlHelper&, ApplicationContainer apps) {
                apps.Start(Seconds(3));
                Connect(apps.Get(2));
            });
        NS_TEST_EXPECT_MSG_EQ((later == expected), true, "a later start changes the clock only");
        NS_TEST_EXPECT_MSG_EQ(m_first, Seconds(3), "first round");

        for (const char* deadline : {"auto", "100ms"})
        {
            dpdl::SetOption(settings, "deadline", deadline);
            StopOne(settings, settings.deadline.kind == dpdl::Deadline::Kind::TIME);
        }
    }

    /**
     * @brief One node stops in its second round.
     * @param settings of the run
     * @param othersGoOn whether the others have a deadline
     */
    void StopOne(const dpdl::RunOptions& settings, bool othersGoOn)
    {
        const auto stop = [this](DpdlHelper&, ApplicationContainer apps) {
            apps.Get(2)->SetStopTime(MilliSeconds(120));
            Connect(apps.Get(2));
        };
        const auto inspect = [this, othersGoOn](dpdl::Experiment& experiment) {
            NS_TEST_EXPECT_MSG_LT(experiment.At(2).CurrentRound(), 6, "stopped");
            NS_TEST_EXPECT_MSG_EQ(experiment.At(0).Finished(), othersGoOn, "another node");
            NS_TEST_EXPECT_MSG_EQ_TOL(experiment.Mass().Error(), 0.0, 5e-12, "mass");
        };
        NS_TEST_EXPECT_MSG_EQ(RunInSimulator(settings, stop, inspect).complete,
                              false,
                              "the run is incomplete");
        NS_TEST_EXPECT_MSG_LT(m_last, MilliSeconds(120), "last round of the stopped node");
    }

    /// Notes when rounds start. @param application whose
    void Connect(Ptr<Application> application)
    {
        application->TraceConnectWithoutContext("RoundStart",
                                                MakeCallback(&DpdlStartStopTest::Start, this));
    }

    /// A round starts. @param round which one
    void Start(uint32_t round)
    {
        m_last = Simulator::Now();
        if (round == 0)
        {
            m_first = Simulator::Now();
        }
    }

    Time m_first; //!< start of round 0
    Time m_last;  //!< start of the last round
};

/**
 * @ingroup dpdl-tests
 * @brief Seed and run are ns-3's, unless the run has its own.
 */
class DpdlGlobalSeedTest : public dpdltest::Case
{
    using Case::Case;

    /// What tells one run from another.
    struct Told
    {
        std::string seed; //!< in the settings
        std::string run;  //!< in the settings
        double loss;      //!< at the end
    };

    Told Run(uint32_t seed, uint64_t run, const std::string& option)
    {
        RngSeedManager::SetSeed(seed);
        RngSeedManager::SetRun(run);
        const std::string trace = CreateTempDirFilename("run.db");
        DpdlHelper helper;
        for (const auto& [name, value] :
             std::vector<std::pair<std::string, std::string>>{{"model", "softmax-regression"},
                                                              {"dataset", "blobs"},
                                                              {"samples", "60"},
                                                              {"testSamples", "20"},
                                                              {"rounds", "2"},
                                                              {"accountant", "rdp"},
                                                              {"overwrite", "true"},
                                                              {"trace", trace}})
        {
            helper.Set(name, value);
        }
        if (!option.empty())
        {
            helper.Set("run", option);
        }
        NodeContainer nodes(3);
        helper.Install(nodes);
        Simulator::Run();
        helper.Finish();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetSeed(), seed, "as before");
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), run, "as before");
        const dpdl::TraceReader reader(trace);
        return {reader.Setting("seed").value_or(""),
                reader.Setting("run").value_or(""),
                reader.SummaryNumber("loss_mean").value_or(-1.0)};
    }

    void DoRun() override
    {
        const Told usual = Run(1, 1, "");
        NS_TEST_EXPECT_MSG_EQ(usual.seed + " " + usual.run, "1 1", "the defaults");
        const Told other = Run(1, 7, "");
        NS_TEST_EXPECT_MSG_EQ(other.seed + " " + other.run, "1 7", "SetRun");
        NS_TEST_EXPECT_MSG_NE(other.loss, usual.loss, "another replication");
        const Told seeded = Run(3, 7, "");
        NS_TEST_EXPECT_MSG_EQ(seeded.seed + " " + seeded.run, "3 7", "SetSeed");
        NS_TEST_EXPECT_MSG_NE(seeded.loss, other.loss, "another seed");
        const Told set = Run(1, 3, "7");
        NS_TEST_EXPECT_MSG_EQ(set.run, "7", "the option wins");
        NS_TEST_EXPECT_MSG_EQ(set.loss, other.loss, "the same replication");
        RngSeedManager::SetRun(1);
    }
};

const dpdltest::Suite g_dpdlHelperTestSuite(
    "dpdl-helper",
    {new DpdlAttributesTest("attributes and options"),
     new DpdlCommandLineTest("command lines"),
     new DpdlStartJitterTest("jitter of the start"),
     new DpdlRunAttributesTest("attributes of transport and devices, two runs"),
     new DpdlStartStopTest("start and stop"),
     new DpdlGlobalSeedTest("RngSeed and RngRun"),
     new DpdlStreamsTest("random streams of networks")});

} // namespace
