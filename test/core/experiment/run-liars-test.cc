// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

/// Runs in which nodes lie.
class RunLiarsTest : public ExperimentTest
{
  protected:
    RunOptions Lying(const std::string& lie) const
    {
        RunOptions settings = Small();
        settings.topology = "complete";
        settings.snapshotEvery = 1;
        settings.fail = {"node {3} lies " + lie};
        return settings;
    }

    std::vector<std::string> Certificate() const
    {
        std::vector<std::string> rows =
            Bits("SELECT node, round, mechanism, rate, sensitivity, noise, flags FROM release "
                 "ORDER BY node, round");
        for (const std::string& row :
             Bits("SELECT node, certified, claimed, reason, claim_reason FROM guarantee_by_node"))
        {
            rows.push_back(row);
        }
        return rows;
    }
};

TEST_F(RunLiarsTest, NeitherLiesNorRulesChangeWhatIsCertified)
{
    RunOptions settings = Small();
    settings.topology = "complete";
    Run(settings);
    const std::vector<std::string> honest = Certificate();
    const std::vector<std::string> states = Bits("SELECT round, node, z FROM snapshot");
    for (const char* lie : {"sign-flip", "label-flip", "noise scale=1", "stale", "zero"})
    {
        for (const char* mix : {"average", "trimmed:1", "clipped:0.5"})
        {
            settings.fail = {std::string("node 3 lies ") + lie};
            settings.mix = mix;
            Run(settings);
            EXPECT_EQ(Certificate(), honest) << lie << " " << mix;
            EXPECT_NE(Bits("SELECT round, node, z FROM snapshot"), states) << lie << " " << mix;
        }
    }
}

TEST_F(RunLiarsTest, TrimmingNothingIsAveragingBitForBit)
{
    RunOptions settings = Lying("sign-flip");
    Run(settings);
    const auto states = Bits("SELECT round, node, w, z FROM snapshot ORDER BY round, node");
    settings.mix = "trimmed:0";
    Run(settings);
    EXPECT_EQ(Bits("SELECT round, node, w, z FROM snapshot ORDER BY round, node"), states);
    settings.mix = "clipped:1e9";
    Run(settings);
    EXPECT_EQ(Bits("SELECT round, node, w, z FROM snapshot ORDER BY round, node"), states);
}

TEST_F(RunLiarsTest, AccuracyIsAMeanOverHonestNodes)
{
    Run(Lying("zero"));
    EXPECT_EQ(Query("SELECT count(*) FROM accuracy_by_node WHERE round = 6"),
              std::vector<std::string>{"5"});
    EXPECT_EQ(Query("SELECT abs(accuracy_mean - (SELECT avg(accuracy) FROM accuracy_by_node AS a "
                    "WHERE a.round = r.round AND node <> 3)) < 1e-12 FROM accuracy_by_round AS r "
                    "WHERE round = 6"),
              std::vector<std::string>{"1"});
    EXPECT_EQ(Query("SELECT value FROM settings WHERE name = 'liars'"),
              std::vector<std::string>{"3"});
}

TEST_F(RunLiarsTest, LiesAreViolationsWhileTheyLastAndTheirMassIsKnown)
{
    RunOptions settings = Lying("sign-flip");
    settings.fail = {"node 3 lies sign-flip from 15ms for 20ms"}; // rounds of 10 ms: 2 and 3
    Run(settings);
    EXPECT_EQ(
        Query("SELECT round || ' ' || node || ' ' || detail FROM violation WHERE assumption = "
              "'nodes-honest' ORDER BY round"),
        (std::vector<std::string>{"2 3 lies sign-flip", "3 3 lies sign-flip"}));
    // Four fifths of w = 1 go to others, twice.
    EXPECT_EQ(Query("SELECT abs(value - 1.6) < 1e-12 FROM summary WHERE name = 'mass_lied'"),
              std::vector<std::string>{"1"});
    EXPECT_EQ(Query("SELECT event || ' ' || node FROM link_event ORDER BY time"),
              (std::vector<std::string>{"lie 3", "lie-end 3"}));
}

TEST_F(RunLiarsTest, WhatDoesNotGoTogetherIsRefused)
{
    RunOptions settings = Small();
    settings.topology = "complete";
    settings.mix = "trimmed:2";
    EXPECT_EQ(
        ErrorOf(settings),
        "option 'mix': 'trimmed:2' is not accepted; expected trimmed:F with F up to 1 on "
        "topology 'complete': node 0 has in-degree 4 in round 0, and 2 F shares are left out");
    settings.topology = "ring";
    settings.mix = "trimmed:1";
    EXPECT_EQ(ErrorOf(settings),
              "option 'mix': 'trimmed:1' is not accepted; expected average or clipped:TAU on "
              "topology 'ring': node 0 has in-degree 1 in round 0, and 2 F shares are left out");
    settings.mix = "clipped:1";
    EXPECT_EQ(ErrorOf(settings), "accepted");
    settings.compress = "quantize:8";
    EXPECT_EQ(ErrorOf(settings),
              "option 'mix': 'clipped:1' is not accepted with --compress=quantize:8: what it "
              "leaves out is part of a sum; expected average");
    settings.compress.reset();
    settings.algorithm = "fedavg";
    EXPECT_EQ(ErrorOf(settings),
              "option 'mix': 'clipped:1' is not accepted with fedavg, whose nodes hear one server; "
              "expected average");
    settings = Small();
    settings.fail = {"node {0-3} lies zero", "node 4 lies stale at 1s"};
    EXPECT_EQ(ErrorOf(settings),
              "option 'fail': all 5 nodes lie; expected one at least that never does: accuracy is "
              "a mean over the honest nodes");
}

} // namespace
} // namespace dpdl
