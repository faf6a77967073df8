// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/algorithm/algorithms.h"
#include "step-run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{
namespace
{

using Vector = StepRun::Vector;

constexpr double LAMBDA_1 = 0.3;
constexpr double LAMBDA_2 = 0.2;
constexpr double THRESHOLD = 0.4;
const char* const HYPER = "threshold=0.4,lambda1=0.3,lambda2=0.2,passes=3";

/// A node's own model, and which of its coordinates are personal.
struct Own
{
    Vector y = Vector(27, 0.0);
    std::vector<bool> isPersonal = std::vector<bool>(27, false);
};

double
DistanceOf(const ParameterTensor& tensor, const Vector& y, const Vector& z)
{
    double square = 0.0;
    for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
    {
        square += (y[i] - z[i]) * (y[i] - z[i]);
    }
    return std::sqrt(square);
}

/// The slopes of both regularisers at y, by coordinate.
Vector
Pull(const StepRun& run, const Own& own, const Vector& z, double bound)
{
    double total = 0.0;
    for (const ParameterTensor& tensor : run.Model().Parameters())
    {
        total += DistanceOf(tensor, own.y, z);
    }
    Vector pull(z.size(), 0.0);
    for (const ParameterTensor& tensor : run.Model().Parameters())
    {
        const double distance = DistanceOf(tensor, own.y, z);
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size && distance > 0.0; ++i)
        {
            const double sign = total > bound ? 1.0 : -1.0;
            const double lambda = own.isPersonal[i] ? LAMBDA_1 : LAMBDA_2 * sign;
            pull[i] = lambda / 2.0 * (own.y[i] - z[i]) / distance;
        }
    }
    return pull;
}

void
Personalise(const StepRun& run, const std::vector<std::uint32_t>& batch, Own& own)
{
    const Vector fisher = run.Sum(own.y, batch, [](Vector& gradient) {
        for (double& value : gradient)
        {
            value *= value;
        }
    });
    for (const ParameterTensor& tensor : run.Model().Parameters())
    {
        const auto first = fisher.begin() + static_cast<std::ptrdiff_t>(tensor.offset);
        const auto range =
            std::minmax_element(first, first + static_cast<std::ptrdiff_t>(tensor.size));
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.size; ++i)
        {
            own.isPersonal[i] =
                (fisher[i] - *range.first) / (*range.second - *range.first) > THRESHOLD;
        }
    }
}

TEST(FedDpa, FollowsItsRecursion)
{
    StepRun run({MakeAlgorithm("fed-dpa", HYPER), 6, 5, "fixed"});
    run.Run();
    const RoundRule& rule = run.Plan().At(0, 0);
    const double step = rule.stepSize;
    std::vector<Own> nodes(StepRun::NODES);
    const auto replay = run.Replay([&](NodeId node, Round round, Vector& z) {
        Own& own = nodes[node];
        for (std::size_t i = 0; i < z.size(); ++i)
        {
            own.y[i] = own.isPersonal[i] ? own.y[i] : z[i];
        }
        const auto batch = run.BatchOf(node, round);
        for (int pass = 0; pass < 3; ++pass)
        {
            Vector slope = Pull(run, own, z, step * rule.clip);
            const Vector sum = run.Sum(own.y, batch, [](Vector&) {});
            StepRun::AddStep(slope, -1.0 / 5.0, sum, Vector(z.size(), 0.0));
            StepRun::AddStep(own.y, step, slope, Vector(z.size(), 0.0));
        }
        Personalise(run, batch, own);
        Vector mean = z;
        StepRun::AddStep(mean, 1.0, own.y, Vector(z.size(), 0.0));
        for (double& value : mean)
        {
            value /= step;
        }
        StepRun::Clip(mean, rule.clip, 0, mean.size());
        StepRun::AddStep(z, step, mean, run.NoiseOf(node, round, rule.noise, z.size()));
    });
    EXPECT_LT(run.DistanceTo(replay), 1e-5);
    for (const Own& own : nodes)
    {
        const auto personal = std::count(own.isPersonal.begin(), own.isPersonal.end(), true);
        EXPECT_TRUE(personal > 4 && personal < 23) << personal;
    }
}

TEST(FedDpa, WithoutPersonalCoordinatesItSharesAllAsPpsgdDoes)
{
    StepRun run({MakeAlgorithm("fed-dpa", "threshold=1,passes=1")});
    StepRun shared({MakeAlgorithm("ppsgd", "sharedLayers=2")});
    run.Run();
    shared.Run();
    EXPECT_LT(run.DistanceTo(shared), 1e-5);
    StepRun personal({MakeAlgorithm("fed-dpa", "passes=1")});
    personal.Run();
    EXPECT_GT(personal.DistanceTo(shared), 1e-3);
}

TEST(FedDpa, ReleasesAreOfTheWholeNodeWithoutAmplification)
{
    const StepRun run({MakeAlgorithm("fed-dpa")});
    const std::vector<Release> releases = run.Plan().Releases(0);
    ASSERT_EQ(releases.size(), 6U);
    for (const Release& release : releases)
    {
        EXPECT_EQ(release.Get().sampler, "full");
        EXPECT_EQ(release.Get().rate, 1.0);
        EXPECT_EQ(release.Get().sensitivity, 1.0);
        EXPECT_EQ(release.Flags(), ReleaseFlag::BATCH_CLIP | ReleaseFlag::FLOAT_NOISE);
    }
    const double epsilon = run.Plan().Guarantees()->Of(releases).epsilon;
    EXPECT_LE(epsilon, 4.0);
    EXPECT_GT(epsilon, 3.99);
}

// What the certificate rests on, with other pictures at both nodes and without noise.
TEST(FedDpa, OtherDataMoveWhatIsSharedByAtMostTwiceTheClipBoundARound)
{
    for (const double clip : {0.01, 0.1})
    {
        AlgorithmPreset preset = MakeAlgorithm("fed-dpa");
        preset.clip = clip;
        StepRun run({preset, 8, 4, "poisson", false, 4.0, 0});
        StepRun other({preset, 8, 4, "poisson", false, 4.0, 1});
        run.Run();
        other.Run();
        const double bound = 8.0 * 2.0 * preset.stepSize * clip;
        EXPECT_LE(run.SharedDistanceTo(other), bound);
        EXPECT_GT(run.SharedDistanceTo(other), bound / 50.0) << "the bound is worth testing";
    }
}

TEST(FedDpa, Learns)
{
    StepRun run({MakeAlgorithm("fed-dpa"), 40, 10, "poisson", true, 300.0});
    run.Run();
    EXPECT_GT(run.Accuracy(), 0.6) << "a guess has 1/3";
}

} // namespace
} // namespace dpdl
