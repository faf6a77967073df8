// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "gossip-run.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <set>

namespace dpdl
{
namespace
{

constexpr std::size_t RECEIVERS = 8;

/// What a run of plain means should end with, coordinate by coordinate, in double.
std::vector<std::vector<double>>
ExpectedMeans(const GossipRun& run, const GraphSequence& graph, Round rounds, double loss)
{
    const auto network = RandomLoss(loss);
    std::vector<std::vector<double>> states;
    for (const std::vector<float>& start : run.Initial())
    {
        states.emplace_back(start.begin(), start.end());
    }
    const std::size_t chunks = run.Chunks().Count();
    for (Round round = 0; round < rounds; ++round)
    {
        auto next = states;
        for (std::size_t i = 0; i < states.front().size(); ++i)
        {
            const auto chunk = static_cast<std::uint16_t>(i / run.Chunks().Size(0));
            for (NodeId node = 0; node < RECEIVERS; ++node)
            {
                double sum = states[node][i];
                double count = 1.0;
                for (const NodeId source :
                     graph.InNeighbours(node, static_cast<Round>(round * chunks + chunk)))
                {
                    Share share{source, node, round, 0.0, {}, {}, 0};
                    share.chunk = chunk;
                    const bool arrives = network(share) == Fate::ARRIVE;
                    sum += arrives ? states[source][i] : 0.0;
                    count += arrives ? 1.0 : 0.0;
                }
                next[node][i] = sum / count;
            }
        }
        states = next;
    }
    return states;
}

TEST(RandomTargets, AllFragmentsFromAllAreThePlainAverage)
{
    GossipRun run(MakeGraph("complete", RECEIVERS), 1, LossPolicy::RENORMALISE, 3);
    run.Scatter();
    run.Step();
    EXPECT_LT(GossipRun::Distance(run.Finish(), run.InitialMean()), 1e-7);
}

TEST(RandomTargets, EachCoordinateIsThePlainMeanOfWhatArrivedAndTheOwnOne)
{
    constexpr Round ROUNDS = 6;
    for (const double loss : {0.0, 0.3})
    {
        for (const std::size_t chunk : {0, 3})
        {
            const auto graph = MakeGraph("random-out:2", RECEIVERS);
            GossipRun run(graph, ROUNDS, LossPolicy::RENORMALISE, chunk);
            run.Scatter();
            const auto expected = ExpectedMeans(run, *graph, ROUNDS, loss);
            for (Round round = 0; round < ROUNDS; ++round)
            {
                run.Step(RandomLoss(loss));
                EXPECT_LE(std::abs(run.Mass().Error()), 1e-12 * RECEIVERS);
            }
            EXPECT_EQ(run.Counts().sent, ROUNDS * RECEIVERS * 2 * run.Chunks().Count());
            const auto states = run.Finish();
            for (NodeId node = 0; node < RECEIVERS; ++node)
            {
                EXPECT_LT(GossipRun::Distance({states[node]}, expected[node]), 1e-6);
            }
        }
    }
}

TEST(RandomTargets, FragmentsOfAModelGoToDifferentNodes)
{
    GossipRun run(MakeGraph("random-out:2", RECEIVERS), 1, LossPolicy::RENORMALISE, 2);
    run.Scatter();
    std::map<NodeId, std::set<NodeId>> targets;
    run.Step([&](const Share& share) {
        targets[share.source].insert(share.target);
        return Fate::ARRIVE;
    });
    std::size_t reached = 0;
    for (const auto& [source, found] : targets)
    {
        reached += found.size();
        EXPECT_EQ(found.count(source), 0u);
    }
    EXPECT_GT(reached, 4 * RECEIVERS) << "5 fragments to 2 of 7 nodes each; in one piece: 2";
}

TEST(RandomTargets, TopologiesFollowTheNumberOfNodes)
{
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(20), "random-out:5");
    EXPECT_EQ(MakeAlgorithm("epidemic").topology(2), "random-out:1");
    EXPECT_EQ(MakeAlgorithm("divshare").topology(20), "random-out:4");
    EXPECT_EQ(MakeAlgorithm("divshare", "out=7").topology(20), "random-out:7");
    EXPECT_EQ(MakeAlgorithm("ad-psgd").topology(20), "pairwise");
}

TEST(RandomTargets, ReleaseWhatConstD2pReleases)
{
    const StepRun constant({MakeAlgorithm("const-d2p")});
    const std::vector<Release> expected = constant.Plan().Releases(0);
    for (const char* name : {"epidemic", "divshare", "ad-psgd", "r-fast"})
    {
        const std::vector<Release> releases = StepRun({MakeAlgorithm(name)}).Plan().Releases(0);
        ASSERT_EQ(releases.size(), expected.size()) << name;
        for (std::size_t k = 0; k < releases.size(); ++k)
        {
            EXPECT_EQ(releases[k].NoiseMultiplier(), expected[k].NoiseMultiplier()) << name;
            EXPECT_EQ(releases[k].Get().flags, expected[k].Get().flags) << name;
        }
    }
}

} // namespace
} // namespace dpdl
