// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/exact-event.h"

#include <cmath>
#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

std::vector<float>
Normals(Round round, float scale)
{
    std::vector<float> normals(500);
    RandomStream({2, 1}, RandomPurpose::TEST, 0, round).FillNormal(normals.data(), normals.size());
    for (float& normal : normals)
    {
        normal *= scale;
    }
    return normals;
}

} // namespace

TEST(ExactEvent, ZeroGradientDeltaMatchesTheClosedForm)
{
    EXPECT_NEAR(ZeroGradientDelta(2500, 3500), 0.7534720919555402, 1e-14);
    EXPECT_NEAR(ZeroGradientDelta(3000, 2200), 0.519753412351122, 1e-14);
    EXPECT_EQ(ZeroGradientDelta(1, 3), 1.0);
    EXPECT_EQ(ZeroGradientDelta(100, 0), 0.0);
}

TEST(ExactEvent, RepeatedNoiseIsFound)
{
    const float sigma = 3.0F;
    std::vector<std::vector<float>> releases;
    for (Round round = 0; round < 5; ++round)
    {
        releases.push_back(Normals(round, sigma));
        releases.back()[round] += 4.0F; // another gradient each time
    }
    EXPECT_TRUE(FindRepeatedNoise(releases, 3.0).empty());
    releases[4] = Normals(1, sigma);
    releases[4][7] -= 4.0F;
    const auto pairs = FindRepeatedNoise(releases, 3.0);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0], (std::pair<std::size_t, std::size_t>{1, 4}));
    EXPECT_TRUE(FindRepeatedNoise({}, 1.0).empty());
}

TEST(ExactEvent, VanishedNoiseIsFound)
{
    std::vector<Release> releases;
    for (const double noise : {1.0, 1e-30, 1e-44, 0.0})
    {
        Release::Fields fields;
        fields.mechanism = "gaussian";
        fields.noise = noise;
        releases.emplace_back(fields);
    }
    EXPECT_EQ(FindVanishedNoise(releases, 0.01), (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(FindVanishedNoise(releases, 1e-20), (std::vector<std::size_t>{1, 2, 3}));
}

TEST(ExactEvent, ScalarGivesEveryDistanceAway)
{
    // The best rule without the scalar is right with probability 1 - exp(-distance/2)/2.
    for (const double distance : {0.1, 1.0, 4.0})
    {
        const ScalarGuesses guesses = PlayBroadcastScalar(distance, 20, 4000, {4, 1});
        EXPECT_EQ(guesses.withScalar, guesses.runs);
        EXPECT_NEAR(static_cast<double>(guesses.withoutScalar) / 4000.0,
                    1.0 - 0.5 * std::exp(-0.5 * distance),
                    0.03);
    }
}

} // namespace dpdl
