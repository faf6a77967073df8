// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/learner.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr std::size_t SIZE = 10; ///< parameters of the model: weights [2, 4], then biases [2]
constexpr double STEP = 0.05;

using Vector = std::vector<double>;

/// Gradient at z of the one example, four pixels of 128 / 255 with label 1, by the book.
Vector
GradientAt(const Vector& z)
{
    constexpr double PIXEL = 128.0 / 255.0;
    double score[2];
    for (std::size_t c = 0; c < 2; ++c)
    {
        score[c] = z[8 + c];
        for (std::size_t p = 0; p < 4; ++p)
        {
            score[c] += PIXEL * z[4 * c + p];
        }
    }
    const double first = 1.0 / (1.0 + std::exp(score[1] - score[0]));
    Vector gradient(SIZE, 0.0);
    for (std::size_t c = 0; c < 2; ++c)
    {
        const double delta = c == 0 ? first : -first;
        std::fill_n(gradient.begin() + 4 * c, 4, delta * PIXEL);
        gradient[8 + c] = delta;
    }
    return gradient;
}

/// x^{k+1} = P x^k - gamma c g(x^k / w^k) in double, with the entries of P that got lost set to 0.
class Recursion
{
  public:
    Recursion(const GraphSequence& graph,
              const ChunkLayout& chunks,
              StepScale scale,
              bool renormalises,
              const std::vector<std::vector<float>>& start)
        : m_graph(graph),
          m_chunks(chunks),
          m_isPlain(scale == StepScale::PLAIN),
          m_renormalises(renormalises),
          m_w(graph.Nodes(), Vector(SIZE, 1.0))
    {
        for (const std::vector<float>& values : start)
        {
            m_x.emplace_back(values.begin(), values.end());
        }
    }

    void Step(Round round, const GossipRun::Network& network)
    {
        std::vector<Vector> x(m_x.size(), Vector(SIZE, 0.0));
        std::vector<Vector> w = x;
        for (NodeId from = 0; from < m_x.size(); ++from)
        {
            Add(from, from, round, {}, x, w);
            for (const NodeId to : m_graph.OutNeighbours(from, round))
            {
                Add(from, to, round, network, x, w);
            }
        }
        for (NodeId node = 0; node < m_x.size(); ++node)
        {
            Finish(GradientAt(Z(node)), x[node], w[node]);
        }
        m_x = x;
        m_w = w;
    }

    Vector Z(NodeId node) const
    {
        Vector z = m_x[node];
        for (std::size_t i = 0; i < SIZE; ++i)
        {
            z[i] /= m_w[node][i];
        }
        return z;
    }

    double Weight(NodeId node, std::size_t i) const
    {
        return m_w[node][i];
    }

  private:
    /// Adds what one node gives another, chunk by chunk, as far as it arrives.
    void Add(NodeId from,
             NodeId to,
             Round round,
             const GossipRun::Network& network,
             std::vector<Vector>& x,
             std::vector<Vector>& w) const
    {
        const double weight = m_graph.Weight(from, to, round);
        for (std::size_t chunk = 0; chunk < m_chunks.Count(); ++chunk)
        {
            Share share{from, to, round, weight, ScaledDouble(1.0), {}, 0};
            share.chunk = static_cast<std::uint16_t>(chunk);
            if (network && network(share) == Fate::LOSE)
            {
                continue;
            }
            const std::size_t end = std::min(SIZE, m_chunks.End(chunk));
            for (std::size_t i = m_chunks.Begin(chunk); i < end; ++i)
            {
                x[to][i] += weight * m_x[from][i];
                w[to][i] += weight * m_w[from][i];
            }
        }
    }

    void Finish(const Vector& gradient, Vector& x, Vector& w) const
    {
        for (std::size_t i = 0; i < SIZE; ++i)
        {
            x[i] /= m_renormalises ? w[i] : 1.0;
            w[i] = m_renormalises ? 1.0 : w[i];
            x[i] -= STEP * gradient[i] * (m_isPlain ? 1.0 : w[i]);
        }
    }

    const GraphSequence& m_graph;
    ChunkLayout m_chunks;
    bool m_isPlain;
    bool m_renormalises;
    std::vector<Vector> m_x;
    std::vector<Vector> m_w; ///< by node and coordinate
};

AlgorithmPreset
PresetOf(const std::string& name)
{
    AlgorithmPreset preset = MakeAlgorithm(name);
    preset.stepSize = STEP;
    return preset;
}

void
ExpectRecursion(const std::string& graphText,
                LossPolicy policy,
                StepScale scale,
                std::size_t chunk,
                const GossipRun::Network& network)
{
    constexpr Round ROUNDS = 40;
    const auto graph = MakeGraph(graphText, 5);
    GossipRun run(graph, ROUNDS, policy, chunk);
    run.Train(PresetOf("overlap-sgp"), scale);
    Recursion expected(*graph,
                       run.Chunks(),
                       scale,
                       policy == LossPolicy::RENORMALISE,
                       run.Initial());
    for (Round round = 0; round < ROUNDS; ++round)
    {
        run.Step(network);
        expected.Step(round, network);
        ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5) << round;
    }
    const auto states = run.Finish();
    for (NodeId node = 0; node < 5; ++node)
    {
        for (std::size_t i = 0; i < SIZE; ++i)
        {
            EXPECT_NEAR(states[node][i], expected.Z(node)[i], 1e-5) << node << " " << i;
        }
        const double w = run.At(node).Weight().ToDouble();
        if (chunk == 0)
        {
            EXPECT_NEAR(w, expected.Weight(node, 0), 1e-12 * w);
        }
    }
}

