// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../pieces.h"
#include "dpdl/base/errors.h"
#include "dpdl/topology/effective-neighbours.h"
#include "dpdl/topology/topologies.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

const double PI = std::acos(-1.0);

EffectiveNeighbours
Measure(const std::string& topology, std::size_t nodes, double gamma, std::size_t mostDense = 1000)
{
    return MeasureEffectiveNeighbours(*MakeGraphSequence(topology, nodes, {}), gamma, mostDense);
}

/// The formula of the paper for a static graph of n nodes with these |l_i|^2.
template <typename SquaredModulus>
double
OfSpectrum(std::size_t n, double gamma, SquaredModulus modulus)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
    {
        const double square = modulus(static_cast<double>(i));
        sum += square / (1.0 - gamma * square);
    }
    return static_cast<double>(n) / ((1.0 - gamma) * sum);
}

TEST(EffectiveNeighbours, AreAllWithTheCompleteGraphAndOneWithoutEdges)
{
    for (const double gamma : {0.0, 0.5, 0.99})
    {
        EXPECT_NEAR(Measure("complete", 17, gamma).value, 17.0, 1e-7);
        EXPECT_NEAR(Measure("none", 17, gamma).value, 1.0, 1e-9);
        EXPECT_NEAR(Measure("complete", 17, gamma, 2).value, 17.0, 1e-3);
    }
}

TEST(EffectiveNeighbours, OfStaticCirculantsFollowFromTheirSpectra)
{
    for (const std::size_t n : {5, 16, 101})
    {
        for (const double gamma : {0.0, 0.7, 0.95})
        {
            const double step = PI / static_cast<double>(n);
            const auto ring = [&](double i) { return std::pow(std::cos(step * i), 2); };
            EXPECT_NEAR(Measure("ring", n, gamma).value, OfSpectrum(n, gamma, ring), 1e-7);
            const auto both = [&](double i) {
                return std::pow((1.0 + 2.0 * std::cos(2.0 * step * i)) / 3.0, 2);
            };
            EXPECT_NEAR(Measure("undirected-ring", n, gamma).value,
                        OfSpectrum(n, gamma, both),
                        1e-7);
        }
    }
}

TEST(EffectiveNeighbours, OfALongRingAreOneAndTheRootOfTheMemory)
{
    EXPECT_NEAR(Measure("ring", 400, 0.9).value, 1.0 + std::sqrt(10.0), 1e-7);
}

/// With all rounds of a hypercube the walk is that of the mean and of modes that a round erases.
TEST(EffectiveNeighbours, OfAHypercubeFollowFromWhatEachRoundErases)
{
    const double gamma = 0.8;
    // Noise k rounds old is spread over 2^(k + 1) nodes, at most n.
    double variance = 0.0;
    for (int age = 0; age < 400; ++age)
    {
        variance += std::pow(gamma, age) / std::min(16.0, std::pow(2.0, age + 1));
    }
    EXPECT_NEAR(Measure("hypercube", 16, gamma).value, 1.0 / (0.2 * variance), 1e-7);
}

TEST(EffectiveNeighbours, WithoutMatricesAreThoseOfMatrices)
{
    for (const std::string& topology :
         Pieces("ring exponential out-degree:4 star lollipop random-static:0.1 undirected-ring"))
    {
        for (const double gamma : {0.5, 0.9})
        {
            const EffectiveNeighbours dense = Measure(topology, 60, gamma);
            const EffectiveNeighbours sparse = Measure(topology, 60, gamma, 2);
            EXPECT_EQ(dense.error, 0.0);
            EXPECT_GT(sparse.error, 0.0);
            EXPECT_LT(sparse.error, 0.05 * dense.value) << topology;
            EXPECT_NEAR(sparse.value, dense.value, 4.0 * sparse.error) << topology;
        }
    }
}

TEST(EffectiveNeighbours, NeedGraphsThatAreKnownBeforeTheRun)
{
    const std::string live = EnterTopology([](Round) { return std::vector<Edge>(); });
    EXPECT_THROW(Measure(live, 4, 0.9), UsageError);
    EXPECT_GT(Measure("random-peer", 20, 0.9).value, 2.0);
}

} // namespace
} // namespace dpdl
