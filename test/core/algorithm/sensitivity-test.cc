// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/sensitivity-exchange.h"
#include "dpdl/base/noise-source.h"
#include <gtest/gtest.h>
#include <vector>
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/toeplitz-noise.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/window-gram.h"
#include "step-run.h"
#include <cmath>

namespace dpdl
{
namespace
{

SensitivityRule
Rule(double factor, double decay)
{
    SensitivityRule rule;
    rule.factor = factor;
    rule.decay = decay;
    return rule;
}

TEST(SensitivityEstimate, StartsWithTwiceWhatAStepAdds)
{
    // 2 C' gamma C, where the first gradient is clipped.
    for (const auto& [factor, stepSize, expected] :
         {std::tuple{0.86, 0.1, 17.2}, std::tuple{0.78, 1e-5, 0.00156}, std::tuple{0.8, 0.01, 1.6}})
    {
        const SensitivityRule rule = Rule(factor, 0.5);
        EXPECT_NEAR(SensitivityEstimate(rule, 7.0).Next(stepSize * 100.0), expected, 1e-12);
    }
    SensitivityRule rule = Rule(1.0, 0.5);
    rule.initialNorm = true;
    SensitivityEstimate estimate(rule, 7.0);
    EXPECT_EQ(estimate.Next(1.0), 16.0);
    estimate.Restart();
    EXPECT_EQ(estimate.Next(1.0), 2.0);
}

TEST(SensitivityEstimate, GoesOnFromTheMaximumOrFromItsOwn)
{
    for (const bool own : {false, true})
    {
        SensitivityRule rule = Rule(1.0, 0.25);
        rule.ownEstimate = own;
        SensitivityEstimate estimate(rule, 0.0);
        EXPECT_EQ(estimate.Next(2.0), 4.0);
        estimate.Agree(16.0, 3.0);
        EXPECT_EQ(estimate.Next(2.0), 0.25 * ((own ? 4.0 : 16.0) + 6.0) + 4.0);
    }
}

TEST(MaxConsensus, KnowsWhomItHasNotHeard)
{
    const SensitivityRule rule = Rule(1.0, 0.5);
    std::vector<MaxConsensus> nodes;
    for (NodeId node = 0; node < 3; ++node)
    {
        nodes.emplace_back(node, 3, rule, 0.0);
    }
    for (NodeId node = 0; node < 3; ++node)
    {
        const std::vector<Share> announcements = nodes[node].Announce(0, 1.0 + node, 0.0);
        ASSERT_EQ(announcements.size(), 2U);
        EXPECT_EQ(nodes[node].Announce(0, 9.0, 0.0).front().mass.ToDouble(), nodes[node].Own());
        for (const Share& announcement : announcements)
        {
            EXPECT_TRUE(announcement.IsAnnouncement());
            const bool isLost = announcement.source == 2 && announcement.target == 1;
            for (int copy = 0; copy < 2 && !isLost; ++copy)
            {
                nodes[announcement.target].Hear(announcement);
            }
        }
    }
    EXPECT_TRUE(nodes[0].HeardAll(0));
    EXPECT_EQ(nodes[0].Maximum(0), 6.0);
    EXPECT_FALSE(nodes[1].HeardAll(0));
    EXPECT_EQ(nodes[1].Missing(0), std::vector<NodeId>{2});
    EXPECT_EQ(nodes[1].Maximum(0), 4.0);
    nodes[1].Agree(0, 4.0, 0.0);
    EXPECT_EQ(nodes[1].Announce(1, 0.0, 0.0).front().mass.ToDouble(), 2.0);
    EXPECT_EQ(nodes[1].Missing(1).size(), 2U);
}

TEST(SensitivityExchange, MeasuresTheFarthestPairInL1)
{
    ParameterPool pool(3);
    SensitivityExchange exchange(3, 2);
    const std::vector<std::vector<float>> states{{1, 1, 50}, {2, -1, 0}, {0, 2, 9}};
    for (NodeId node = 0; node < 3; ++node)
    {
        EXPECT_FALSE(exchange.Of(0, 4));
        exchange.Post(node, 4, pool.AcquireCopy(states[node].data()), node == 1 ? 2.0 : 1.0);
    }
    // x of node 1 is (4, -2): 6 from node 0, 8 from node 2, which are 2 apart.
    EXPECT_EQ(exchange.Of(0, 4), 6.0);
    EXPECT_EQ(exchange.Of(2, 4), 8.0);
    EXPECT_EQ(exchange.Largest(4), 8.0);
    EXPECT_EQ(exchange.Largest(5), 0.0);
}

using Vector = std::vector<double>;

constexpr RandomSeed SEED{3, 9};
constexpr std::size_t VALUES = 20'000;

NoiseMix
MixOf(const std::string& algorithm,
      const std::string& hyper,
      const std::string& topology,
      std::size_t nodes)
{
    const auto graph = MakeGraphSequence(topology, nodes, SEED);
    return MakeAlgorithm(algorithm, hyper).correlate(*graph, 8);
}

/// The noise of all nodes in a round, for a deviation of 2.
std::vector<Vector>
Drawn(const NoiseMix& mix, std::size_t nodes, Round round)
{
    const auto source = MakeCorrelatedNoise(mix, SEED);
    std::vector<Vector> noise(nodes, Vector(VALUES, 0.0));
    for (NodeId node = 0; node < nodes; ++node)
    {
        source->AddNoise(noise[node].data(), VALUES, {2.0, 0.0, 1.0}, node, round);
    }
    return noise;
}

TEST(CorrelatedNoise, OfPairsCancelsInTheSumOverNodes)
{
    NoiseMix mix = MixOf("decor", "secrets=1", "ring", 7);
    const std::vector<Vector> noise = Drawn(mix, 7, 3);
    for (NodeNoise& node : mix.nodes)
    {
        node.shared.clear();
    }
    const std::vector<Vector> own = Drawn(mix, 7, 3);
    for (std::size_t i = 0; i < VALUES; ++i)
    {
        double sum = 0.0;
        for (NodeId node = 0; node < 7; ++node)
        {
            sum += noise[node][i] - own[node][i];
        }
        ASSERT_NEAR(sum, 0.0, 1e-12);
    }
}

TEST(CorrelatedNoise, TheLedgerOfLambdaCgdAddsUpToTheSensitivityOfEveryRound)
{
    const auto plan = [](const std::string& hyper) {
        StepRun run({MakeAlgorithm("lambda-cgd", hyper), 12});
        double squares = 0.0;
        for (const Release& release : run.Plan().Releases(0))
        {
            EXPECT_EQ(release.sampler, "full");
            squares += release.Mu() * release.Mu();
        }
        // Of independent noise with the deviation of the first round's.
        return std::sqrt(squares) / run.Plan().Releases(0)[0].Mu();
    };
    EXPECT_NEAR(plan("lambda=0.9"), 17.340220903600382, 1e-9);
    EXPECT_NEAR(plan("lambda=0.5"), 6.4292523965746184, 1e-9);
}

TEST(CorrelatedNoise, TheLastColumnsOfBandMfEndWithTheRun)
{
    const StepRun run({MakeAlgorithm("bandmf", "bands=4"), 12});
    const std::vector<Release> releases = run.Plan().Releases(0);
    // Squares of the columns' norms: 1 + 1/4 + 9/64 + 25/256, and the first terms of it.
    const std::vector<double> squares{1.48828125, 1.390625, 1.25, 1.0};
    for (Round round = 0; round < 12; ++round)
    {
        const double part = squares[round < 8 ? 0 : round - 8] / squares[0];
        const double mu = releases[0].Mu() * std::sqrt(part);
        EXPECT_NEAR(releases[round].Mu(), mu, 1e-9 * mu);
    }
}

TEST(CorrelatedNoise, LambdaCgdHidesTheExampleThatFillsUpABatch)
{
    const auto noise = [](const std::string& sampler) {
        StepRun::Settings settings{MakeAlgorithm("lambda-cgd", "lambda=0.5")};
        settings.sampler = sampler;
        const StepRun run(settings);
        EXPECT_EQ(run.Plan().Releases(0)[0].rate, 1.0) << sampler;
        return run.Plan().At(0, 0).noise;
    };
    EXPECT_EQ(noise("poisson"), noise("full"));
    EXPECT_NEAR(noise("fixed"), 2.0 * noise("full"), 1e-6 * noise("full"));
    EXPECT_EQ(noise("shuffle"), noise("fixed"));
}

TEST(CorrelatedNoise, NeedsAKnownTopologyAndEnoughRounds)
{
    EXPECT_THROW(MixOf("decor", "", "random:0.5", 6), UsageError);
    EXPECT_NO_THROW(MixOf("decor", "secrets=1", "random:0.5", 6));
    EXPECT_THROW(MixOf("corn", "", "random:0.5", 6), UsageError);
    EXPECT_THROW(MixOf("decor", "colluders=6", "complete", 6), UsageError);
    EXPECT_THROW(MixOf("bandmf", "bands=9", "ring", 6), UsageError);
    EXPECT_THROW(MixOf("mafalda", "bands=9", "ring", 6), UsageError);
    EXPECT_THROW(MixOf("mafalda", "", "random:0.5", 6), UsageError);
}

} // namespace
} // namespace dpdl
