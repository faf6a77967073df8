// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-network.h"
#include "dpdl-test-run.h"

#include "ns3/dpdl-reliable-transport.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;
using dpdltest::AllNames;
using dpdltest::MakeTransport;
using dpdltest::Name;
using dpdltest::Network;
using dpdltest::Outcome;
using dpdltest::RunInSimulator;
using dpdltest::SmallRun;

namespace
{

/**
 * @brief A message transport that repeats what is lost; a message takes 6 ms, its answer 5.052 ms.
 * @param drop probability that a packet is dropped, acknowledgements included
 * @param timeout of a first copy
 * @param attempts copies of a message
 * @return the transport
 */
Ptr<DpdlReliableTransport>
MakeReliable(double drop, Time timeout, uint32_t attempts = 64)
{
    Ptr<DpdlReliableTransport> transport = CreateObject<DpdlReliableTransport>();
    transport->SetTransport(MakeTransport(drop));
    transport->SetAttribute("Timeout", TimeValue(timeout));
    transport->SetAttribute("MaxAttempts", UintegerValue(attempts));
    return transport;
}

/**
 * @ingroup dpdl-tests
 * @brief Each message arrives once, however many of its copies and answers are lost.
 */
class DpdlRepetitionTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // The second timeout is shorter than the way there and back: copies that are not needed.
        for (const auto& [drop, timeout] : {std::pair{0.5, MilliSeconds(20)},
                                            {0.5, MilliSeconds(3)},
                                            {0.0, MilliSeconds(3)},
                                            {0.0, MilliSeconds(20)}})
        {
            const Ptr<DpdlReliableTransport> transport = MakeReliable(drop, timeout);
            Network network(transport);
            const std::vector<Name> names = AllNames(10);
            for (const Name& name : names)
            {
                network.Send(name);
            }
            Simulator::Run();
            std::map<Name, uint32_t> copies;
            for (const dpdltest::Event& event : network.arrived)
            {
                ++copies[event.name];
                NS_TEST_EXPECT_MSG_EQ(event.context, 100 + std::get<1>(event.name), "context");
            }
            NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), names.size(), "once each");
            NS_TEST_EXPECT_MSG_EQ(copies.size(), names.size(), "all of them");
            NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 0, "none lost");
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What acknowledgements and repetitions cost, and when a message is given up.
 */
class DpdlGivingUpTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        // Nothing is lost, nothing is late: one answer of 52 bytes.
        Send(0.0, MilliSeconds(12), 64, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 52, "an answer");
        // Copies leave after 0, 4 and 8 ms and are all answered; the answer to the first comes
        // after 11.052 ms, in time to save a fourth.
        Send(0.0, MilliSeconds(4), 64, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 2000 + 3 * 52, "two copies and three answers");
        // A dead link: three timeouts of 12 ms, and the fate is reported once.
        NS_TEST_EXPECT_MSG_EQ(Send(1.0, MilliSeconds(12), 3, 0, 1), MilliSeconds(36), "dead link");
        NS_TEST_EXPECT_MSG_EQ(m_repair, 2000, "two copies");
        // Given up while it is on its way: it counts as lost, and what arrives is thrown away.
        Send(0.0, MilliSeconds(4), 1, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 0, "no answer to what is thrown away");
        // Delivered, but given up before the answer is there: it is not lost.
        Send(0.0, MilliSeconds(8), 1, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 52, "an answer that comes too late");
    }

    /**
     * @brief Sends one message.
     * @param drop probability that a packet is dropped
     * @param timeout of the first copy
     * @param attempts copies
     * @param arrivals how often it should arrive
     * @param drops how often it should be reported lost
     * @return when all was over
     */
    Time Send(double drop, Time timeout, uint32_t attempts, size_t arrivals, size_t drops)
    {
        const Ptr<DpdlReliableTransport> transport = MakeReliable(drop, timeout, attempts);
        Network network(transport);
        network.Send({0, 1, 0});
        Simulator::Run();
        const Time end = Simulator::Now();
        m_repair = transport->RepairBytes();
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), arrivals, "arrivals");
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), drops, "losses");
        Simulator::Destroy();
        return end;
    }

    uint64_t m_repair{0}; //!< bytes of acknowledgements and repetitions
};

/**
 * @ingroup dpdl-tests
 * @brief How many copies random loss takes, and how long: by formula.
 */
class DpdlRepetitionLawTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        for (const double drop : {0.3, 0.5})
        {
            const Ptr<DpdlReliableTransport> transport = MakeReliable(drop, Time(0));
            transport->SetTransferTime(MilliSeconds(6));
            Network network(transport);
            const std::vector<Name> names = AllNames(72);
            for (const Name& name : names)
            {
                Simulator::Schedule(Seconds(10 * std::get<2>(name)),
                                    [&network, name] { network.Send(name); });
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), names.size(), "all arrive");
            Check(drop, transport->RepairBytes(), network.arrived);
            Simulator::Destroy();
        }
    }

    /**
     * @brief Compares what happened with what chance makes of it.
     * @param drop probability of every packet's loss
     * @param repair bytes of repetitions and acknowledgements
     * @param arrived messages
     */
    void Check(double drop, uint64_t repair, const std::vector<dpdltest::Event>& arrived)
    {
        // A copy ends the exchange if both it and its answer arrive: copies are geometric.
        const auto count = static_cast<double>(arrived.size());
        const double success = (1 - drop) * (1 - drop);
        const double copies =
            (static_cast<double>(repair) + 1000 * count) / (1000 + 52 * (1 - drop)) / count;
        const double error = std::sqrt((1 - success) / count) / success;
        NS_TEST_EXPECT_MSG_EQ_TOL(copies, 1 / success, 4 * error, "copies of a message");
        // It arrives with its first copy that does. Timeouts lie between one and a half times the
        // 11 ms there and back, and three times the 6 ms there.
        double sum = 0.0;
        double longest = 0.0;
        for (const dpdltest::Event& event : arrived)
        {
            const double taken = event.at.GetSeconds() - 10 * std::get<2>(event.name);
            sum += taken;
            longest = std::max(longest, taken);
        }
        const double repeats = drop / (1 - drop);
        const double spread = 4 * std::sqrt(repeats / (1 - drop) / count);
        NS_TEST_EXPECT_MSG_GT(sum / count, 0.006 + 0.0165 * (repeats - spread), "mean time");
        NS_TEST_EXPECT_MSG_LT(sum / count, 0.006 + 0.034 * (repeats + spread), "mean time");
        // No message of so many takes more repetitions, but with probability 1e-6.
        const double most = std::log(count * 1e6) / std::log(1 / drop);
        NS_TEST_EXPECT_MSG_LT(longest, 0.006 + 0.034 * most, "longest time");
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Timeouts of links that are slower than thought, and of links that are down for long.
 */
class DpdlTimeoutTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        LearnFromSlowLink(Time(0), 2);
        // Thought to take 1 ms: 32 repetitions until 96 ms, then 9 until 3.2 s, at twice the
        // distance each; the next would come after 6.2 s.
        LearnFromSlowLink(MilliSeconds(1), 41);
        SurviveOutage();
    }

    /**
     * @brief Only the first message of a link is sent too often.
     * @param transfer time that is reported; 0: none
     * @param repeats of the first message
     */
    void LearnFromSlowLink(Time transfer, uint32_t repeats)
    {
        const Ptr<DpdlMessageTransport> slow = MakeTransport();
        slow->SetAttribute("Delay", TimeValue(Seconds(3)));
        const Ptr<DpdlReliableTransport> transport = CreateObject<DpdlReliableTransport>();
        transport->SetTransport(slow);
        if (!transfer.IsZero())
        {
            transport->SetTransferTime(transfer);
        }
        Network network(transport);
        network.Send({0, 1, 0});
        Simulator::Run();
        const uint64_t first = transport->RepairBytes();
        NS_TEST_EXPECT_MSG_EQ(first, repeats * 1000 + (repeats + 1) * 52, "first message");
        network.Send({0, 1, 1});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(transport->RepairBytes() - first, 52, "second message");
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 2, "both arrive");
        Simulator::Destroy();
    }

    /// A link that is down for 200 s takes no more than MaxTimeout longer.
    void SurviveOutage()
    {
        const Ptr<DpdlMessageTransport> link = MakeTransport(1.0);
        const Ptr<DpdlReliableTransport> transport = CreateObject<DpdlReliableTransport>();
        transport->SetTransport(link);
        transport->SetTransferTime(MilliSeconds(6));
        Network network(transport);
        network.Send({0, 1, 0});
        Simulator::Schedule(Seconds(200),
                            [&link] { link->SetAttribute("DropProbability", DoubleValue(0.0)); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrives");
        NS_TEST_EXPECT_MSG_LT(network.arrived[0].at, Seconds(211), "in time");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief A run on lossy links equals the lossless one bit for bit, and loses no mass.
 */
class DpdlReliableRunTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        dpdl::RunOptions settings = SmallRun(CreateTempDirFilename("run.db"));
        settings.topology = dpdltest::UnbalancedGraph(CreateTempDirFilename("unbalanced.txt"));
        settings.stepScale = dpdl::StepScale::BY_WEIGHT;
        const Outcome expected = RunInSimulator(settings);
        settings.lossPolicy = dpdl::LossPolicy::RELIABLE;
        for (const double drop : {0.0, 0.4})
        {
            settings.drop = drop;
            const auto inspect = [this](dpdl::Experiment& experiment) {
                NS_TEST_EXPECT_MSG_EQ(experiment.Mass().Lost(), 0.0, "lost mass");
            };
            Compare(RunInSimulator(settings, {}, inspect), expected, "message");
        }
        settings.network = dpdl::NetworkKind::IDEAL;
        Compare(RunInSimulator(settings), expected, "ideal");
    }

    /**
     * @brief Compares what does not depend on which node is ahead of which.
     * @param found what a run left
     * @param expected what it should leave
     * @param what of which network
     */
    void Compare(const Outcome& found, const Outcome& expected, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(found.complete, true, what << ", complete");
        NS_TEST_EXPECT_MSG_EQ((found.states == expected.states), true, what << ", states");
        NS_TEST_EXPECT_MSG_EQ((found.weights == expected.weights), true, what << ", weights");
        NS_TEST_EXPECT_MSG_EQ((found.releases == expected.releases), true, what << ", releases");
    }
};

const dpdltest::Suite g_dpdlReliableTestSuite(
    "dpdl-reliable",
    {new DpdlRepetitionTest("each message arrives once"),
     new DpdlGivingUpTest("costs, timeouts and giving up"),
     new DpdlRepetitionLawTest("copies and times under random loss"),
     new DpdlTimeoutTest("timeouts follow the link"),
     new DpdlReliableRunTest("a reliable run equals a lossless one")});

} // namespace
