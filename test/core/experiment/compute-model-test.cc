// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/compute-model.h"
#include "dpdl/experiment/node-epsilons.h"
#include "dpdl/experiment/option-table.h"
#include "experiment-fixture.h"

#include <cmath>

namespace dpdl
{
namespace
{

TEST(ComputeModel, CountsTheOperationsOfLayers)
{
    // One matrix of 10 x 784: forward, and back to the weights; two operations a multiply-add.
    const ModelSpec linear = MakeModel("softmax-regression", {1, 28, 28}, 10);
    EXPECT_EQ(TrainingFlops(linear), 2.0 * 2.0 * 7840.0);
    // A 3 x 3 window over two channels, four of them on 26 x 26 places; then 2704 to 10.
    const ModelSpec convolution("test", {2, 28, 28}, {Conv2d{2, 4, 3}, Relu{}, Linear{2704, 10}});
    EXPECT_EQ(TrainingFlops(convolution), 2.0 * (2.0 * 18.0 * 2704.0 + 3.0 * 27040.0));
}

TEST(ComputeModel, NodesDifferByALogUniformFactorOfTheirOwn)
{
    constexpr std::size_t NODES = 20000;
    constexpr double S = 5.0;
    const ComputeModel model(2.0, S, {1, 1});
    double sum = 0.0;
    double squares = 0.0;
    for (NodeId node = 0; node < NODES; ++node)
    {
        const double u = std::log(model.Factor(node)) / std::log(S);
        ASSERT_GE(u, 0.0);
        ASSERT_LE(u, 1.0);
        sum += u;
        squares += u * u;
        EXPECT_DOUBLE_EQ(model.Seconds(node), 2.0 * model.Factor(node));
    }
    // Five standard errors of the mean and of the mean square of a uniform number.
    EXPECT_NEAR(sum / NODES, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / NODES));
    EXPECT_NEAR(squares / NODES, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / NODES));
    EXPECT_NEAR(model.Slowest(NODES), 10.0, 0.01);
    EXPECT_NE(ComputeModel(2.0, S, {1, 2}).Factor(0), model.Factor(0));
    EXPECT_EQ(ComputeModel(2.0, 1.0, {1, 1}).Slowest(NODES), 2.0);
}

TEST(ComputeModel, DevicesSayWhatTheirSpeedIsWorth)
{
    for (const PartInfo& info : ComputeProfiles().List())
    {
        EXPECT_EQ(info.source.find("estimate"), 0u) << info.name;
        EXPECT_GT(ComputeProfiles().Get(info.name).flops, 0.0) << info.name;
        EXPECT_GE(ComputeProfiles().Get(info.name).overhead, 0.0) << info.name;
    }
}

using ComputeTest = ExperimentTest;

TEST_F(ComputeTest, TheSlowestNodeMakesTheLosslessRound)
{
    RunOptions settings = Small();
    settings.compute = StepTime{};
    settings.compute->heterogeneity = 3.0;
    const Experiment experiment(settings, {});
    EXPECT_DOUBLE_EQ(experiment.LosslessRoundSeconds(),
                     experiment.Settings().computeModel->Slowest(5));
    EXPECT_GT(experiment.LosslessRoundSeconds(), settings.compute->seconds);
}

TEST_F(ComputeTest, DeadlinesFollowWhatMayBeLost)
{
    RunOptions settings = Small();
    settings.overwrite = true;
    settings.network = NetworkKind::MESSAGE;
    const auto hasDeadline = [&settings](LossPolicy policy, double drop, Outages outages) {
        settings.lossPolicy = policy;
        settings.drop = drop;
        settings.outages = outages;
        const Experiment experiment(settings, {});
        const double deadline = experiment.DeadlineSeconds();
        EXPECT_TRUE(std::isinf(deadline) || deadline == 1.5 * experiment.LosslessRoundSeconds());
        return std::isfinite(deadline);
    };
    EXPECT_FALSE(hasDeadline(LossPolicy::NONE, 0.0, Outages::NONE));
    EXPECT_TRUE(hasDeadline(LossPolicy::NONE, 0.1, Outages::NONE));
    EXPECT_TRUE(hasDeadline(LossPolicy::NONE, 0.0, Outages::PASSING));
    EXPECT_TRUE(hasDeadline(LossPolicy::RUNNING_SUM, 0.0, Outages::PASSING));
    EXPECT_FALSE(hasDeadline(LossPolicy::RELIABLE, 0.1, Outages::NONE));
    EXPECT_FALSE(hasDeadline(LossPolicy::RELIABLE, 0.1, Outages::PASSING));
    EXPECT_TRUE(hasDeadline(LossPolicy::RELIABLE, 0.0, Outages::LASTING));

    settings.compute = StepTime{};
    settings.compute->kind = ComputeKind::MEASURED;
    EXPECT_NE(ErrorOf(settings).find("option 'deadline': 'auto' is not accepted"),
              std::string::npos);
    settings.deadline = {Deadline::Kind::TIME, 0.5};
    EXPECT_EQ(ErrorOf(settings), "accepted");
}

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
