// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/experiment/compute-model.h"
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
    EXPECT_DOUBLE_EQ(experiment.LosslessRoundSeconds(), experiment.Compute().Slowest(5));
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

} // namespace
} // namespace dpdl
