// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/accountant.h"
#include "dpdl/privacy/step-group.h"
#include "dpdl/topology/contraction-tracker.h"
#include "dpdl/topology/topologies.h"
#include "gossip-run.h"
#include "step-run.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace dpdl
{
namespace
{

/// Draws the batches of its iterations, and counts how often each example is in one.
class CountingStep : public LocalStep
{
  public:
    explicit CountingStep(std::uint32_t iterations)
        : m_iterations(iterations)
    {
    }

    std::uint32_t Iterations() const override
    {
        return m_iterations;
    }

    void Run(StepContext& context, NodeJob& job) const override
    {
        for (std::uint32_t iteration = 0; iteration < m_iterations; ++iteration)
        {
            const Batch batch = context.Draw(job, iteration);
            for (std::size_t i = 0; i < batch.size; ++i)
            {
                ++m_used[job.node][batch.examples[i]];
            }
        }
    }

    const std::map<std::uint32_t, std::size_t>& Used(NodeId node) const
    {
        return m_used[node];
    }

  private:
    std::uint32_t m_iterations;
    mutable std::map<NodeId, std::map<std::uint32_t, std::size_t>> m_used;
};

struct ShuffledCase
{
    std::string algorithm;
    std::string hyper;
    Round rounds;
};

// Five batches are a pass over a node's 20 examples.
TEST(PhasedAlgorithms, ShuffledPassesUseAllExamplesEquallyOften)
{
    for (const ShuffledCase& one : {ShuffledCase{"const-d2p", "", 10},
                                    {"muffliato", "phase=3", 30},
                                    {"fedavg", "iterations=2", 20},
                                    {"fed-cdp", "iterations=3", 10},
                                    {"dp-fedavg", "clients=0.5,iterations=2", 40}})
    {
        AlgorithmPreset preset = MakeAlgorithm(one.algorithm, one.hyper);
        const auto step = std::make_shared<CountingStep>(preset.step->Iterations());
        preset.step = step;
        preset.isPrivate = false; // nothing is released
        StepRun run({preset, one.rounds, 4, "shuffle"});
        run.Run();
        for (NodeId node = 0; node < StepRun::NODES; ++node)
        {
            const std::vector<Release> releases = run.Plan().Releases(node);
            ASSERT_GE(releases.size(), 10U);
            ASSERT_EQ(step->Used(node).size(), StepRun::LOCAL) << one.algorithm;
            std::size_t all = 0;
            std::size_t least = releases.size();
            std::size_t most = 0;
            for (const auto& [example, times] : step->Used(node))
            {
                all += times;
                least = std::min(least, times);
                most = std::max(most, times);
            }
            EXPECT_EQ(all, 4 * releases.size());
            EXPECT_EQ(most - least, releases.size() % 5 == 0 ? 0U : 1U) << one.algorithm;
            for (std::size_t i = 0; i < releases.size(); ++i)
            {
                EXPECT_EQ(releases[i].epoch, i / 5) << one.algorithm << " " << i;
            }
        }
    }
}

TEST(PhasedAlgorithms, ShuffledPassesCostWhatAccountSaysOfAsManySteps)
{
    for (const ShuffledCase& one :
         {ShuffledCase{"muffliato", "phase=3", 36}, {"dp-fedavg", "iterations=3", 8}})
    {
        StepRun run({MakeAlgorithm(one.algorithm, one.hyper), one.rounds, 4, "shuffle"});
        run.Run(); // its records agree with the plan
        const std::vector<Release> releases = run.Plan().Releases(0);
        StepGroup group;
        group.sampler = "shuffle";
        group.rate = 0.2;
        group.steps = 12;
        group.noise = releases.front().NoiseMultiplier();
        ASSERT_EQ(releases.size(), group.steps);
        const AccountingQuery question{run.Plan().Settings().delta};
        const double asked =
            Accountants().Get("rdp")->Evaluate(CountSteps({group}), question).epsilon;
        EXPECT_NEAR(asked, 4.0, 1e-5) << one.algorithm;
        EXPECT_NEAR(run.Plan().Guarantees()->Of(releases).epsilon, asked, 1e-9) << one.algorithm;
    }
}

TEST(PhasedAlgorithms, AWholeUpdateIsOneReleaseWithoutAmplification)
{
    const StepRun run({MakeAlgorithm("dp-fedavg", "clipUpdate=1,iterations=3")});
    ASSERT_EQ(run.Plan().Releases(0).size(), 3U);
    EXPECT_EQ(run.Plan().Releases(0)[0].sampler, "full");
}

TEST(PhasedAlgorithms, LetTheServerAverageAlone)
{
    LearningPlanSettings settings;
    settings.rounds = 6;
    settings.accountant = "rdp";
    settings.nodes.assign(3, {100, 10.0, 0.1, 2.0});
    settings.algorithm = MakeAlgorithm("dp-fedavg", "server=0");
    const LearningPlan apart(settings);
    settings.algorithm = MakeAlgorithm("dp-fedavg");
    const LearningPlan all(settings);
    EXPECT_TRUE(apart.Releases(0).empty());
    EXPECT_EQ(all.Releases(0).size(), 3U);
    for (const NodeId node : {1U, 2U})
    {
        EXPECT_EQ(apart.Releases(node).size(), 3U);
        EXPECT_EQ(apart.At(node, 2).noise, all.At(node, 2).noise);
    }
    settings.algorithm = MakeAlgorithm("dp-fedavg", "server=0");
    settings.nodes.clear();
    EXPECT_THROW(LearningPlan{settings}, Error);
}

TEST(PhasedAlgorithms, AnswerForTheReleasesOfTheirStepsAlone)
{
    const StepRun phased({MakeAlgorithm("dp-fedavg")});
    const StepRun once({MakeAlgorithm("muffliato")});
    EXPECT_EQ(phased.Plan().Releases(0).size(), 3U); // of 6 rounds
    EXPECT_EQ(once.Plan().Releases(0).size(), 1U);
    EXPECT_TRUE(once.Plan().ReleasesOf(0, 1).empty());
    // The budget goes into these: the noise is that of a run with as many rounds.
    AlgorithmPreset constant = MakeAlgorithm("const-d2p");
    constant.clip = MakeAlgorithm("dp-fedavg").clip;
    EXPECT_EQ(phased.Plan().At(0, 2).noise, StepRun({constant, 3}).Plan().At(0, 2).noise);
    EXPECT_EQ(once.Plan().At(0, 0).noise, StepRun({constant, 1}).Plan().At(0, 0).noise);
}

TEST(PhasedAlgorithms, PartsOfATrustedServersNoiseAddUpToWhatHidesTheSum)
{
    const auto graph = MakeGraphSequence(SERVER_GRAPH, 20, {});
    for (const std::size_t colluders : {0, 5, 19})
    {
        const std::string hyper = "trusted=1,colluders=" + std::to_string(colluders);
        const NoiseMix mix = MakeAlgorithm("dp-fedavg", hyper).correlate(*graph, 4);
        double variance = 0.0;
        for (std::size_t honest = colluders; honest < 20; ++honest)
        {
            EXPECT_TRUE(mix.nodes[honest].shared.empty());
            variance += mix.nodes[honest].own * mix.nodes[honest].own;
        }
        EXPECT_NEAR(variance, 1.0, 1e-12);
    }
    EXPECT_THROW(MakeAlgorithm("dp-fedavg", "trusted=1,colluders=20").correlate(*graph, 4),
                 UsageError);
    EXPECT_THROW(MakeAlgorithm("dp-fedavg", "trusted=1,iterations=2"), UsageError);
    EXPECT_NO_THROW(MakeAlgorithm("dp-fedavg", "trusted=1,iterations=2,clipUpdate=1"));
    EXPECT_THROW(MakeAlgorithm("dp-fedavg", "trusted=1,clients=0.5"), UsageError);
    EXPECT_THROW(MakeAlgorithm("dp-fedavg", "trusted=1,cap=0"), UsageError);
}

TEST(PhasedAlgorithms, AReleaseInARoundWithoutAStepVoidsTheCertificate)
{
    const StepRun run({MakeAlgorithm("muffliato")});
    std::string mismatch;
    const std::vector<Release> releases = run.Plan().Match(0, 1, {Release()}, mismatch);
    EXPECT_EQ(mismatch, "the step added noise 1 times, the plan says 0");
    ASSERT_EQ(releases.size(), 1U);
    EXPECT_TRUE(HasFlag(releases.front().flags, ReleaseFlag::PLAN_MISMATCH));
    EXPECT_FALSE(releases.front().UnsupportedReason().empty());
}

TEST(ServerGraph, AveragesExactlyEverySecondRound)
{
    for (const std::size_t nodes : {2, 5, 20})
    {
        const auto graph = MakeGraphSequence(SERVER_GRAPH, nodes, {});
        EXPECT_EQ(graph->Period(), 2U);
        EXPECT_LT(std::max(ColumnError(*graph, 0), ColumnError(*graph, 1)), 1e-15);
        DesignedContraction contraction(graph);
        contraction.AddRound();
        contraction.AddRound();
        EXPECT_LT(contraction.CloseWindow().contraction, 1e-12);
        GossipRun run(graph, 2, LossPolicy::NONE);
        run.Step();
        EXPECT_TRUE(run.Mass().Weight(1, 0).IsZero());
        run.Step();
        EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-6);
        EXPECT_LT(run.Mass().Error(), 1e-15);
    }
}

TEST(ServerGraph, ALostMessageLeavesTheMeanOfTheOthers)
{
    const auto graph = MakeGraphSequence(SERVER_GRAPH, 5, {});
    GossipRun run(graph, 2, LossPolicy::NONE);
    // Node 3 is not heard, and node 2 does not hear.
    const auto network = [](const Share& share) {
        return share.source == 3 || share.target == 2 ? Fate::LOSE : Fate::ARRIVE;
    };
    run.Step(network);
    run.Step(network);
    std::vector<double> mean(run.Initial().front().size(), 0.0);
    for (const NodeId node : {0, 1, 2, 4})
    {
        for (std::size_t i = 0; i < mean.size(); ++i)
        {
            mean[i] += run.Initial()[node][i] / 4.0;
        }
    }
    const std::vector<std::vector<float>> states = run.Finish();
    for (const NodeId node : {0, 1, 3, 4})
    {
        EXPECT_LT(GossipRun::Distance({states[node]}, mean), 1e-6) << node;
    }
    EXPECT_EQ(states[2], run.Initial()[2]); // it keeps its own, and its w is 0
    EXPECT_TRUE(run.Mass().Weight(2, 0).IsZero());
}

} // namespace
} // namespace dpdl
