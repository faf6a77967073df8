// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-run.h"
#include "dpdl/algorithm/algorithms.h"

#include "ns3/packet.h"

#include <algorithm>

using namespace ns3;
using dpdltest::Outcome;
using dpdltest::RunInLockstep;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief A network that loses nothing changes no bit, however slow: every algorithm, both networks.
 */
class DpdlEqualsLockstepTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string graph =
            dpdltest::UnbalancedGraph(CreateTempDirFilename("unbalanced.txt"));
        for (const dpdl::PartInfo& info : dpdl::Algorithms().List())
        {
            if (dpdl::MakeAlgorithm(info.name).exchange == dpdl::Exchange::EXAMPLES)
            {
                continue; // one node
            }
            for (const std::string& topology : {std::string("exponential"), graph})
            {
                const bool isFit =
                    topology == "exponential" || !dpdl::MakeAlgorithm(info.name).doublyStochastic;
                if (isFit)
                {
                    Compare(info.name, topology);
                }
            }
        }
    }

    /**
     * @brief Whether two runs end alike.
     * @param isOrdered false: a node may be ahead of others, so that what all have spent in a round
     *        depends on when the last of them ends it
     */
    static bool AreEqual(Outcome a, Outcome b, bool isOrdered)
    {
        for (Outcome* outcome : {&a, &b})
        {
            for (auto& round : outcome->rounds)
            {
                std::get<1>(round) = isOrdered ? std::get<1>(round) : 0.0;
            }
            if (!isOrdered)
            {
                std::sort(outcome->releases.begin(), outcome->releases.end());
            }
        }
        return a == b;
    }

    /**
     * @brief Runs three ways.
     * @param algorithm what learns
     * @param topology on which graph
     */
    void Compare(const std::string& algorithm, const std::string& topology)
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.algorithm = algorithm;
        settings.topology = topology;
        const Outcome expected = RunInLockstep(settings);
        NS_TEST_ASSERT_MSG_EQ(expected.complete, true, "complete");
        NS_TEST_ASSERT_MSG_EQ(expected.rounds.size(), 6, "rounds");
        const dpdl::AlgorithmPreset preset = dpdl::MakeAlgorithm(algorithm);
        std::size_t steps = 0;
        for (dpdl::Round round = 0; round < 6; ++round)
        {
            steps += dpdl::ShapeOf(preset, round, 6).learns ? 1 : 0;
        }
        NS_TEST_ASSERT_MSG_EQ(expected.releases.size(),
                              5 * steps * preset.step->Iterations(),
                              "releases");
        const std::string what = algorithm + " on " + topology;

        // A server, or a node that no other is drawn to send to, waits for none.
        const bool isOrdered = preset.exchange != dpdl::Exchange::SERVER && !preset.topology;

        if (topology == "exponential")
        {
            settings.dataRate = 1e18; // no time at all, in nanoseconds
            settings.delay = 0.0;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected),
                                  true,
                                  what << ", instant");
            settings.compute = dpdl::StepTime{};
            settings.compute->seconds = 0.0;
            NS_TEST_EXPECT_MSG_EQ(AreEqual(RunInSimulator(settings), expected, isOrdered),
                                  true,
                                  what << ", no time");
        }
        settings.compute = dpdl::StepTime{};
        settings.compute->seconds = 0.01;
        settings.dataRate = 1e6;
        settings.delay = 0.3;
        NS_TEST_EXPECT_MSG_EQ(AreEqual(RunInSimulator(settings), expected, isOrdered),
                              true,
                              what << ", slow");
        if (topology != "exponential")
        {
            return; // the other times and networks on one graph
        }
        settings.network = dpdl::NetworkKind::IDEAL;
        NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, what << ", ideal");
        if (preset.chunks == 0 && !preset.tracks && !preset.sendsDifferences)
        {
            CompareChunks(settings, expected, isOrdered, what);
        }
    }

    /**
     * @brief Sends the models in chunks.
     * @param settings of the run on the ideal network
     * @param expected what it left
     * @param isOrdered see AreEqual()
     * @param what names the run
     */
    void CompareChunks(dpdl::RunOptions settings,
                       const Outcome& expected,
                       bool isOrdered,
                       const std::string& what)
    {
        settings.chunkBytes = 6000; // six chunks
        const Outcome cut = RunInLockstep(settings);
        NS_TEST_EXPECT_MSG_EQ((cut.states == expected.states), true, what << ", chunks");
        NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == cut), true, what << ", ideal chunks");
        settings.network = dpdl::NetworkKind::MESSAGE;
        NS_TEST_EXPECT_MSG_EQ(AreEqual(RunInSimulator(settings), cut, isOrdered),
                              true,
                              what << ", sent in chunks");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Where a part of the model travels, as bytes or not, the rest of a vector that was read is
 * of no node.
 */
class DpdlSharedPartTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.model = "cnn-s";
        settings.sharedLayers = 1;
        settings.evaluateEvery = 0;
        settings.topology = dpdltest::UnbalancedGraph(CreateTempDirFilename("unbalanced.txt"));
        for (const std::size_t chunk : {0, 400})
        {
            settings.chunkBytes = chunk;
            settings.payloadBytes = false;
            settings.network = dpdl::NetworkKind::MESSAGE;
            const Outcome expected = RunInLockstep(settings);
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, "handles");
            settings.payloadBytes = true;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, "bytes");
            settings.network = dpdl::NetworkKind::PACKET;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, "packets");
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Sensitivities are messages: they arrive late, get lost, and are sent again; and a node
 * that has not heard them all says so.
 */
class DpdlSensitivityTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.algorithm = "dpps";
        settings.hyper = "measureEvery=2";
        settings.mode = dpdl::Mode::PAPER;
        settings.evaluateEvery = 0;
        const Outcome expected = RunInLockstep(settings);
        for (const auto network : {dpdl::NetworkKind::MESSAGE, dpdl::NetworkKind::PACKET})
        {
            settings.network = network;
            settings.payloadBytes = network == dpdl::NetworkKind::PACKET;
            NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == expected), true, "lossless");
        }
        settings.network = dpdl::NetworkKind::MESSAGE;
        settings.payloadBytes = false;
        settings.hyper = "oracle=1";
        NS_TEST_EXPECT_MSG_EQ((RunInSimulator(settings) == RunInLockstep(settings)),
                              true,
                              "oracle");
        settings.hyper = "";
        settings.drop = 0.2;
        Run(settings, true);
        settings.schedule = dpdl::Schedule::ASYNCHRONOUS;
        Run(settings, true);
        settings.schedule = dpdl::Schedule::SYNCHRONOUS;
        settings.lossPolicy = dpdl::LossPolicy::RELIABLE;
        Run(settings, false);
        settings.drop = 0.0;
        settings.lossPolicy = dpdl::LossPolicy::NONE;
        for (const char* const state : {"with", "without"})
        {
            settings.fail = {std::string("node 2 crash ") + state + " state at 30ms for 400ms"};
            Run(settings, true);
        }
    }

    /**
     * @brief Runs to the end, and looks at the claim.
     * @param settings of the run
     * @param isVoid whether a maximum was not heard by all
     */
    void Run(const dpdl::RunOptions& settings, bool isVoid)
    {
        bool found = false;
        const auto look = [&found, &settings](dpdl::Experiment& experiment) {
            for (uint32_t node = 0; node < settings.nodes; ++node)
            {
                const std::string& reason = experiment.Recorder().Validity().ClaimVoid(node);
                found = found || reason.find("'maximum-heard'") != std::string::npos;
            }
        };
        NS_TEST_EXPECT_MSG_EQ(RunInSimulator(settings, {}, look).complete, true, "complete");
        NS_TEST_EXPECT_MSG_EQ(found, isVoid, "a maximum was not heard");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Rounds take the time that links and local steps take, and the trace sources report it.
 */
class DpdlRoundTimeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Judge("dyn-d2p", false);
        Judge("overlap-sgp", true);
    }

    /// @param algorithm learns @param overlaps messages travel while nodes compute
    void Judge(const std::string& algorithm, bool overlaps)
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.topology = "complete";
        settings.algorithm = algorithm;
        uint64_t bytes = 0; // of a message
        Time round;         // without losses
        uint32_t starts = 0;
        uint32_t ends = 0;
        uint32_t sent = 0;
        uint32_t received = 0;
        const auto start = [&](uint32_t number) {
            ++starts;
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), round * int64_t{number}, "start");
        };
        const auto end = [&](uint32_t number, double weight) {
            ++ends;
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), round * (int64_t{number} + 1), "end");
            NS_TEST_EXPECT_MSG_EQ_TOL(weight, 1.0, 1e-14, "weight on a balanced graph");
        };
        const auto count = [&](uint32_t& packets) {
            return Callback<void, Ptr<const Packet>>([&](Ptr<const Packet> packet) {
                ++packets;
                NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), bytes, "size");
            });
        };
        RunInSimulator(settings, [&](DpdlHelper& helper, ApplicationContainer apps) {
            bytes = helper.Experiment().LinkBytes();
            round = Seconds(helper.Experiment().LosslessRoundSeconds());
            const dpdl::ResolvedRun& run = helper.Experiment().Settings();
            const double step = run.compute.seconds;
            const double travel = 8.0 * bytes / run.link->dataRate + run.link->delay;
            NS_TEST_EXPECT_MSG_EQ_TOL(round.GetSeconds(),
                                      (overlaps ? std::max(step, travel) : step + travel),
                                      1e-9,
                                      "time of a round");
            for (uint32_t i = 0; i < apps.GetN(); ++i)
            {
                const Ptr<Application> one = apps.Get(i);
                one->TraceConnectWithoutContext("RoundStart", Callback<void, uint32_t>(start));
                one->TraceConnectWithoutContext("RoundEnd", Callback<void, uint32_t, double>(end));
                one->TraceConnectWithoutContext("Tx", count(sent));
                one->TraceConnectWithoutContext("Rx", count(received));
            }
        });
        NS_TEST_EXPECT_MSG_EQ(starts, 5 * 6, "rounds that start");
        NS_TEST_EXPECT_MSG_EQ(ends, 5 * 6, "rounds that end");
        NS_TEST_EXPECT_MSG_EQ(sent, 5 * 4 * 6, "packets sent");
        NS_TEST_EXPECT_MSG_EQ(received, 5 * 4 * 6, "packets received");
    }
};

const dpdltest::Suite g_dpdlApplicationTestSuite(
    "dpdl-application",
    {new DpdlEqualsLockstepTest("a lossless run equals the one without a simulator"),
     new DpdlSharedPartTest("a shared part equals the run without a simulator"),
     new DpdlSensitivityTest("nodes announce their sensitivities over the network"),
     new DpdlRoundTimeTest("rounds, packets and their times")});

} // namespace
