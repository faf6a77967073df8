// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <gtest/gtest.h>
#include <map>

namespace dpdl
{
namespace
{

TEST(MomentumD2p, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("momentum-d2p", "momentum=0.7")});
    run.Run();
    std::map<NodeId, StepRun::Vector> momentum;
    const auto replay = run.Replay([&](NodeId node, Round round, StepRun::Vector& z) {
        const auto sum = run.Sum(z, run.BatchOf(node, round), [](StepRun::Vector& gradient) {
            StepRun::Clip(gradient, 2.0, 0, gradient.size());
        });
        const double deviation = 2.0 / run.Plan().At(node, round).mu;
        const auto noise = run.NoiseOf(node, round, deviation, z.size());
        StepRun::Vector& m = momentum[node];
        m.resize(z.size());
        for (std::size_t i = 0; i < z.size(); ++i)
        {
            m[i] = 0.7 * m[i] + sum[i] + noise[i];
            z[i] -= 0.1 * m[i] / 4.0;
        }
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
}

TEST(MomentumD2p, WithoutMomentumIsConstD2p)
{
    AlgorithmPreset preset = MakeAlgorithm("momentum-d2p", "momentum=0");
    preset.stepSize = MakeAlgorithm("const-d2p").stepSize;
    StepRun still({preset});
    StepRun constant({MakeAlgorithm("const-d2p")});
    EXPECT_EQ(still.Run(), constant.Run());
}

TEST(MomentumD2p, ReleasesWhatConstD2pReleases)
{
    const StepRun run({MakeAlgorithm("momentum-d2p")});
    const StepRun constant({MakeAlgorithm("const-d2p")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    const std::vector<Release> expected = constant.Plan().Releases(0);
    ASSERT_EQ(releases.size(), expected.size());
    for (std::size_t k = 0; k < releases.size(); ++k)
    {
        EXPECT_EQ(releases[k].NoiseMultiplier(), expected[k].NoiseMultiplier());
        EXPECT_EQ(releases[k].Get().flags, expected[k].Get().flags);
    }
}

TEST(MomentumD2p, Learns)
{
    StepRun run({MakeAlgorithm("momentum-d2p"), 60, 10, "poisson", true, 30.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
