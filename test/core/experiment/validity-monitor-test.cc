// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../trace/trace-fixture.h"
#include "dpdl/base/random.h"
#include "dpdl/derive/validity-monitor.h"
#include "dpdl/experiment/completed-rounds.h"

namespace dpdl
{
namespace
{

class ValidityMonitorTest : public TraceTest
{
};

TEST_F(ValidityMonitorTest, AnEventIsOneRowForItsRoundNodeAndAssumption)
{
    TraceStore store(m_path, {});
    ValidityMonitor monitor({}, 4, store);
    for (int copy = 0; copy < 3; ++copy)
    {
        monitor.Report(Assumption::SHARES_IN_TIME, 7, 2, "one late share");
        monitor.Report(Assumption::SHARES_IN_TIME, 8, 2, "one late share");
        monitor.Report(Assumption::SHARES_ONCE, 7, 2, "a copy");
        monitor.Report(Assumption::B_STRONG_CONNECTIVITY, 7, std::nullopt, "cut");
    }
    monitor.Finish();
    store.Finish(true);
    EXPECT_EQ(Query("SELECT round || ' ' || coalesce(node, '*') || ' ' || assumption || ': ' || "
                    "detail FROM violation"),
              (std::vector<std::string>{"7 2 shares-in-time: one late share",
                                        "8 2 shares-in-time: one late share",
                                        "7 2 shares-once: a copy",
                                        "7 * b-strong-connectivity: cut"}));
    for (NodeId node = 0; node < 4; ++node)
    {
        EXPECT_EQ(monitor.ClaimVoid(node), "");
    }
}

TEST_F(ValidityMonitorTest, AClaimFallsWithWhatItRestsOnAndNothingElse)
{
    TraceStore store(m_path, {});
    ValidityMonitor monitor({Assumption::MAXIMUM_HEARD, Assumption::B_STRONG_CONNECTIVITY},
                            3,
                            store);
    monitor.Report(Assumption::SHARES_IN_TIME, 1, 0, "late");
    EXPECT_EQ(monitor.ClaimVoid(0), "");
    monitor.Report(Assumption::MAXIMUM_HEARD, 5, 1, "node 2 was not heard");
    EXPECT_NE(monitor.ClaimVoid(1).find("'maximum-heard', which failed in round 5"),
              std::string::npos);
    EXPECT_EQ(monitor.ClaimVoid(0), "");
    monitor.Report(Assumption::B_STRONG_CONNECTIVITY, 9, std::nullopt, "cut");
    EXPECT_NE(monitor.ClaimVoid(0).find("round 9"), std::string::npos);
    EXPECT_NE(monitor.ClaimVoid(2).find("round 9"), std::string::npos);
    EXPECT_NE(monitor.ClaimVoid(1).find("round 5"), std::string::npos); // the first stays
    monitor.Report(Assumption::MAXIMUM_HEARD, 9, 0, "told after what is first in its order");
    EXPECT_NE(monitor.ClaimVoid(0).find("b-strong-connectivity"), std::string::npos);
    monitor.Report(Assumption::MAXIMUM_HEARD, 4, 2, "told late"); // by another rank, say
    EXPECT_NE(monitor.ClaimVoid(2).find("round 4"), std::string::npos);
}

TEST_F(ValidityMonitorTest, AVeryLossyRunSaysHowManyRowsItLeftOut)
{
    TraceStore store(m_path, {});
    ValidityMonitor monitor({}, 2, store);
    for (Round round = 0; round < 2500; ++round)
    {
        monitor.Report(Assumption::SHARES_IN_TIME, round, 1, "late");
    }
    monitor.Report(Assumption::SHARES_ONCE, 3, 0, "a copy");
    monitor.Finish();
    store.Finish(true);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM violation"), "1002");
    EXPECT_EQ(Value("SELECT MAX(round) FROM violation WHERE detail = 'late'"), "999");
    EXPECT_EQ(Value("SELECT round || ' ' || assumption || ' ' || detail FROM violation WHERE node "
                    "IS NULL"),
              "2499 shares-in-time 1500 more like the 1000 above, up to this round, have no row");
}

TEST(CompletedRounds, FollowsTheSlowestNodeThatIsUp)
{
    CompletedRounds completed(3);
    completed.Advance(0);
    completed.Advance(0);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 0u);
    completed.SetDown(2, true);
    EXPECT_EQ(completed.Done(), 1u) << "node 2 delays no other";
    completed.SetDown(2, true);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 2u);
    completed.SetDown(2, false);
    EXPECT_EQ(completed.Done(), 2u) << "what is done stays done";
    completed.Advance(0);
    completed.Advance(1);
    EXPECT_EQ(completed.Done(), 2u) << "node 2 is waited for again";
    for (int i = 0; i < 3; ++i)
    {
        completed.Advance(2);
    }
    EXPECT_EQ(completed.Done(), 3u);
    EXPECT_EQ(completed.Of(2), 3u);
    for (const NodeId node : {0, 1, 2})
    {
        completed.SetDown(node, true);
    }
    EXPECT_EQ(completed.Done(), 3u) << "no node is left";
}

TEST(CompletedRounds, EqualsTheMinimumOverTheNodes)
{
    constexpr NodeId NODES = 7;
    CompletedRounds completed(NODES);
    std::vector<Round> done(NODES, 0);
    std::vector<bool> down(NODES, false);
    Round expected = 0;
    const RandomStream stream({1, 1}, RandomPurpose::TEST, 0, 0);
    for (std::uint64_t step = 0; step < 5000; ++step)
    {
        const NodeId node = stream.Integer(2 * step, NODES);
        if (stream.Integer(2 * step + 1, 10) == 0)
        {
            down[node] = !down[node];
            completed.SetDown(node, down[node]);
        }
        else
        {
            ++done[node];
            completed.Advance(node);
        }
        Round slowest = 0;
        bool found = false;
        for (NodeId other = 0; other < NODES; ++other)
        {
            slowest =
                down[other] ? slowest : (found ? std::min(slowest, done[other]) : done[other]);
            found = found || !down[other];
        }
        expected = found ? std::max(expected, slowest) : expected;
        ASSERT_EQ(completed.Done(), expected) << step;
    }
}

} // namespace
} // namespace dpdl
