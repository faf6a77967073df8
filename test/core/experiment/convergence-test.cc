// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "experiment-fixture.h"
#include "least-squares.h"

#include <algorithm>
#include <cmath>
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

    static Vector Mean(const std::vector<Vector>& states)
    {
        Vector mean(states[0].size());
        for (const Vector& state : states)
        {
            for (std::size_t i = 0; i < mean.size(); ++i)
            {
                mean[i] += state[i] / static_cast<double>(states.size());
            }
        }
        return mean;
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

/// What push-sum over a star does to the problems of its nodes, written out in double precision.
class StarReplay
{
  public:
    StarReplay(std::vector<LeastSquares> problems, double step)
        : m_problems(std::move(problems)),
          m_step(step),
          m_x(m_problems.size(), Vector(m_problems[0].b.size())),
          m_w(m_problems.size(), 1.0)
    {
    }

    Vector StateOf(std::size_t node) const
    {
        Vector z = m_x[node];
        for (double& value : z)
        {
            value /= m_w[node];
        }
        return z;
    }

    std::vector<Vector> States() const
    {
        std::vector<Vector> states;
        for (std::size_t node = 0; node < m_x.size(); ++node)
        {
            states.push_back(StateOf(node));
        }
        return states;
    }

    /// Node 0 keeps and sends n-th parts, all others keep one half and send the other to it.
    void Step()
    {
        const std::size_t nodes = m_x.size();
        std::vector<Vector> x(nodes, Vector(m_x[0].size()));
        Vector w(nodes);
        for (std::size_t source = 0; source < nodes; ++source)
        {
            const Vector gradient = m_problems[source].Gradient(StateOf(source));
            const double share = source == 0 ? 1.0 / static_cast<double>(nodes) : 0.5;
            for (std::size_t target = 0; target < nodes; ++target)
            {
                if (source != 0 && target != 0 && target != source)
                {
                    continue;
                }
                w[target] += share * m_w[source];
                for (std::size_t i = 0; i < gradient.size(); ++i)
                {
                    x[target][i] += share * (m_x[source][i] - m_step * gradient[i]);
                }
            }
        }
        m_x.swap(x);
        m_w.swap(w);
    }

  private:
    std::vector<LeastSquares> m_problems;
    double m_step;
    std::vector<Vector> m_x;
    Vector m_w;
};

// Over a star, whose hub ends up with more mass than the others, push-sum still finds the optimum
// of the mean loss, but for what a constant step leaves: a bias that shrinks as the step does.
TEST_F(ConvergenceTest, OnAnUnbalancedGraphPushSumFindsTheOptimum)
{
    RunOptions settings = Quadratic("sgp", 5, 1000);
    settings.topology = "star";
    settings.stepSize = 0.2;
    const States states = StatesOf(settings);
    const LeastSquares all = ProblemOf(0, 5);
    const Vector spectrum = all.Eigenvalues();
    const double smallest = *std::min_element(spectrum.begin(), spectrum.end());
    std::vector<LeastSquares> problems;
    for (std::size_t node = 0; node < 5; ++node)
    {
        problems.push_back(ProblemOf(node, node + 1));
    }
    std::vector<double> biases;
    for (const double step : {0.2, 0.01, 0.005})
    {
        StarReplay replay(problems, step);
        for (Round round = 0; round < 6000.0 / step; ++round)
        {
            if (step > 0.1 && round <= settings.rounds)
            {
                for (std::size_t node = 0; node < 5; ++node)
                {
                    ASSERT_LT(DistanceOf(states[round][node], replay.StateOf(node)), 5e-6) << round;
                }
            }
            replay.Step();
        }
        biases.push_back(DistanceOf(Mean(replay.States()), all.Optimum()));
        if (step > 0.1)
        {
            const Vector limit = Mean(replay.States());
            const double rate = std::pow(DistanceOf(Mean(states[1000]), limit) /
                                             DistanceOf(Mean(states[600]), limit),
                                         1.0 / 400.0);
            EXPECT_NEAR(rate, 1.0 - step * smallest, 0.05 * step * smallest);
        }
    }
    EXPECT_LT(biases[0], 0.003);
    EXPECT_NEAR(biases[2] / biases[1], 0.5, 0.02);
}

// Steps by weight pull at x by gamma w: what is found is the optimum of the losses weighted by the
// mass that the graph gives each node.
TEST_F(ConvergenceTest, StepsByWeightFindTheOptimumThatTheGraphWeighs)
{
    RunOptions settings = Quadratic("sgp", 5, 2500);
    settings.topology = "star";
    settings.stepScale = StepScale::BY_WEIGHT;
    settings.stepSize = 0.1;
    settings.snapshotEvery = settings.rounds;
    const Vector found = Mean(StatesOf(settings).back());
    // A leaf keeps half of its mass and gets a fifth of the hub's: w_i = 2 w_0 / 5, 5 in all.
    const Vector mass{25.0 / 13.0, 10.0 / 13.0, 10.0 / 13.0, 10.0 / 13.0, 10.0 / 13.0};
    LeastSquares weighted = ProblemOf(0, 1);
    for (std::size_t i = 0; i < weighted.b.size(); ++i)
    {
        weighted.b[i] = 0.0;
        weighted.h[i].assign(weighted.b.size(), 0.0);
        for (std::size_t node = 0; node < 5; ++node)
        {
            const LeastSquares own = ProblemOf(node, node + 1);
            weighted.b[i] += mass[node] / 5.0 * own.b[i];
            for (std::size_t j = 0; j < weighted.b.size(); ++j)
            {
                weighted.h[i][j] += mass[node] / 5.0 * own.h[i][j];
            }
        }
    }
    const double apart = DistanceOf(weighted.Optimum(), ProblemOf(0, 5).Optimum());
    EXPECT_GT(apart, 0.005);
    EXPECT_LT(DistanceOf(found, weighted.Optimum()), 0.2 * apart);
}

// Nodes that send before they step end near the optimum, at the same rate: what one step moves them
// apart is all that they differ by.
TEST_F(ConvergenceTest, NodesThatSendBeforeTheyStepConvergeAsFast)
{
    const LeastSquares problem = ProblemOf(0, 4);
    const Vector spectrum = problem.Eigenvalues();
    for (const std::string algorithm : {"d-psgd", "overlap-sgp"})
    {
        const RunOptions settings = Quadratic(algorithm, 4, 1500);
        const States states = StatesOf(settings);
        const Vector limit = Mean(states.back());
        const double smallest = *std::min_element(spectrum.begin(), spectrum.end());
        const double pull = *settings.stepSize * smallest;
        const double rate =
            std::pow(DistanceOf(Mean(states[1000]), limit) / DistanceOf(Mean(states[600]), limit),
                     1.0 / 400.0);
        EXPECT_LT(DistanceOf(limit, problem.Optimum()), 0.01) << algorithm;
        EXPECT_NEAR(rate, 1.0 - pull, 0.05 * pull) << algorithm;
    }
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
