// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-network.h"

#include "ns3/dpdl-broadcast-transport.h"
#include "ns3/string.h"

#include <utility>

using namespace ns3;
using dpdltest::AllNames;
using dpdltest::MakeTransport;
using dpdltest::Name;
using dpdltest::Network;

namespace
{

/**
 * @ingroup dpdl-tests
 * @brief A message takes its serialisation and the latency, waits for those before it on its link,
 * and for no others.
 */
class DpdlTransportTimeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Network network(MakeTransport());
        network.Send({0, 1, 0});
        network.Send({0, 1, 1}); // waits for the first
        network.Send({1, 0, 0}); // the other direction
        network.Send({0, 2, 0}); // another link of the same sender
        Simulator::Schedule(MilliSeconds(10), [&network]() { network.Send({0, 1, 2}); });
        Simulator::Schedule(MicroSeconds(10500), [&network]() { network.Send({0, 1, 3}); });
        Simulator::Run();
        const std::vector<std::pair<Name, Time>> expected{{{0, 1, 0}, MilliSeconds(6)},
                                                          {{1, 0, 0}, MilliSeconds(6)},
                                                          {{0, 2, 0}, MilliSeconds(6)},
                                                          {{0, 1, 1}, MilliSeconds(7)},
                                                          {{0, 1, 2}, MilliSeconds(16)},
                                                          {{0, 1, 3}, MilliSeconds(17)}};
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), expected.size(), "all arrive");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            const dpdltest::Event& event = network.arrived[i];
            NS_TEST_EXPECT_MSG_EQ((event.name == expected[i].first), true, "order, message " << i);
            NS_TEST_EXPECT_MSG_EQ(event.at, expected[i].second, "time of message " << i);
            NS_TEST_EXPECT_MSG_EQ(event.context, 100 + std::get<1>(event.name), "context");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What the link drops has occupied it nevertheless.
 */
class DpdlTransportDroppedOccupiesTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlMessageTransport> transport = MakeTransport(1.0);
        Network network(transport);
        network.Send({0, 1, 0});
        transport->SetAttribute("DropProbability", DoubleValue(0.0));
        network.Send({0, 1, 1});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 1, "dropped");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[0].at, MilliSeconds(7), "behind the dropped one");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief What a shared link has not begun to send is lost when its sender sends the next round.
 */
class DpdlTransportEmptiedQueueTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlMessageTransport> transport = MakeTransport();
        transport->SetAttribute("Sharing", StringValue("uplink"));
        transport->EmptyQueues();
        Network network(transport);
        for (uint32_t target = 1; target < 5; ++target)
        {
            network.Send({0, target, 0});
            network.Send({5, target, 0}); // another sender, which sends no next round
        }
        Simulator::Schedule(MicroSeconds(1500), [&network]() { network.Send({0, 1, 1}); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 2, "two had begun");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 7, "fates of nine");
        for (const dpdltest::Event& event : network.arrived)
        {
            if (std::get<2>(event.name) == 1)
            {
                NS_TEST_EXPECT_MSG_EQ(event.at, MilliSeconds(8), "behind the one that had begun");
            }
        }
        for (const Name& name : network.dropped)
        {
            NS_TEST_EXPECT_MSG_EQ(std::get<0>(name), 0, "sender");
            NS_TEST_EXPECT_MSG_EQ(std::get<2>(name), 0, "round");
        }
        Simulator::Destroy();
    }
};

/**
 * @ingroup dpdl-tests
 * @brief The ideal network takes no time and loses nothing, and delivers behind the current event.
 */
class DpdlIdealTransportTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        Ptr<DpdlIdealTransport> transport = CreateObject<DpdlIdealTransport>();
        NS_TEST_EXPECT_MSG_EQ(transport->AssignStreams(3), 0, "needs no stream");
        Network network(transport);
        const std::vector<Name> names = AllNames(3);
        Simulator::Schedule(Seconds(1), [&network, &names]() {
            for (const Name& name : names)
            {
                network.Send(name);
            }
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), names.size(), "all arrive");
        NS_TEST_EXPECT_MSG_EQ(network.dropped.size(), 0, "none lost");
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((network.arrived[i].name == names[i]), true, "in order");
            NS_TEST_EXPECT_MSG_EQ(network.arrived[i].at, Seconds(1), "at once");
        }
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_dpdlTransportTestSuite(
    "dpdl-transport",
    {new DpdlTransportTimeTest("serialisation, queue, latency"),
     new DpdlTransportDroppedOccupiesTest("a dropped message occupies its link"),
     new DpdlTransportEmptiedQueueTest("a queue is emptied"),
     new DpdlIdealTransportTest("ideal network")});

} // namespace
