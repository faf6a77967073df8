// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "gossip-run.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

constexpr std::size_t TRACKERS = 5;
constexpr std::size_t TRACKED = 10;

/// Sum of the trackers at the nodes and of those that links owe, and of the latest gradients.
class TrackedSums
{
  public:
    explicit TrackedSums(GossipRun& run)
        : m_run(run),
          m_latest(TRACKERS, std::vector<float>(TRACKED, 0.0F))
    {
        run.Watch([this](const NodeJob& job) {
            if (job.update.enabled)
            {
                std::copy_n(job.memory.front()->Data(), TRACKED, m_latest[job.node].begin());
            }
        });
    }

    /// The largest difference of the two sums, relative to the second; between sending and mixing,
    /// if no message is compressed, or after the last round.
    double Error() const
    {
        double error = 0.0;
        double scale = 0.0;
        for (std::size_t i = 0; i < TRACKED; ++i)
        {
            double tracked = 0.0;
            double latest = 0.0;
            for (NodeId node = 0; node < TRACKERS; ++node)
            {
                tracked += m_run.Mass().Weight(node, 1).ToDouble() *
                           m_run.At(node).State()->Data()[TRACKED + i];
                latest += m_latest[node][i];
            }
            for (const auto& [ends, chunks] : m_run.Context().links)
            {
                for (const Share& share : chunks.at(1).Owed())
                {
                    tracked += share.mass.ToDouble() * share.z->Data()[TRACKED + i];
                }
            }
            error = std::max(error, std::abs(tracked - latest));
            scale = std::max(scale, std::abs(latest));
        }
        return error / scale;
    }

  private:
    GossipRun& m_run;
    std::vector<std::vector<float>> m_latest; ///< by node
};

AlgorithmPreset
WithoutNoise(const std::string& name = "r-fast")
{
    AlgorithmPreset preset = MakeAlgorithm(name);
    preset.isPrivate = false;
    preset.stepSize = 0.05;
    return preset;
}

TEST(RFast, TrackersAddUpToTheLatestGradientsWhateverIsLost)
{
    constexpr Round ROUNDS = 100;
    for (const char* graph : {"exponential", UNBALANCED})
    {
        GossipRun run(MakeGraph(graph, TRACKERS), ROUNDS, LossPolicy::RUNNING_SUM, 0, 10, true);
        run.Train(WithoutNoise(), StepScale::PLAIN);
        const TrackedSums sums(run);
        for (Round round = 0; round < ROUNDS; ++round)
        {
            if (round == 40)
            {
                run.At(3).Crash(true, 0.0);
                run.At(3).Recover(0.0);
            }
            run.Step(RandomLoss(0.3), [&](const std::vector<Share>&) {
                // Models and trackers are float32.
                EXPECT_LT(sums.Error(), 2e-5) << graph << " " << round;
            });
            EXPECT_LE(std::abs(run.Mass().Error()), 1e-12 * TRACKERS);
        }
        EXPECT_GT(run.Counts().owed, 50u);
    }
}

TEST(RFast, NodesThatStartApartFollowTheSameGradient)
{
    GossipRun run(MakeGraph(UNBALANCED, TRACKERS), 2000, LossPolicy::RUNNING_SUM, 0, 10, true);
    run.Train(WithoutNoise(), StepScale::PLAIN);
    double first = 0.0;
    double last = 0.0;
    run.Watch([&](const NodeJob& job) { (job.round == 0 ? first : last) = job.batch.lossSum; });
    for (Round round = 0; round < 2000; ++round)
    {
        run.Step(RandomLoss(0.3));
    }
    EXPECT_LT(last, 0.1 * first);
}

} // namespace
} // namespace dpdl
