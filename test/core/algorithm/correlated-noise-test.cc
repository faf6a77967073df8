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

#include <algorithm>
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

double
Product(const Vector& a, const Vector& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Sigma of a row of noise, for a deviation of 2.
double
CovarianceOf(const NodeNoise& a, const NodeNoise& b, bool isSame)
{
    double sum = isSame ? a.own * a.own : 0.0;
    for (const SharedNoise& one : a.shared)
    {
        for (const SharedNoise& other : b.shared)
        {
            sum += one.stream == other.stream ? one.weight * other.weight : 0.0;
        }
    }
    return 4.0 * sum;
}

TEST(CorrelatedNoise, HasTheCovarianceThatTheCertificateIsOf)
{
    for (const std::string algorithm : {"decor", "corn"})
    {
        const NoiseMix mix = MixOf(algorithm, "", "exponential", 6);
        const std::vector<Vector> noise = Drawn(mix, 6, 4);
        for (NodeId a = 0; a < 6; ++a)
        {
            for (NodeId b = 0; b < 6; ++b)
            {
                const double expected = CovarianceOf(mix.nodes[a], mix.nodes[b], a == b);
                const double scale = CovarianceOf(mix.nodes[a], mix.nodes[a], true);
                const double error = 5.0 * scale * std::sqrt(2.0 / VALUES);
                EXPECT_NEAR(Product(noise[a], noise[b]) / VALUES, expected, error);
            }
        }
    }
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

/// The deviation of the best unbiased estimate of a shift of node 0, from what is left of the
/// noises when the streams of colluders are taken off.
double
DeviationOfAttack(const NoiseMix& mix, const std::vector<NodeId>& colluders)
{
    NoiseMix left = mix;
    for (const NodeId colluder : colluders)
    {
        for (const SharedNoise& known : mix.nodes[colluder].shared)
        {
            for (NodeNoise& node : left.nodes)
            {
                node.shared.erase(std::remove_if(node.shared.begin(),
                                                 node.shared.end(),
                                                 [&](const SharedNoise& term) {
                                                     return term.stream == known.stream;
                                                 }),
                                  node.shared.end());
            }
        }
    }
    const std::vector<Vector> noise = Drawn(left, mix.nodes.size(), 0);
    // Regression of the noise of node 0 on that of its peers, by steps down the gradient.
    std::vector<NodeId> peers;
    for (NodeId node = 1; node < noise.size(); ++node)
    {
        if (std::count(colluders.begin(), colluders.end(), node) == 0)
        {
            peers.push_back(node);
        }
    }
    Vector rest = noise[0];
    for (int sweep = 0; sweep < 300; ++sweep)
    {
        for (const NodeId peer : peers)
        {
            const double weight = Product(rest, noise[peer]) / Product(noise[peer], noise[peer]);
            for (std::size_t i = 0; i < rest.size(); ++i)
            {
                rest[i] -= weight * noise[peer][i];
            }
        }
    }
    return std::sqrt(Product(rest, rest) / VALUES);
}

TEST(CorrelatedNoise, AnAttackSeesWhatIsCertifiedForItsColludersAndMoreThanForFewer)
{
    const NoiseMix mix = MixOf("decor", "colluders=1,secrets=1", "ring", 5);
    const NoiseMix fewer = MixOf("decor", "colluders=0,secrets=1", "ring", 5);
    // The release counts as one with a deviation of 2; sampling error is 0.5 %.
    EXPECT_NEAR(DeviationOfAttack(mix, {3}), 2.0, 0.03);
    EXPECT_GT(DeviationOfAttack(mix, {}), 2.0);
    EXPECT_LT(DeviationOfAttack(fewer, {3}), 1.9);
    EXPECT_LT(DeviationOfAttack(mix, {2, 3}), 1.9);
}

TEST(CorrelatedNoise, OverRoundsIsWhiteAgainUnderC)
{
    constexpr Round ROUNDS = 8;
    const auto check = [](const NoiseMix& mix, const Vector& column, double last) {
        std::vector<Vector> seen(ROUNDS, Vector(VALUES, 0.0));
        for (Round t = 0; t < ROUNDS; ++t)
        {
            // Of a deviation that makes s equal to 2 in all rounds, as the schedule does.
            const auto source = MakeCorrelatedNoise(mix, SEED);
            Vector noise(VALUES, 0.0);
            source->AddNoise(noise.data(), VALUES, {2.0 / mix.strength[t], 0.0, 1.0}, 1, t);
            for (Round later = t; later < ROUNDS && later - t < column.size(); ++later)
            {
                for (std::size_t i = 0; i < VALUES; ++i)
                {
                    seen[later][i] += column[later - t] * noise[i];
                }
            }
        }
        for (Round t = 0; t < ROUNDS; ++t)
        {
            Vector normals(VALUES, 0.0);
            MakeNoiseSource("philox", SEED)
                ->AddNoise(normals.data(), VALUES, {2.0, 0.0, 1.0}, 1, t);
            for (std::size_t i = 0; i < VALUES; ++i)
            {
                ASSERT_NEAR(seen[t][i], normals[i], 1e-12);
            }
        }
        EXPECT_NEAR(mix.strength.back(), last, 1e-12);
    };
    Vector powers;
    for (Round k = 0; k < ROUNDS; ++k)
    {
        powers.push_back(std::pow(0.7, static_cast<double>(k)));
    }
    check(MixOf("lambda-cgd", "lambda=0.7", "ring", 3), powers, RowSums(powers, ROUNDS).back());
    const Vector bands = SquareRootColumn(3);
    check(MixOf("bandmf", "bands=3", "ring", 3),
          bands,
          ToeplitzSensitivity(bands, ROUNDS, 1, ROUNDS));
    const auto graph = MakeGraphSequence("ring", 3, SEED);
    const Vector fitted = FitBands(3, NoiseResponse(*graph, ROUNDS));
    check(MixOf("mafalda", "bands=3", "ring", 3),
          fitted,
          ToeplitzSensitivity(fitted, ROUNDS, 1, ROUNDS));
}

TEST(CorrelatedNoise, TheLedgerOfLambdaCgdAddsUpToTheSensitivityOfEveryRound)
{
    const auto plan = [](const std::string& hyper) {
        StepRun run({MakeAlgorithm("lambda-cgd", hyper), 12});
        double squares = 0.0;
        for (const Release& release : run.Plan().Releases(0))
        {
            EXPECT_EQ(release.Get().sampler, "full");
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
        EXPECT_EQ(run.Plan().Releases(0)[0].Get().rate, 1.0) << sampler;
        return run.Plan().At(0, 0).noise;
    };
    EXPECT_EQ(noise("poisson"), noise("full"));
    EXPECT_NEAR(noise("fixed"), 2.0 * noise("full"), 1e-6 * noise("full"));
    EXPECT_EQ(noise("shuffle"), noise("fixed"));
}

TEST(CorrelatedNoise, WithoutCorrelationIsConstD2p)
{
    const auto states = [](AlgorithmPreset preset) {
        preset.stepSize = 0.3;
        preset.clip = 1.5;
        StepRun run({std::move(preset)});
        return run.Run();
    };
    EXPECT_EQ(states(MakeAlgorithm("lambda-cgd", "lambda=0")), states(MakeAlgorithm("const-d2p")));
    EXPECT_EQ(states(MakeAlgorithm("bandmf", "bands=1")), states(MakeAlgorithm("const-d2p")));
    EXPECT_EQ(states(MakeAlgorithm("mafalda", "bands=1")), states(MakeAlgorithm("const-d2p")));
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
