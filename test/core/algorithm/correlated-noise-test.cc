// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/base/correlated-noise.h"
#include "dpdl/base/errors.h"
#include "dpdl/privacy/noise-covariance.h"
#include "dpdl/privacy/toeplitz-noise.h"
#include "dpdl/topology/topologies.h"
#include "dpdl/topology/window-gram.h"
#include "step-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

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
