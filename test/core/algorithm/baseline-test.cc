// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

// Laws that the algorithms beside the papers share. test/system/replay_*.py computes their steps.

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <limits>
#include <tuple>

namespace dpdl
{
namespace
{

TEST(Baselines, Learn)
{
    for (const auto& [name, hyper, rounds, epsilon] : {std::tuple{"a-dp2-sgd", "", 60U, 30.0},
                                                       {"fed-an", "", 60U, 30.0},
                                                       {"mapa", "", 60U, 30.0},
                                                       {"momentum-d2p", "", 60U, 30.0},
                                                       {"dfedsam", "iterations=2", 30U, 100.0},
                                                       {"fed-cdp", "iterations=2", 30U, 100.0},
                                                       {"fed-dpa", "", 40U, 300.0},
                                                       {"ppsgd", "", 40U, 300.0}})
    {
        StepRun run({MakeAlgorithm(name, hyper), rounds, 10, "poisson", true, epsilon});
        run.Run();
        EXPECT_GT(run.Accuracy(), 0.6) << name << ": a guess has 1/3";
    }
}

/// The final states of a run with common clip bound and step.
std::vector<std::vector<float>>
StatesOf(AlgorithmPreset preset, GossipOrder order)
{
    preset.stepSize = 0.3;
    preset.clip = 1.5;
    preset.order = order;
    return StepRun({std::move(preset)}).Run();
}

TEST(Baselines, WithoutTheirPartsAreConstD2p)
{
    const auto constant = StatesOf(MakeAlgorithm("const-d2p"), GossipOrder::STEP_FIRST);
    for (const auto& [name, hyper, isConstant] :
         {std::tuple{"dfedsam", "iterations=1,radius=0", true},
          {"dfedsam", "iterations=1,radius=1", false},
          {"fed-an", "decay=0", true},
          {"fed-an", "", false},
          {"mapa", "stages=1", true},
          {"mapa", "stages=2", false},
          {"momentum-d2p", "momentum=0", true},
          {"momentum-d2p", "", false},
          {"adp-vrsgp", "sdlr=0,pgf=0,psi=1", true},
          {"adp-vrsgp", "sdlr=0,theta=0,psi=1", true},
          {"adp-vrsgp", "sdlr=0,psi=1", false},
          {"lambda-cgd", "lambda=0", true},
          {"bandmf", "bands=1", true},
          {"mafalda", "bands=1", true},
          {"a-dp2-sgd", "", true}})
    {
        const auto states = StatesOf(MakeAlgorithm(name, hyper), GossipOrder::STEP_FIRST);
        EXPECT_EQ(states == constant, isConstant) << name << " " << hyper;
    }
    EXPECT_EQ(MakeAlgorithm("a-dp2-sgd").order, GossipOrder::SEND_FIRST);
}

TEST(Baselines, ReleaseEveryIterationAndSpendTheCertifiedBudget)
{
    const ReleaseFlag perExample = ReleaseFlag::FLOAT_NOISE;
    const ReleaseFlag ofTheNode = ReleaseFlag::BATCH_CLIP | ReleaseFlag::FLOAT_NOISE;
    for (const auto& [name, hyper, iterations, clip, flags] :
         {std::tuple{"a-dp2-sgd", "", 1U, 2.0, perExample},
          {"mapa", "", 1U, 2.0, perExample},
          {"fed-an", "decay=2", 1U, 2.0, perExample},
          {"dfedsam", "", 5U, 2.0, perExample},
          {"fed-cdp", "iterations=3", 3U, 4.0, perExample}, // of all tensors together
          // A part that stays at the node makes every gradient depend on every example.
          {"fed-dpa", "", 1U, 1.0, ofTheNode},
          {"ppsgd", "", 1U, 1.0, ofTheNode}})
    {
        const AlgorithmPreset preset = MakeAlgorithm(name, hyper);
        const StepRun run({preset});
        const std::vector<Release> releases = run.Plan().Releases(1);
        ASSERT_EQ(releases.size(), 6 * iterations) << name;
        EXPECT_EQ(run.Plan().At(1, 0).clip, clip) << name;
        for (std::size_t i = 0; i < releases.size(); ++i)
        {
            const Release& fields = releases[i];
            EXPECT_EQ(fields.round, i / iterations) << name;
            EXPECT_EQ(fields.stream, i % iterations) << name;
            EXPECT_EQ(fields.sensitivity, run.Plan().At(1, fields.round).clip) << name;
            EXPECT_EQ(fields.sampler, flags == ofTheNode ? "full" : "poisson") << name;
            EXPECT_EQ(fields.rate, flags == ofTheNode ? 1.0 : 0.2) << name;
            EXPECT_EQ(fields.flags, flags) << name;
        }
        const double certified = run.Plan().Guarantees()->Of(releases).epsilon;
        EXPECT_LE(certified, 4.0) << name;
        EXPECT_GT(certified, 3.99) << name;
        EXPECT_NE(preset.claim.reason, "") << name;
        EXPECT_EQ(run.Plan().ClaimedEpsilon(0, 6), std::numeric_limits<double>::infinity()) << name;
    }
}

// As with option share, which replaces the algorithm's own number of parts.
TEST(Baselines, PpsgdClipsAndNoisesEverythingThatTravels)
{
    AlgorithmPreset wide = MakeAlgorithm("ppsgd");
    wide.sharedLayers = 2;
    StepRun run({wide});
    StepRun other({MakeAlgorithm("ppsgd", "sharedLayers=2")});
    StepRun narrow({MakeAlgorithm("ppsgd")});
    EXPECT_EQ(run.Run(), other.Run());
    EXPECT_NE(run.Run(), narrow.Run());
}

// The certificate rests on this: other pictures at both nodes, no noise.
TEST(Baselines, OtherDataMoveTheSharedPartByAtMostTwiceTheClipBoundARound)
{
    for (const char* name : {"fed-dpa", "ppsgd"})
    {
        for (const double clip : {0.01, 0.1})
        {
            AlgorithmPreset preset = MakeAlgorithm(name);
            preset.clip = clip;
            StepRun run({preset, 8, 4, "poisson", false, 4.0, 0});
            StepRun other({preset, 8, 4, "poisson", false, 4.0, 1});
            run.Run();
            other.Run();
            const double bound = 8.0 * 2.0 * preset.stepSize * clip;
            EXPECT_LE(run.SharedDistanceTo(other), bound) << name;
            EXPECT_GT(run.SharedDistanceTo(other), bound / 50.0) << name;
        }
    }
}

} // namespace
} // namespace dpdl
