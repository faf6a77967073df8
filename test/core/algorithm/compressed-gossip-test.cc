// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/wrapped-graphs.h"
#include "gossip-run.h"

#include <gtest/gtest.h>
#include <string>

namespace dpdl
{
namespace
{

constexpr RandomSeed GOSSIP_SEED{3, 4};

/// The topologies of the tests, mixing at a compressor's rate.
std::shared_ptr<const GraphSequence>
Lazy(const std::string& topology, const Compressor& compressor)
{
    const std::shared_ptr<GraphSequence> graph =
        topology == "unbalanced" ? std::const_pointer_cast<GraphSequence>(MakeGraph(UNBALANCED, 5))
                                 : std::const_pointer_cast<GraphSequence>(MakeGraph(topology, 8));
    return std::make_shared<LazyGraphs>(graph, compressor.MixingRate());
}

/// Rounds with loss, then rounds that bring everything home.
std::unique_ptr<GossipRun>
RunWithLoss(const std::string& topology,
            const Compression& compression,
            LossPolicy policy,
            std::size_t chunk,
            Round rounds)
{
    auto run =
        std::make_unique<GossipRun>(Lazy(topology, *compression.compressor), rounds, policy, chunk);
    run->Compress(compression);
    for (Round round = 0; round < rounds; ++round)
    {
        run->Step(round < rounds - 40 ? RandomLoss(0.2) : GossipRun::Network());
    }
    return run;
}

TEST(CompressedGossip, WhatCompressionLeavesOutIsNeitherLostNorMade)
{
    for (const char* topology : {"exponential", "complete", "unbalanced"})
    {
        for (const char* how : {"quantize:3", "quantize:8", "top-k:0.3", "random-k:0.3"})
        {
            const auto compressor = MakeCompressor(how, GOSSIP_SEED);
            for (const bool ofDifferences : {false, true})
            {
                for (const LossPolicy policy : {LossPolicy::REFUND, LossPolicy::RUNNING_SUM})
                {
                    const bool isHeard = policy == LossPolicy::REFUND;
                    if (compressor->IsSparse() != ofDifferences || (ofDifferences && !isHeard))
                    {
                        continue;
                    }
                    for (const std::size_t chunk : {std::size_t{0}, std::size_t{3}})
                    {
                        const auto run = RunWithLoss(topology,
                                                     {compressor, ofDifferences},
                                                     policy,
                                                     ofDifferences ? 0 : chunk,
                                                     100);
                        EXPECT_EQ(run->Mass().Lost(), 0.0);
                        EXPECT_GT(run->Counts().refunded + run->Counts().owed, 0u);
                        const std::vector<double> mean = run->Mean(run->Finish());
                        const std::vector<float> found(mean.begin(), mean.end());
                        EXPECT_LT(GossipRun::Distance({found}, run->InitialMean()), 1e-5)
                            << topology << " " << how;
                    }
                }
            }
        }
    }
}

TEST(CompressedGossip, DifferencesEndAtTheAverageAndModelsAsFarFromItAsTheirLevels)
{
    for (const char* topology : {"exponential", "unbalanced"})
    {
        for (const char* how : {"quantize:3", "top-k:0.3", "random-k:0.3"})
        {
            const auto compressor = MakeCompressor(how, GOSSIP_SEED);
            const auto run = RunWithLoss(topology, {compressor, true}, LossPolicy::REFUND, 0, 1500);
            EXPECT_LT(GossipRun::Distance(run->Finish(), run->InitialMean()), 1e-5)
                << topology << " " << how;
        }
        const Compression models{MakeCompressor("quantize:8", GOSSIP_SEED)};
        const auto run = RunWithLoss(topology, models, LossPolicy::REFUND, 0, 300);
        const double distance = GossipRun::Distance(run->Finish(), run->InitialMean());
        EXPECT_LT(distance, 0.02) << topology;
        EXPECT_GT(distance, 1e-4) << topology;
    }
}

} // namespace
} // namespace dpdl
