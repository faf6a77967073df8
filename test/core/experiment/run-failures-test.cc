// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/run-failures.h"
#include "dpdl/network/failure-event.h"
#include "dpdl/topology/topologies.h"
#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

using Rows = std::vector<std::string>;

/// Rows of failures of six nodes.
class RunFailuresTest : public ExperimentTest
{
  protected:
    /// What the view holds after all changes up to 100 s.
    Rows RowsOf(const std::string& text, const FailureState::PositionOf& positions = {})
    {
        TraceStore store(m_path, {true});
        FailureState state(ParseFailures(text, "test", 6), 6, {1, 1}, {{0, 1}, {4, 2}});
        state.SetPositions(positions);
        while (state.NextChange() < 100.0)
        {
            for (const FailureChange& change : state.AdvanceTo(state.NextChange()))
            {
                WriteFailure(change, store);
            }
        }
        store.Finish(true);
        return Query("SELECT time || ' ' || event || ' ' || ifnull(source, '-') || "
                     "ifnull(target, '-') || ifnull(node, '-') || ' ' || ifnull(value, '-') "
                     "FROM link_event");
    }
};

TEST_F(RunFailuresTest, RowsOfLinks)
{
    EXPECT_EQ(RowsOf("link 3->4 down at 1s for 1s"), (Rows{"1.0 down 34- -", "2.0 up 34- -"}));
    EXPECT_EQ(RowsOf("link * loss 0.25 at 1s for 1s"),
              (Rows{"1.0 loss --- 0.25", "2.0 loss-end --- 0.25"}));
    EXPECT_EQ(RowsOf("link {0,1}->* delay 2s at 1s"),
              (Rows{"1.0 delay 0-- 2.0", "1.0 delay 1-- 2.0"}));
    EXPECT_EQ(RowsOf("link {0,1}->{1,2} rate 2bps"),
              (Rows{"0.0 rate 01- 2.0", "0.0 rate 02- 2.0", "0.0 rate 12- 2.0"}));
    EXPECT_EQ(RowsOf("link 2<->* gilbert-elliott p=0.1 r=0.3 bad=1"),
              (Rows{"0.0 gilbert-elliott 2-- 0.25", "0.0 gilbert-elliott -2- 0.25"}));
    EXPECT_EQ(Query("SELECT DISTINCT sentence FROM link_event"),
              Rows{"link 2<->* gilbert-elliott p=0.1 r=0.3 bad=1"});
}

TEST_F(RunFailuresTest, RowsOfNodes)
{
    EXPECT_EQ(RowsOf("node 3 crash at 1s for 1s with state"),
              (Rows{"1.0 crash --3 1.0", "2.0 recover --3 1.0"}));
    EXPECT_EQ(RowsOf("node {1,4} slow 2x"), (Rows{"0.0 slow --1 2.0", "0.0 slow --4 2.0"}));
    EXPECT_EQ(RowsOf("node * pause"), Rows{"0.0 pause --- -"});
    EXPECT_EQ(RowsOf("partition {0} {1} for 1s"),
              (Rows{"0.0 partition --- -", "1.0 partition-end --- -"}));
    const auto line = [](NodeId node) { return Position{static_cast<double>(node), 0.0, 0.0}; };
    EXPECT_EQ(RowsOf("jam center=(0,0) radius=1 loss 0.5 for 1s", line),
              (Rows{"0.0 jam --- 0.5",
                    "0.0 jam-enter --0 0.5",
                    "0.0 jam-enter --1 0.5",
                    "1.0 jam-end --- 0.5",
                    "1.0 jam-leave --0 0.5",
                    "1.0 jam-leave --1 0.5"}));
}

TEST_F(RunFailuresTest, RowsOfLinksThatDraw)
{
    RowsOf("random link * down mean-up=1s mean-down=1s");
    EXPECT_EQ(Query("SELECT DISTINCT source || '->' || target FROM link_event ORDER BY source"),
              (Rows{"0->1", "4->2"}));
}

TEST_F(RunFailuresTest, WhatTheyMayDo)
{
    const auto outages = [](const std::string& text) {
        return OutagesOf(ParseFailures(text, "test", 6));
    };
    EXPECT_EQ(outages(""), Outages::NONE);
    EXPECT_EQ(outages("link * delay 1s\nnode 1 pause for 1s\nnode 2 slow 9x"), Outages::NONE);
    EXPECT_EQ(outages("link * loss 0.5"), Outages::PASSING);
    EXPECT_EQ(outages("link * down for 1h"), Outages::PASSING);
    EXPECT_EQ(outages("random node * crash mean-up=1s mean-down=1s"), Outages::PASSING);
    EXPECT_EQ(outages("link * loss 0.5\nlink 0->1 down"), Outages::LASTING);
    EXPECT_EQ(outages("node 1 pause"), Outages::LASTING);
    EXPECT_EQ(outages("link * loss 1"), Outages::LASTING);
}

TEST_F(RunFailuresTest, LinksThatDraw)
{
    const auto ring = MakeGraphSequence("ring", 4, {1, 1});
    const auto links = [&ring](const std::string& text) {
        return LinksThatDraw(ParseFailures(text, "test", 4), *ring).size();
    };
    EXPECT_EQ(links("link * down"), 0U);
    EXPECT_EQ(links("random link * down mean-up=1s mean-down=1s together"), 0U);
    EXPECT_EQ(links("random link * down mean-up=1s mean-down=1s"), ring->PossibleEdges()->size());
}

TEST_F(RunFailuresTest, AbsencesBehindTheEndAreNoMistake)
{
    RunOptions settings = Small();
    settings.fail = {"link 0->1 down at 9s"};
    settings.absences = {"node 1 crash with state at 9s"};
    const std::vector<FailureEvent> events = ReadFailures(settings);
    ASSERT_EQ(events.size(), 2U);
    const std::vector<std::string> warnings = WarnOfLateFailures(events, 1.0);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].rfind("--fail, line 1: 'link 0->1 down at 9s'", 0), 0U);
}

TEST_F(RunFailuresTest, MistakesLeaveNoTrace)
{
    RunOptions settings = Small();
    settings.fail = {"link 0->1 down", "link 0->9 down"};
    EXPECT_EQ(ErrorOf(settings).rfind("--fail, line 2: '9' is not accepted", 0), 0U);
    settings.fail = {"region center=(0,0) radius=1 down"};
    EXPECT_NE(ErrorOf(settings).find("needs the positions"), std::string::npos);
    EXPECT_FALSE(std::ifstream(m_path).good());
}

} // namespace
} // namespace dpdl