TEST(SendFirst, IsTheRecursionOfMatricesOnUnbalancedGraphsWithLosses)
{
    for (const char* graph : {UNBALANCED, WEIGHTED, "star", "exponential"})
    {
        for (const LossPolicy policy : {LossPolicy::NONE, LossPolicy::RENORMALISE})
        {
            for (const StepScale scale : {StepScale::PLAIN, StepScale::BY_WEIGHT})
            {
                for (const std::size_t chunk : {0U, 4U})
                {
                    ExpectRecursion(graph, policy, scale, chunk, {});
                    ExpectRecursion(graph, policy, scale, chunk, RandomLoss(0.1));
                }
            }
        }
    }
}

TEST(SendFirst, MassIsConservedUnderEveryPolicy)
{
    for (const LossPolicy policy : {LossPolicy::RUNNING_SUM, LossPolicy::REFUND})
    {
        GossipRun run(MakeGraph(UNBALANCED, 5), 60, policy);
        run.Train(PresetOf("overlap-sgp"), StepScale::PLAIN);
        for (Round round = 0; round < 60; ++round)
        {
            run.Step(round < 40 ? RandomLoss(0.3) : GossipRun::Network());
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5) << round;
        }
        EXPECT_EQ(run.Mass().Lost(), 0.0);
        EXPECT_EQ(run.Counts().used, run.Counts().sent);
    }
}

// Lian et al., Algorithm 1: x_i <- sum_j W_ij x_j - gamma g(x_i), W of a ring.
TEST(SendFirst, DPsgdOnARingKeepsItsWeights)
{
    constexpr Round ROUNDS = 30;
    GossipRun run(MakeGraph("undirected-ring", 5), ROUNDS, LossPolicy::NONE);
    run.Train(PresetOf("d-psgd"), StepScale::PLAIN);
    std::vector<Vector> x;
    for (const std::vector<float>& values : run.Initial())
    {
        x.emplace_back(values.begin(), values.end());
    }
    for (Round round = 0; round < ROUNDS; ++round)
    {
        run.Step();
        std::vector<Vector> next = x;
        for (std::size_t node = 0; node < 5; ++node)
        {
            const Vector gradient = GradientAt(x[node]);
            for (std::size_t i = 0; i < SIZE; ++i)
            {
                const double around = x[(node + 4) % 5][i] + x[(node + 1) % 5][i];
                next[node][i] = (x[node][i] + around) / 3.0 - STEP * gradient[i];
            }
        }
        x = next;
    }
    const auto states = run.Finish();
    for (NodeId node = 0; node < 5; ++node)
    {
        EXPECT_NEAR(run.At(node).Weight().ToDouble(), 1.0, 1e-14);
        EXPECT_LT(GossipRun::Distance({states[node]}, x[node]), 1e-5);
    }
}

TEST(SendFirst, SharesLeaveOnceAndBeforeTheStepEnds)
{
    GossipRun run(MakeGraph("complete", 3), 2, LossPolicy::NONE);
    run.Train(PresetOf("overlap-sgp"), StepScale::PLAIN);
    for (NodeId node = 0; node < 3; ++node)
    {
        EXPECT_TRUE(run.At(node).SendAhead(0.0).empty()) << "no round has begun";
        run.At(node).BeginRound(0.0);
    }
    const std::vector<Share> sent = run.At(0).SendAhead(0.0);
    ASSERT_EQ(sent.size(), 2U);
    const ParameterVector& z = *sent.front().z;
    EXPECT_EQ(std::vector<float>(z.Data(), z.Data() + z.Size()), run.Initial().front());
    EXPECT_TRUE(run.At(0).SendAhead(0.0).empty());
    EXPECT_TRUE(run.At(0).FinishStep(1.0).empty());
    EXPECT_EQ(run.At(1).FinishStep(1.0).size(), 2U) << "who has not sent ahead sends now";
}

TEST(SendFirst, ACrashInTheStepSendsNothingTwice)
{
    for (const bool keepState : {true, false})
    {
        GossipRun run(MakeGraph("complete", 5), 30, LossPolicy::NONE);
        GossipRun undisturbed(MakeGraph("complete", 5), 30, LossPolicy::NONE);
        for (GossipRun* one : {&run, &undisturbed})
        {
            one->Train(PresetOf("overlap-sgp"), StepScale::BY_WEIGHT);
            one->SetInitial();
        }
        for (NodeId node = 0; node < 5; ++node)
        {
            run.At(node).BeginRound(0.0);
        }
        std::vector<Share> sent;
        for (NodeId node = 0; node < 5; ++node)
        {
            const std::vector<Share>& shares = run.At(node).SendAhead(0.0);
            sent.insert(sent.end(), shares.begin(), shares.end());
        }
        run.At(3).Crash(keepState, 0.5);
        run.At(3).Recover(0.7);
        for (const Share& share : sent)
        {
            run.At(share.target).Receive(share, 0.8);
        }
        EXPECT_EQ(run.At(3).MeasureStep() > 0.0, keepState);
        for (NodeId node = 0; node < 5; ++node)
        {
            EXPECT_TRUE(run.At(node).FinishStep(1.0).empty());
            run.At(node).Mix(1.0);
        }
        undisturbed.Step();
        for (Round round = 1; round < 30; ++round)
        {
            run.Step();
            undisturbed.Step();
            ASSERT_LE(std::fabs(run.Mass().Error()), 1e-12 * 5);
        }
        EXPECT_EQ(run.Counts().sent, undisturbed.Counts().sent);
        EXPECT_NEAR(run.Mass().Lost(), keepState ? 0.0 : 0.2, 1e-15);
        EXPECT_EQ(run.Finish() == undisturbed.Finish(), keepState);
    }
}

} // namespace
} // namespace dpdl
