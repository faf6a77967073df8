// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

class RunFiguresTest : public ExperimentTest
{
  protected:
    double Number(const std::string& name) const
    {
        const std::string value = Summary(name);
        return value == "Inf" || value == "inf" ? INFINITY : std::stod(value);
    }
};

TEST_F(RunFiguresTest, AShiftedContactFileGivesTheSameRun)
{
    RunOptions settings = Small();
    settings.topology = "contacts:" + Write("now.txt", "0 0.03 0 1\n0.01 9 1 2\n0 9 2 0\n");
    Run(settings);
    const std::vector<std::string> rows = Bits("SELECT round, source, target FROM delivery");
    EXPECT_GE(rows.size(), 6U);
    settings.topology = "contacts:" + Write("later.txt",
                                            "86400 86400.03 0 1\n86400.01 86409 1 2\n"
                                            "86400 86409 2 0\n");
    settings.contactsStart = 86400.0;
    Run(settings);
    EXPECT_EQ(Bits("SELECT round, source, target FROM delivery"), rows);
    settings.topology = "ring";
    EXPECT_THROW(Run(settings), UsageError);
}

TEST_F(RunFiguresTest, WithoutLossQIsTheDesignedOneBitForBit)
{
    const std::string unbalanced =
        "file:" + Write("graph.txt", "0 1\n0 2\n0 3\n1 0\n2 0\n3 4\n4 0\n2 3\n");
    const std::string changing = "file:" + Write("phases.txt",
                                                 "0 0 1\n0 1 2\n0 2 0\n0 3 4\n0 4 3\n"
                                                 "1 0 4\n1 4 2\n1 2 3\n1 3 1\n1 1 0\n1 1 4\n");
    const std::string contacts = "contacts:" + Write("contacts.txt",
                                                     "0 0.11 0 1\n0.05 9 1 0\n0 9 2 3\n0 9 3 4\n"
                                                     "0.1 0.2 4 2\n0.2 0.35 1 4\n0.3 9 4 0\n");
    for (const std::string& topology : {std::string("complete"),
                                        std::string("star"),
                                        std::string("lollipop"),
                                        std::string("random:0.3"),
                                        std::string("random-peer"),
                                        contacts,
                                        unbalanced,
                                        changing})
    {
        for (const Round window : {0u, 1u, 7u})
        {
            RunOptions settings = Small();
            settings.topology = topology;
            settings.rounds = 40;
            settings.evaluateEvery = 0;
            settings.qWindow = window;
            settings.train = false;
            Run(settings);
            EXPECT_EQ(Value("SELECT COUNT(*) FROM q_by_window WHERE q_realised <> q_designed"), "0")
                << topology << " " << window;
            EXPECT_EQ(Value("SELECT MIN(first_round) || '-' || MAX(last_round) || '-' || "
                            "SUM(last_round - first_round + 1) FROM q_by_window"),
                      "0-39-40");
            EXPECT_EQ(Value("SELECT COUNT(*) FROM violation"), "0") << topology;
            EXPECT_EQ(Summary("q_realised"), Summary("q_designed"));
        }
    }
}

TEST_F(RunFiguresTest, TellWhatTheTopologyIs)
{
    RunOptions settings = Small();
    settings.topology = "ring";
    settings.rounds = 40;
    settings.train = false;
    settings.evaluateEvery = 0;
    Run(settings);
    EXPECT_EQ(Summary("window_b"), "1");
    EXPECT_EQ(Summary("diameter"), std::to_string(settings.nodes - 1));
    EXPECT_NEAR(Number("q_long_run"), std::cos(std::acos(-1.0) / settings.nodes), 1e-4);
    EXPECT_NEAR(Number("effective_nodes"), static_cast<double>(settings.nodes), 1e-9);
    EXPECT_NEAR(Number("largest_influence"), 1.0, 1e-9);
    EXPECT_EQ(Number("w_min"), 1.0);
    EXPECT_EQ(Number("w_max"), 1.0);
    EXPECT_NEAR(Number("one_minus_q_bound"), 1.0 - Number("q_bound"), 1e-15);
    settings.topology = "random-peer";
    settings.qWindow = 15;
    Run(settings);
    EXPECT_EQ(Value("SELECT group_concat(window_b IS NULL) FROM q_by_window"), "0,0,1")
        << "nothing is said of the ten rounds at the end";
    EXPECT_EQ(Value("SELECT q_bound IS NULL FROM q_by_window WHERE first_round = 30"), "1");
    EXPECT_EQ(Summary("window_b"), Value("SELECT MAX(window_b) FROM q_by_window"));
    EXPECT_LT(Number("w_min"), 1.0);
    EXPECT_GT(Number("w_max"), 1.0);
}

TEST_F(RunFiguresTest, CertifiedEpsilonIsTheBudgetAndGrowsRoundByRound)
{
    Run(Small());
    EXPECT_LE(Number("epsilon_certified"), 1.0);
    EXPECT_GT(Number("epsilon_certified"), 1.0 - 1e-6);
    EXPECT_EQ(Number("delta"), 1e-4);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round"), "6");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_round a JOIN guarantee_by_round b ON "
                    "b.round = a.round + 1 WHERE b.certified_max <= a.certified_max OR "
                    "b.claimed_max <= a.claimed_max"),
              "0");
    // Round by round the bound is taken on a grid of orders: never below the best, and close.
    const double last =
        std::stod(Value("SELECT certified_max FROM guarantee_by_round WHERE round = 6"));
    EXPECT_GE(last, Number("epsilon_certified"));
    EXPECT_LT(last, Number("epsilon_certified") * 1.001);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE reason IS NOT NULL AND reason <> "
                    "'' OR adjacency <> 'add-remove'"),
              "0");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node"), "5");
}

TEST_F(RunFiguresTest, PaperModeClaimsTheBudgetAndCertifiesMore)
{
    RunOptions settings = Small();
    settings.mode = Mode::PAPER;
    Run(settings);
    EXPECT_LE(Number("epsilon_claimed"), 1.0);
    EXPECT_GT(Number("epsilon_claimed"), 1.0 - 1e-6);
    EXPECT_GT(Number("epsilon_certified"), 1.0);
}

TEST_F(RunFiguresTest, NothingIsCertifiedWithoutNoise)
{
    RunOptions settings = Small();
    settings.noise = false;
    Run(settings);
    EXPECT_EQ(Number("epsilon_certified"), INFINITY);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE length(reason) > 5"), "5");
    EXPECT_EQ(Value("SELECT COUNT(*) FROM release WHERE noise = 0 AND mechanism = 'none' AND "
                    "flags = 'UNNOISED_RELEASE'"),
              "30");

    settings.algorithm = "sgp";
    Run(settings);
    EXPECT_EQ(Number("epsilon_certified"), INFINITY);
    EXPECT_EQ(Number("epsilon_claimed"), INFINITY);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM release WHERE sensitivity = 9e999"), "30");
}

TEST_F(RunFiguresTest, GossipAloneReleasesNothing)
{
    RunOptions settings = Small();
    settings.train = false;
    Run(settings);
    EXPECT_EQ(Value("SELECT COUNT(*) FROM release"), "0");
    EXPECT_EQ(Number("epsilon_certified"), 0.0);
}

} // namespace
} // namespace dpdl
