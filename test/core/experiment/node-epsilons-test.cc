// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/option-table.h"
#include "experiment-fixture.h"

namespace dpdl
{
namespace
{

class NodeEpsilonsTest : public ExperimentTest
{
  protected:
    /// What five nodes make of a text; the error if there is one.
    static std::string MessageFor(const std::string& text)
    {
        return UsageMessage([&] { NodeEpsilons::Parse("option 'epsilon'", text).Of(5); });
    }

    static std::vector<double> Of(const std::string& text, std::size_t nodes)
    {
        return NodeEpsilons::Parse("option 'epsilon'", text).Of(nodes);
    }
};

TEST_F(NodeEpsilonsTest, ReadsNumbersRangesAndFiles)
{
    EXPECT_EQ(Of("0.5", 3), (std::vector<double>{0.5, 0.5, 0.5}));
    EXPECT_EQ(Of("range:1..3", 5), (std::vector<double>{1.0, 1.5, 2.0, 2.5, 3.0}));
    EXPECT_EQ(Of("range:3..1", 3), (std::vector<double>{3.0, 2.0, 1.0}));
    EXPECT_EQ(Of("range:.5..2", 2), (std::vector<double>{0.5, 2.0}));
    const std::string path = Write("budgets.csv", "node,epsilon\n2,8\n0,0.25\n1,1e2\n");
    EXPECT_EQ(Of("file:" + path, 3), (std::vector<double>{0.25, 100.0, 8.0}));
    for (const std::string text : {"0.5", "range:0.25..3", "file:budgets.csv"})
    {
        EXPECT_EQ(NodeEpsilons::Parse("", text).Text(), text);
    }
}

TEST_F(NodeEpsilonsTest, MistakesAreNamedInOneLine)
{
    for (const std::string text :
         {"0", "-1", "nan", "range:", "range:1", "range:0..2", "range:1..", "file:", "rnage:1..2"})
    {
        EXPECT_EQ(MessageFor(text).rfind("option 'epsilon': ", 0), 0u) << MessageFor(text);
    }
    const std::string path = (m_folder / "budgets.csv").string();
    const std::string file = "budget file '" + path + "'";
    const std::string rows = "0,1\n1,1\n2,1\n3,1\n";
    for (const auto& [text, expected] :
         {std::pair{rows, ", line 1: '0,1' is not accepted; expected the header node,epsilon"},
          {"node,epsilon\n" + rows, " has no row for node 4; expected one for each of the 5"},
          {"node,epsilon\n" + rows + "5,1\n", ", line 6, node: '5' is not accepted"},
          {"node,epsilon\n" + rows + "3,1\n",
           ", line 6, node: '3' is not accepted; expected a node "
           "that has no row above"},
          {"node,epsilon\n" + rows + "4,0\n", ", line 6, epsilon: '0' is not accepted"},
          {"node,epsilon\n" + rows + "4,much\n", ", line 6, epsilon: 'much' is not accepted"}})
    {
        Write("budgets.csv", text);
        EXPECT_EQ(MessageFor("file:" + path).rfind(file + expected, 0), 0u)
            << MessageFor("file:" + path);
    }
    EXPECT_NE(MessageFor("file:none.csv").find("budget file: 'none.csv'"), std::string::npos);
}

TEST_F(NodeEpsilonsTest, EveryNodeIsCalibratedAndCertifiedForItsOwnBudget)
{
    RunOptions settings = Small();
    for (const Mode mode : {Mode::SOUND, Mode::PAPER})
    {
        settings.mode = mode;
        SetOption(settings, "epsilon", "range:0.5..4.5");
        Run(settings);
        EXPECT_EQ(Query("SELECT budget FROM guarantee_by_node ORDER BY node"),
                  (std::vector<std::string>{"0.5", "1.5", "2.5", "3.5", "4.5"}));
        const std::string own = mode == Mode::SOUND ? "certified" : "claimed";
        EXPECT_EQ(Value("SELECT COUNT(*) FROM guarantee_by_node WHERE " + own +
                        " BETWEEN budget * (1 - 1e-5) AND budget * (1 + 1e-9)"),
                  "5");
        EXPECT_EQ(Value("SELECT COUNT(DISTINCT noise) FROM release WHERE round = 3"), "5");
        EXPECT_EQ(Value("SELECT value FROM settings WHERE name = 'epsilon'"), "range:0.5..4.5");
        EXPECT_EQ(Value("SELECT MAX(certified) FROM guarantee_by_node"),
                  Value("SELECT certified_max FROM guarantee_by_round WHERE round = 6"));
    }
    settings.algorithm = "sgp";
    Run(settings);
    EXPECT_EQ(Value("SELECT COUNT(budget) FROM guarantee_by_node"), "0");
}

TEST_F(NodeEpsilonsTest, EqualBudgetsOfAFileChangeNothing)
{
    RunOptions settings = Small();
    Run(settings);
    const std::vector<std::string> states = Bits("SELECT round, node, z FROM snapshot");
    const std::string path = Write("budgets.csv", "node,epsilon\n0,1\n1,1\n2,1\n3,1\n4,1\n");
    SetOption(settings, "epsilon", "file:" + path);
    Run(settings);
    EXPECT_EQ(Bits("SELECT round, node, z FROM snapshot"), states);
}

} // namespace
} // namespace dpdl
