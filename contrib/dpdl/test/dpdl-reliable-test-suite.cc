// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-network.h"
#include "dpdl-test-run.h"

#include "ns3/dpdl-reliable-transport.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using dpdltest::AllNames;
using dpdltest::Event;
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
class DpdlRepetitionTest : public TestCase
{
  public:
    DpdlRepetitionTest()
        : TestCase("each message arrives once")
    {
    }

  private:
    void DoRun() override
    {
        // The second timeout is shorter than the way there and back: copies that nobody needs.
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
            for (const Event& event : network.arrived)
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
class DpdlGivingUpTest : public TestCase
{
  public:
    DpdlGivingUpTest()
        : TestCase("costs, timeouts and giving up")
    {
    }

  private:
    void DoRun() override
    {
        // Nothing is lost, nothing is late: one answer of 52 bytes.
        Send(0.0, MilliSeconds(12), 64, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 52, "an answer");
        // The message arrives after 6 ms, and a second copy, sent after 4 ms, after 10 ms; the
        // answer to the first comes in time to save a third.
        Send(0.0, MilliSeconds(4), 64, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(m_repair, 1000 + 2 * 52, "a copy and two answers");
        // A dead link: timeouts of 12, 24 and 48 ms, and the fate is told once.
        NS_TEST_EXPECT_MSG_EQ(Send(1.0, MilliSeconds(12), 3, 0, 1), MilliSeconds(84), "dead link");
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
     * @param drops how often it should be told lost
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
 * @brief A run on lossy links equals the lossless one to the bit, and loses no mass.
 */
class DpdlReliableRunTest : public TestCase
{
  public:
    DpdlReliableRunTest()
        : TestCase("a reliable run equals a lossless one")
    {
    }

  private:
    void DoRun() override
    {
        dpdl::RunSettings settings = SmallRun(CreateTempDirFilename("run.db"));
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

/**
 * @ingroup dpdl-tests
 * @brief Tests of DpdlReliableTransport.
 */
class DpdlReliableTestSuite : public TestSuite
{
  public:
    DpdlReliableTestSuite()
        : TestSuite("dpdl-reliable", Type::UNIT)
    {
        AddTestCase(new DpdlRepetitionTest);
        AddTestCase(new DpdlGivingUpTest);
        AddTestCase(new DpdlReliableRunTest);
    }
};

DpdlReliableTestSuite g_dpdlReliableTestSuite; //!< the suite

} // namespace
