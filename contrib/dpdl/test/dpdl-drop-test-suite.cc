// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-test-case.h"
#include "dpdl-test-network.h"

#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace ns3;
using dpdltest::AllNames;
using dpdltest::MakeTransport;
using dpdltest::Name;
using dpdltest::Network;

namespace
{

/// What a transport drops of the names. @param transport carries them @param names in this order
std::set<Name>
Drops(Ptr<DpdlMessageTransport> transport, const std::vector<Name>& names)
{
    Network network(transport);
    for (const Name& name : names)
    {
        network.Send(name);
    }
    Simulator::Run();
    Simulator::Destroy();
    return network.dropped;
}

/**
 * @ingroup dpdl-tests
 * @brief As many messages are dropped as the probability says, on every link and in every round.
 */
class DpdlTransportDropRateTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        constexpr uint32_t ROUNDS = 500;
        const std::vector<Name> names = AllNames(ROUNDS);
        for (const double p : {0.02, 0.3, 0.9})
        {
            const std::set<Name> dropped = Drops(MakeTransport(p), names);
            Check(p, dropped.size(), names.size());
            std::map<std::pair<uint32_t, uint32_t>, std::size_t> byLink;
            std::size_t twice = 0;
            for (const auto& [source, target, round] : dropped)
            {
                ++byLink[{source, target}];
                twice += dropped.count({source, target, round + 1});
            }
            for (const auto& entry : byLink)
            {
                Check(p, entry.second, ROUNDS);
            }
            Check(p * p, twice, 56 * (ROUNDS - 1)); // rounds are independent
        }
        NS_TEST_EXPECT_MSG_EQ(Drops(MakeTransport(0.0), names).size(), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(Drops(MakeTransport(1.0), names).size(), names.size(), "all");
    }

    /**
     * @brief Five standard deviations; the pairs of rounds overlap, which widens theirs.
     * @param p probability
     * @param count how many
     * @param trials of how many
     */
    void Check(double p, std::size_t count, std::size_t trials)
    {
        const double sigma = std::sqrt(3.0 * p * (1.0 - p) * static_cast<double>(trials));
        const double expected = p * static_cast<double>(trials);
        const double deviation = std::abs(static_cast<double>(count) - expected);
        NS_TEST_EXPECT_MSG_LT(deviation, 5.0 * sigma, count << " of " << trials << " at " << p);
    }
};

/**
 * @ingroup dpdl-tests
 * @brief Drops follow from stream, source, target and round, and from nothing else.
 */
class DpdlTransportStreamTest : public dpdltest::Case
{
    using Case::Case;

    void DoRun() override
    {
        std::vector<Name> names = AllNames(40);
        const std::set<Name> first = Drops(MakeTransport(0.3, 7), names);
        NS_TEST_EXPECT_MSG_EQ((Drops(MakeTransport(0.3, 7), names) == first), true, "repeated");
        std::reverse(names.begin(), names.end());
        NS_TEST_EXPECT_MSG_EQ((Drops(MakeTransport(0.3, 7), names) == first), true, "reversed");
        NS_TEST_EXPECT_MSG_EQ((Drops(MakeTransport(0.3, 8), names) == first), false, "stream 8");

        const std::set<Name> more = Drops(MakeTransport(0.5, 7), names);
        NS_TEST_EXPECT_MSG_EQ(std::includes(more.begin(), more.end(), first.begin(), first.end()),
                              true,
                              "a worse network loses what a better one loses");

        CheckAssignAgain(names);
        RngSeedManager::SetRun(2);
        NS_TEST_EXPECT_MSG_EQ((Drops(MakeTransport(0.3, 7), AllNames(40)) == first),
                              false,
                              "run 2");
        RngSeedManager::SetRun(1);
        NS_TEST_EXPECT_MSG_EQ((Drops(MakeTransport(0.3, 7), AllNames(40)) == first), true, "run 1");
    }

    /// AssignStreams also works after messages were sent. @param names of messages
    void CheckAssignAgain(const std::vector<Name>& names)
    {
        const std::set<Name> fresh = Drops(MakeTransport(0.3, 9), names);
        Ptr<DpdlMessageTransport> transport = MakeTransport(0.3, 7);
        Network network(transport);
        for (const Name& name : names)
        {
            network.Send(name);
        }
        network.dropped.clear();
        NS_TEST_EXPECT_MSG_EQ(transport->AssignStreams(9), 1, "streams used");
        for (const Name& name : names)
        {
            network.Send(name);
        }
        NS_TEST_EXPECT_MSG_EQ((network.dropped == fresh), true, "assigned again");
        Simulator::Run();
        Simulator::Destroy();
    }
};

const dpdltest::Suite g_dpdlDropTestSuite("dpdl-drop",
                                          {new DpdlTransportDropRateTest("drop probability"),
                                           new DpdlTransportStreamTest("drops and streams")});

} // namespace
