// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/learning-plan.h"

#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr double BATCH = 8.0;

/// A step that takes several noisy gradients a round; plans only ask how many.
class RepeatedStep : public LocalStep
{
  public:
    explicit RepeatedStep(std::uint32_t iterations)
        : m_iterations(iterations)
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_iterations;
    }

    void Run(StepContext& /* context */, NodeJob& /* job */) const override
    {
    }

  private:
    std::uint32_t m_iterations;
};

NodeTerms
Terms(std::size_t localSamples, double epsilon)
{
    return {localSamples, BATCH, BATCH / static_cast<double>(localSamples), epsilon};
}

LearningPlanSettings
Settings(const std::vector<NodeTerms>& nodes)
{
    LearningPlanSettings settings;
    settings.algorithm = {true, 1.0, 2.0, 3.0, 1.5};
    settings.rounds = 40;
    settings.accountant = "rdp";
    settings.nodes = nodes;
    return settings;
}

/// The plan of a run in which all nodes have these terms.
LearningPlan
Alone(LearningPlanSettings settings, const NodeTerms& terms)
{
    settings.nodes.clear();
    static_cast<NodeTerms&>(settings) = terms;
    return LearningPlan(settings);
}

TEST(NodePlan, EveryNodeHasThePlanOfARunInWhichAllAreLikeIt)
{
    const std::vector<NodeTerms> nodes{Terms(100, 1.0),
                                       Terms(400, 1.0),
                                       Terms(100, 3.0),
                                       Terms(100, 1.0)};
    for (const Mode mode : {Mode::SOUND, Mode::PAPER})
    {
        LearningPlanSettings settings = Settings(nodes);
        settings.mode = mode;
        const LearningPlan plan(settings);
        EXPECT_EQ(plan.Representatives(), (std::vector<NodeId>{0, 1, 2}));
        for (NodeId node = 0; node < nodes.size(); ++node)
        {
            const LearningPlan alone = Alone(settings, nodes[node]);
            EXPECT_EQ(plan.BatchSize(node), BATCH);
            EXPECT_EQ(plan.ClaimedRate(node), alone.ClaimedRate(0));
            EXPECT_EQ(plan.ClaimedEpsilon(node, 40), alone.ClaimedEpsilon(0, 40));
            for (const Round round : {0u, 39u})
            {
                EXPECT_EQ(plan.At(node, round).noise, alone.At(0, round).noise) << node;
                EXPECT_EQ(plan.At(node, round).mu, alone.At(0, round).mu) << node;
                const Release release = plan.ReleasesOf(node, round).front();
                EXPECT_EQ(release.node, node);
                EXPECT_EQ(release.rate, nodes[node].samplingRate);
            }
        }
        EXPECT_GT(plan.At(0, 0).noise, plan.At(1, 0).noise) << "who owns more needs less noise";
        EXPECT_GT(plan.At(0, 0).noise, plan.At(2, 0).noise) << "who allows more needs less noise";
    }
}

TEST(NodePlan, EveryNodeSpendsItsOwnBudget)
{
    const std::vector<NodeTerms> nodes{Terms(100, 0.5), Terms(250, 2.0), Terms(400, 8.0)};
    const LearningPlan plan(Settings(nodes));
    for (NodeId node = 0; node < nodes.size(); ++node)
    {
        const double certified = plan.Guarantees()->Of(plan.Releases(node)).epsilon;
        EXPECT_LE(certified, nodes[node].epsilon);
        EXPECT_GT(certified, nodes[node].epsilon * (1.0 - 1e-6));
    }
}

TEST(NodePlan, EqualNodesAreCalibratedOnce)
{
    const LearningPlan one(Settings({Terms(100, 1.0)}));
    const LearningPlan many(Settings(std::vector<NodeTerms>(1000, Terms(100, 1.0))));
    EXPECT_EQ(many.Representatives(), std::vector<NodeId>{0});
    EXPECT_EQ(&many.Of(0), &many.Of(999));
    EXPECT_EQ(many.Guarantees()->Size(), one.Guarantees()->Size());
}

TEST(NodePlan, EveryIterationOfAStepIsAReleaseThatCounts)
{
    for (const std::string accountant : {"rdp", "pld"})
    {
        LearningPlanSettings settings = Settings({Terms(100, 1.0)});
        settings.algorithm.muGrowth = 1.0;
        settings.accountant = accountant;
        settings.rounds = 30;
        const LearningPlan longer(settings);
        settings.rounds = 10;
        settings.algorithm.step = std::make_shared<RepeatedStep>(3);
        const LearningPlan plan(settings);
        EXPECT_EQ(plan.Releases(0).size(), 30u);
        EXPECT_EQ(plan.At(0, 0).mu, longer.At(0, 0).mu);
        EXPECT_EQ(plan.ClaimedEpsilon(0, 10), longer.ClaimedEpsilon(0, 30));
        const std::vector<Release> releases = plan.ReleasesOf(0, 7);
        for (std::uint32_t i = 0; i < 3; ++i)
        {
            EXPECT_EQ(releases.at(i).stream, i);
            EXPECT_EQ(releases.at(i).round, 7u);
        }
    }
}

TEST(NodePlan, ABatchOfAnEpochIsCountedByItsIteration)
{
    LearningPlanSettings settings = Settings({Terms(24, 1.0)});
    settings.sampler = MakeSampler("shuffle", 8, {});
    settings.algorithm.step = std::make_shared<RepeatedStep>(2);
    const LearningPlan plan(settings);
    // Three batches are an epoch; round 1 takes the third and the fourth.
    EXPECT_EQ(plan.ReleasesOf(0, 1).front().epoch, 0u);
    EXPECT_EQ(plan.ReleasesOf(0, 1).back().epoch, 1u);
}

} // namespace
} // namespace dpdl
