// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/base/errors.h"
#include "secret-graphs.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace dpdl
{
namespace
{

using Pairs = std::vector<SecretPair>;
using Nodes = std::vector<NodeId>;

Pairs
Complete(NodeId nodes)
{
    Nodes hops(nodes - 1);
    std::iota(hops.begin(), hops.end(), 1U);
    return Circulant(nodes, hops);
}

Pairs
Exponential(NodeId nodes)
{
    Nodes hops;
    for (NodeId hop = 1; hop < nodes; hop *= 2)
    {
        hops.push_back(hop);
    }
    return Circulant(nodes, hops);
}

double
Mu(NodeId nodes, const Pairs& pairs, double own, double pair, const Nodes& colluders = {})
{
    return std::sqrt(Exposure(PairNoise(nodes, pairs, own, pair), colluders)[0]);
}

/// (1/m)(1/a + (m - 1)/(a + m b)), a = own^2, b = pair^2.
double
CompleteMu(double honest, double own, double pair)
{
    const double a = own * own;
    const double b = pair * pair;
    return std::sqrt((1.0 / a + (honest - 1.0) / (a + honest * b)) / honest);
}

TEST(NoiseCovariance, CompleteGraphsHaveAClosedForm)
{
    EXPECT_NEAR(Mu(3, Complete(3), 1.0, 1.0), 0.7071067811865476, 1e-12);
    EXPECT_NEAR(Mu(20, Complete(20), 0.5, 2.0), 0.4602586297186937, 1e-12);
    EXPECT_NEAR(Mu(20, Complete(20), 0.25, 10.0), 0.8946926763736887, 1e-12);
    EXPECT_NEAR(Mu(100, Complete(100), 0.2, 5.0), 0.5003958369771888, 1e-10);
    for (const NodeId colluders : {0U, 1U, 5U, 17U})
    {
        Nodes set(colluders);
        std::iota(set.begin(), set.end(), 1U);
        EXPECT_NEAR(Mu(20, Complete(20), 0.5, 2.0, set),
                    CompleteMu(20.0 - colluders, 0.5, 2.0),
                    1e-12);
    }
}

TEST(NoiseCovariance, RingsHaveAClosedForm)
{
    for (const NodeId nodes : {3U, 5U, 20U})
    {
        const double theta = std::acosh(1.0 + 0.25 / (2.0 * 4.0));
        const double exposure =
            1.0 / std::tanh(nodes * theta / 2.0) / (2.0 * 4.0 * std::sinh(theta));
        EXPECT_NEAR(Mu(nodes, Circulant(nodes, {1}), 0.5, 2.0), std::sqrt(exposure), 1e-12);
    }
}

TEST(NoiseCovariance, ColludersTakeTheirSecretsAway)
{
    const Pairs ring = Circulant(20, {1});
    EXPECT_NEAR(Mu(20, ring, 0.5, 2.0, {5}), 0.7410640698686308, 1e-12);
    EXPECT_NEAR(Mu(20, ring, 0.5, 2.0, {5, 19}), 1.031648871530034, 1e-12);
    EXPECT_NEAR(Mu(20, ring, 0.5, 2.0, {1, 19}), 2.0, 1e-12);
    const Pairs exponential = Exponential(20);
    EXPECT_NEAR(Mu(20, exponential, 0.5, 2.0), 0.4800752965680746, 1e-12);
    EXPECT_NEAR(Mu(20, exponential, 0.5, 2.0, {1, 2, 3, 4, 5}), 0.5608111837643706, 1e-12);
    EXPECT_NEAR(Mu(20, exponential, 0.5, 2.0, {1, 2, 4, 8, 16}), 0.5904076875133387, 1e-12);
    EXPECT_NEAR(Mu(20, exponential, 0.5, 2.0, {1, 2, 4, 8, 12, 16, 18, 19}), 2.0, 1e-12);
}

TEST(NoiseCovariance, WhatWasReallyDrawnDecides)
{
    const Pairs ring = Circulant(5, {1});
    std::vector<NodeNoise> noise = PairNoise(5, ring, 0.5, 2.0);
    EXPECT_NEAR(std::sqrt(Exposure(noise, {})[0]), 0.9467838750731115, 1e-12);
    // Node 4 released nothing, its peers used their secrets: no other release cancels them.
    EXPECT_NEAR(std::sqrt(Exposure(noise, {}, {4})[0]), 0.4283471581170175, 1e-12);
    // They left them out: a path of four.
    const Pairs path{{0, 1}, {1, 2}, {2, 3}};
    EXPECT_NEAR(Mu(4, path, 0.5, 2.0), 1.095512232291478, 1e-12);
    // Node 0 alone left out the secret that it shares with node 4.
    std::vector<NodeNoise> oneSided = noise;
    auto& shared = oneSided[0].shared;
    const std::uint32_t gone = 1;
    ASSERT_EQ(ring[gone], SecretPair(0, 4));
    shared.erase(std::find_if(shared.begin(), shared.end(), [](const SharedNoise& term) {
        return term.stream == gone;
    }));
    EXPECT_NEAR(std::sqrt(Exposure(oneSided, {})[0]), 0.8722738364359546, 1e-12);
    // The shared part is divided by push-sum weights.
    const std::vector<double> weights{0.5, 1.5, 1.0, 0.8, 1.2};
    for (NodeId node = 0; node < 5; ++node)
    {
        for (SharedNoise& term : noise[node].shared)
        {
            term.weight /= weights[node];
        }
    }
    EXPECT_NEAR(std::sqrt(Exposure(noise, {})[0]), 0.45891659998325657, 1e-12);
}

TEST(NoiseCovariance, MoreNoiseSecretsAndHonestNodesHideMore)
{
    const Pairs ring = Circulant(12, {1});
    const Pairs denser = Circulant(12, {1, 3});
    double last = Mu(12, ring, 0.5, 0.0);
    EXPECT_NEAR(last, 2.0, 1e-12); // C / own: what is left if all others collude
    for (const double pair : {0.1, 1.0, 3.0, 30.0})
    {
        const double mu = Mu(12, ring, 0.5, pair);
        EXPECT_LT(mu, last);
        EXPECT_LT(Mu(12, denser, 0.5, pair), mu);
        EXPECT_LT(Mu(12, ring, 0.6, pair), mu);
        EXPECT_GT(Mu(12, ring, 0.5, pair, {1}), mu);
        EXPECT_LT(std::sqrt(Exposure(PairNoise(12, ring, 0.5, pair), {}, {1})[0]), mu);
        last = mu;
    }
}

/// The largest exposure of any node and any set of two colluders.
double
WorstOfTwo(NodeId nodes, const std::vector<NodeNoise>& noise)
{
    double worst = 0.0;
    for (NodeId a = 0; a < nodes; ++a)
    {
        for (NodeId b = 0; b < a; ++b)
        {
            const std::vector<double> exposure = Exposure(noise, {b, a});
            worst = std::max(worst, *std::max_element(exposure.begin(), exposure.end()));
        }
    }
    return worst;
}

TEST(FitPairNoise, CompleteGraphsHaveAClosedForm)
{
    for (const std::size_t colluders : {0U, 5U})
    {
        const double m = 20.0 - static_cast<double>(colluders);
        const double kappa = 0.5;
        const PairNoiseScale scale = FitPairNoise(20, Complete(20), {kappa, colluders, true});
        EXPECT_NEAR(scale.own * scale.own, (1.0 + kappa) / m, 1e-6);
        const double pair = (1.0 + kappa) * ((m - 1.0) / kappa - 1.0) / (m * m);
        EXPECT_NEAR(scale.pair * scale.pair, pair, 1e-5 * pair);
        EXPECT_LE(CompleteMu(m, scale.own, scale.pair), 1.0);
    }
}

TEST(FitPairNoise, ManyNodesAreFittedWithoutManyInverses)
{
    const double kappa = 0.5;
    for (const std::size_t colluders : {0U, 5U})
    {
        const double m = 400.0 - static_cast<double>(colluders);
        const PairNoiseScale scale = FitPairNoise(400, Complete(400), {kappa, colluders, true});
        EXPECT_NEAR(scale.own * scale.own, (1.0 + kappa) / m, 1e-6);
        const double pair = (1.0 + kappa) * ((m - 1.0) / kappa - 1.0) / (m * m);
        EXPECT_NEAR(scale.pair * scale.pair, pair, 1e-3 * pair);
        EXPECT_LE(CompleteMu(m, scale.own, scale.pair), 1.0);
        EXPECT_NEAR(CompleteMu(m, scale.own, scale.pair), 1.0, 1e-8);
    }
    const Pairs ring = Circulant(300, {1, 7});
    const PairNoiseScale sparse = FitPairNoise(300, ring, {kappa, 0, false});
    const std::vector<double> exposure =
        Exposure(PairNoise(300, ring, sparse.own, sparse.pair), {});
    const double worst = *std::max_element(exposure.begin(), exposure.end());
    EXPECT_LE(worst, 1.0);
    EXPECT_NEAR(worst, 1.0, 1e-8);
}

TEST(FitPairNoise, LeavesRoomForTheRoundingErrorsOfItsCovariance)
{
    for (const NodeId nodes : {20U, 200U, 300U})
    {
        const Pairs ring = Circulant(nodes, {1});
        const PairNoiseScale scale = FitPairNoise(nodes, ring, {0.05, 0, false});
        const auto noise = PairNoise(nodes, ring, scale.own, scale.pair);
        const auto values = SeenCovariance(noise, {}, FirstSet(nodes)).Eigenvalues();
        const double slack = ExposureSlack(nodes, values.back() / values.front());
        EXPECT_LE(Exposure(noise, {})[0] * slack, 1.0);
    }
}

TEST(FitPairNoise, NoSetOfColludersGetsMoreAndTheWorstGetsThatMuch)
{
    for (const Pairs& pairs : {Exponential(12), Circulant(12, {1, 3}), Complete(12)})
    {
        const PairNoiseScale scale = FitPairNoise(12, pairs, {0.5, 2, false});
        const double worst = WorstOfTwo(12, PairNoise(12, pairs, scale.own, scale.pair));
        EXPECT_LE(worst, 1.0);
        EXPECT_NEAR(worst, 1.0, 1e-8);
    }
}

TEST(FitPairNoise, LargeGraphsAreBoundedByTheirSpectrum)
{
    // Too many sets to examine: C(64, 4) of them.
    const Pairs pairs = Circulant(64, {1, 2, 3, 5, 8, 11, 16, 21, 25, 29});
    const PairNoiseScale scale = FitPairNoise(64, pairs, {0.5, 5, false});
    const std::vector<NodeNoise> noise = PairNoise(64, pairs, scale.own, scale.pair);
    for (const Nodes& set :
         {Nodes{1, 2, 3, 5, 8}, Nodes{16, 21, 25, 29, 63}, Nodes{9, 10, 30, 40, 50}})
    {
        const std::vector<double> exposure = Exposure(noise, set);
        EXPECT_LE(*std::max_element(exposure.begin(), exposure.end()), 1.0);
    }
}

TEST(FitPairNoise, ColludersWhoKnowAllSecretsOfANodeAreRefused)
{
    EXPECT_THROW(FitPairNoise(12, Circulant(12, {1}), {0.5, 2, false}), UsageError);
    EXPECT_NO_THROW(FitPairNoise(12, Circulant(12, {1}), {0.5, 1, false}));
    EXPECT_THROW(FitPairNoise(12, {}, {0.5, 0, false}), UsageError);
    EXPECT_THROW(FitPairNoise(200, Circulant(200, {1, 2, 3, 4}), {0.5, 6, false}), UsageError);
}

/// W'W + 0.01 I.
std::vector<double>
GramOf(const std::vector<double>& mixing, std::size_t n)
{
    std::vector<double> gram(n * n, 0.0);
    for (std::size_t a = 0; a < n; ++a)
    {
        gram[a * n + a] = 0.01;
        for (std::size_t b = 0; b < n; ++b)
        {
            for (std::size_t row = 0; row < n; ++row)
            {
                gram[a * n + b] += mixing[row * n + a] * mixing[row * n + b];
            }
        }
    }
    return gram;
}

/// tr(H Sigma).
double
Cost(const std::vector<double>& gram, const std::vector<NodeNoise>& noise)
{
    const std::size_t n = noise.size();
    double cost = 0.0;
    for (std::size_t a = 0; a < n; ++a)
    {
        for (std::size_t b = 0; b < n; ++b)
        {
            for (const SharedNoise& term : noise[a].shared)
            {
                cost += term.stream < noise[b].shared.size()
                            ? gram[a * n + b] * term.weight * noise[b].shared[term.stream].weight
                            : 0.0;
            }
        }
    }
    return cost;
}

TEST(OptimalNoise, CirculantsHaveAClosedFormAndADigraphItsPublishedValue)
{
    for (const double own : {0.5, 0.6})
    {
        std::vector<double> mixing(64, 0.0);
        double roots = 0.0;
        for (std::size_t i = 0; i < 8; ++i)
        {
            mixing[i * 8 + i] = own;
            mixing[(i + 1) % 8 * 8 + i] = 1.0 - own;
            const double square =
                own * own + (1.0 - own) * (1.0 - own) +
                2.0 * own * (1.0 - own) * std::cos(2.0 * M_PI * static_cast<double>(i) / 8.0);
            roots += std::sqrt(square + 0.01);
        }
        const std::vector<double> gram = GramOf(mixing, 8);
        EXPECT_NEAR(Cost(gram, OptimalNoise(gram, 8)), roots * roots / 8.0, 1e-7);
        EXPECT_NEAR(roots * roots / 8.0,
                    own == 0.5 ? 3.3577953590144087 : 3.6755606387112616,
                    1e-9);
    }
    const std::vector<double> gram =
        GramOf({0.5, 0.0, 0.25, 0.0, 0.5, 0.5, 0.0, 0.25, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.25, 0.75},
               4);
    const std::vector<NodeNoise> noise = OptimalNoise(gram, 4);
    EXPECT_NEAR(Cost(gram, noise), 1.8534733970587163, 1e-7);
    for (const double exposure : Exposure(noise, {}))
    {
        EXPECT_NEAR(exposure, 1.0, 1e-9);
    }
}

TEST(OptimalNoise, OverRoundsHasThePublishedErrorOfPrefixSums)
{
    for (const auto& [rounds, expected] :
         std::vector<std::pair<std::size_t, double>>{{16, 1.6894036819986678},
                                                     {48, 2.0131329158586966}})
    {
        // H = A'A of the matrix of prefix sums.
        std::vector<double> gram(rounds * rounds);
        for (std::size_t a = 0; a < rounds; ++a)
        {
            for (std::size_t b = 0; b < rounds; ++b)
            {
                gram[a * rounds + b] = static_cast<double>(rounds - std::max(a, b));
            }
        }
        const double cost = Cost(gram, OptimalNoise(gram, rounds));
        EXPECT_NEAR(std::sqrt(cost / static_cast<double>(rounds)), expected, 1e-8);
    }
}

} // namespace
} // namespace dpdl
