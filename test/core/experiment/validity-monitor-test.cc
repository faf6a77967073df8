// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../trace/trace-fixture.h"
#include "dpdl/experiment/validity-monitor.h"

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

} // namespace
} // namespace dpdl
