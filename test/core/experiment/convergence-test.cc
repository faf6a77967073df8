// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"
#include "least-squares.h"

#include <algorithm>
#include <cstring>

namespace dpdl
{
namespace
{

using Vector = LeastSquares::Vector;
using States = std::vector<std::vector<Vector>>; // [round][node]

constexpr std::size_t LOCAL = 100;

/// Runs on a strongly convex problem whose optimum is known: least squares, with full batches, from
/// zero, every node on its own hundred examples.
class ConvergenceTest : public ExperimentTest
{
  protected:
    RunOptions Quadratic(const std::string& algorithm, std::size_t nodes, Round rounds) const
    {
        RunOptions settings = Small();
        settings.algorithm = algorithm;
        settings.dataset = "linear-regression";
        settings.model = "linear-regression";
        settings.partition = "contiguous";
        settings.sampler = "full";
        settings.topology = "complete";
        settings.init = "zero";
        settings.stepScale = StepScale::PLAIN;
        settings.traceLevel = TraceLevel::SUMMARY;
        settings.nodes = nodes;
        settings.samples = nodes * LOCAL;
        settings.testSamples = 1;
        settings.rounds = rounds;
        settings.stepSize = 0.3;
        settings.evaluateEvery = 0;
        settings.snapshotEvery = 1;
        settings.measureQ = false;
        return settings;
    }

    /// z of every node, round by round.
    States StatesOf(const RunOptions& settings)
    {
        Run(settings);
        States states(settings.rounds + 1, std::vector<Vector>(settings.nodes));
        SQLite::Database database(m_path, SQLite::OPEN_READONLY);
        SQLite::Statement row(database, "SELECT round, node, z FROM snapshot");
        while (row.executeStep())
        {
            std::vector<float> z(static_cast<std::size_t>(row.getColumn(2).getBytes()) / 4);
            std::memcpy(z.data(), row.getColumn(2).getBlob(), 4 * z.size());
            states[row.getColumn(0).getUInt()][row.getColumn(1).getUInt()].assign(z.begin(),
                                                                                  z.end());
        }
        return states;
    }

    /// The problem of nodes begin..end-1 together.
    static LeastSquares ProblemOf(std::size_t begin, std::size_t end)
    {
        const auto dataset = LoadDataset("linear-regression", "", end * LOCAL, 1);
        return LeastSquares(dataset->train, begin * LOCAL, end * LOCAL);
    }
};

// On a complete graph all nodes are at their mean after every round, and that does gradient descent
// on the mean loss: z - z* shrinks by I - gamma H, in the long run by 1 - gamma lambda_min.
TEST_F(ConvergenceTest, OnACompleteGraphPushSumIsGradientDescent)
{
    const RunOptions settings = Quadratic("sgp", 4, 400);
    const LeastSquares problem = ProblemOf(0, 4);
    const Vector optimum = problem.Optimum();
    const Vector spectrum = problem.Eigenvalues();
    const States states = StatesOf(settings);
    Vector expected(optimum.size());
    for (Round round = 0; round <= settings.rounds; ++round)
    {
        for (const Vector& z : states[round])
        {
            ASSERT_LT(DistanceOf(z, expected), 2e-6) << round;
        }
        const Vector gradient = problem.Gradient(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            expected[i] -= *settings.stepSize * gradient[i];
        }
    }
    const double smallest = *std::min_element(spectrum.begin(), spectrum.end());
    ASSERT_GT(smallest, 0.01);
    const double rate =
        std::pow(DistanceOf(states[400][0], optimum) / DistanceOf(states[200][0], optimum),
                 1.0 / 200.0);
    EXPECT_NEAR(rate, 1.0 - *settings.stepSize * smallest, 1e-4);
}

// With noise of deviation s on a mean gradient, an eigenvalue l of H has a stationary variance of
// gamma^2 s^2 / (1 - (1 - gamma l)^2); its squares at two times are correlated by (1 - gamma l)^2
// to the power of their distance.
TEST_F(ConvergenceTest, ConstantNoiseLeavesABallOfThePredictedRadius)
{
    const LeastSquares problem = ProblemOf(0, 4);
    RunOptions settings = Quadratic("const-d2p", 4, 4000);
    settings.clip = 6.0; // above any gradient here
    settings.epsilon = 200.0;
    settings.stepSize = 0.5;
    const States states = StatesOf(settings);
    EXPECT_EQ(Value("SELECT MAX(clipped) FROM round_by_node WHERE round < 4000"), "0.0");
    const double deviation =
        std::stod(Value("SELECT DISTINCT noise FROM release")) / (LOCAL * std::sqrt(4.0));
    double expected = 0.0;
    double variance = 0.0;
    for (const double eigenvalue : problem.Eigenvalues())
    {
        const double square = std::pow(1.0 - *settings.stepSize * eigenvalue, 2);
        const double own = std::pow(*settings.stepSize * deviation, 2) / (1.0 - square);
        expected += own;
        variance += 2.0 * own * own * (1.0 + square) / (1.0 - square);
    }
    constexpr Round BEGIN = 1000;
    double squares = 0.0;
    for (Round round = BEGIN; round < settings.rounds; ++round)
    {
        squares += std::pow(DistanceOf(states[round + 1][0], problem.Optimum()), 2);
    }
    const double rounds = settings.rounds - BEGIN;
    EXPECT_NEAR(squares / rounds, expected, 4.0 * std::sqrt(variance / rounds));
    EXPECT_LT(4.0 * std::sqrt(variance / rounds), 0.7 * expected);
}

} // namespace
} // namespace dpdl
