// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-network.h"
#include "dpdl/network/failure-event.h"

#include "ns3/dpdl-broadcast-transport.h"
#include "ns3/dpdl-failure-driver.h"

#include <map>

using namespace ns3;
using dpdltest::MakeTransport;
using dpdltest::Name;
using dpdltest::Network;

namespace
{

/// Rounds of messages that were lost, and when the others arrived, in microseconds.
struct Fates
{
    std::set<uint32_t> lost;              //!< rounds
    std::map<uint32_t, int64_t> arrivals; //!< by round
    std::vector<std::string> events;      //!< what began and ended, and when
};

/**
 * @brief Sends a message over one link every millisecond, a quarter of one past the full one.
 *
 * It takes one millisecond to serialise and five to travel: number k arrives during the millisecond
 * that begins at k + 5.25.
 * @param transport carries them
 * @param text events that make it fail
 * @param target from node 0 to this one
 * @return what became of the messages
 */
Fates
FatesUnder(Ptr<DpdlTransport> transport, const std::string& text, uint32_t target = 1)
{
    constexpr uint32_t MESSAGES = 50;
    Fates fates;
    Network network(transport);
    const auto state = std::make_shared<dpdl::FailureState>(dpdl::ParseFailures(text, "test", 8),
                                                            8,
                                                            dpdl::RandomSeed(),
                                                            std::vector<dpdl::LinkId>());
    Ptr<DpdlFailureDriver> driver = CreateObject<DpdlFailureDriver>();
    driver->Start(state,
                  transport,
                  {},
                  [&fates](const dpdl::FailureChange& change) {
                      fates.events.push_back(
                          dpdl::FailureEventName(change.event->kind, change.begins) + " " +
                          std::to_string(Simulator::Now().GetMicroSeconds()));
                  },
                  {});
    for (uint32_t k = 0; k < MESSAGES; ++k)
    {
        Simulator::Schedule(MicroSeconds(1000 * k + 250), [&network, k, target]() {
            network.Send({0, target, k});
        });
    }
    Simulator::Run();
    for (const Name& name : network.dropped)
    {
        fates.lost.insert(std::get<2>(name));
    }
    for (const dpdltest::Event& event : network.arrived)
    {
        fates.arrivals[std::get<2>(event.name)] = event.at.GetMicroSeconds();
    }
    driver->Dispose();
    Simulator::Destroy();
    return fates;
}

/**
 * @ingroup dpdl-tests
 * @brief Exactly those messages are lost whose bits arrive while their link is down.
 */
class DpdlLinkFailureTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::set<uint32_t> atTen{4, 5, 6, 7, 8, 9};
        ExpectLost("link 0->1 down at 10ms for 5ms", 1, atTen);
        ExpectLost("link * down at 10ms for 5ms", 1, atTen);
        ExpectLost("link 1<->0 down at 10ms for 5ms", 1, atTen);
        ExpectLost("link 1->0 down at 10ms for 5ms", 1, {});
        ExpectLost("link 0->1 down at 10300us for 100us", 1, {5});
        ExpectLost("partition {0,1} {2,3} at 10ms for 5ms", 2, atTen);
        ExpectLost("partition {0,1} {2,3} at 10ms for 5ms", 1, {});
        ExpectLost("partition {0,1} {2,3} at 10ms for 5ms", 5, {});
        ExpectLost("link 0->1 flap up=20ms down=1ms", 1, {14, 15, 35, 36});
        ExpectLost("link 0->1 loss 1 at 10ms for 5ms", 1, {10, 11, 12, 13, 14});
        ExpectLost("link 0->1 gilbert-elliott p=1 r=1 bad=1 at 10ms for 5ms", 1, {10, 12, 14});
        ExpectLost("link 0->1 delay 20ms at 10ms for 5ms\nlink 0->1 down at 31ms for 1ms",
                   1,
                   {10, 11, 25, 26});
    }

    /**
     * @brief Sends messages under a failure.
     * @param text what fails
     * @param target of the messages
     * @param lost rounds of those that are lost
     */
    void ExpectLost(const std::string& text, uint32_t target, const std::set<uint32_t>& lost)
    {
        const Fates fates = FatesUnder(MakeTransport(), text, target);
        NS_TEST_EXPECT_MSG_EQ((fates.lost == lost), true, text);
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals.size(), 50 - lost.size(), text);
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Delays and rates of failures replace a link's own while they last.
 */
class DpdlLinkChangeTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        const std::string delayed = "link 0->1 delay 20ms at 10ms for 5ms";
        Fates fates = FatesUnder(MakeTransport(), delayed);
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[9], 15250, "before");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[10], 31250, "later");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[14], 35250, "later");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[15], 21250, "after");
        fates = FatesUnder(MakeTransport(), "link 0->* rate 4Mbps at 10ms for 5ms");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[9], 15250, "before");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[10], 17250, "two milliseconds each");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[14], 25250, "and a queue");
        NS_TEST_EXPECT_MSG_EQ(fates.arrivals[15], 26250, "behind the queue");
        const std::vector<std::string> expected{"rate 10000", "rate-end 15000"};
        NS_TEST_EXPECT_MSG_EQ((fates.events == expected), true, "events");
        const auto ideal = CreateObject<DpdlIdealTransport>();
        fates = FatesUnder(ideal, "link 0->1 down at 10ms for 5ms\nlink * loss 1 at 1ms for 1ms");
        const std::set<uint32_t> lost{1, 10, 11, 12, 13, 14};
        NS_TEST_EXPECT_MSG_EQ((fates.lost == lost), true, "ideal network");
    }
};

const dpdltest::Suite g_dpdlFailureTestSuite(
    "dpdl-failure",
    {new DpdlLinkFailureTest("messages over links that fail"),
     new DpdlLinkChangeTest("delays and rates that change")});

} // namespace
