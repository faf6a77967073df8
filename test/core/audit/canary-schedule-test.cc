// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/audit/canary-game.h"
#include "dpdl/base/errors.h"

#include <gtest/gtest.h>

namespace dpdl
{

namespace
{

Release
MakeRelease(const std::string& sampler, double rate, ReleaseFlag flags = ReleaseFlag::NONE)
{
    Release fields;
    fields.mechanism = "gaussian";
    fields.sampler = sampler;
    fields.rate = rate;
    fields.sensitivity = 3.0;
    fields.noise = 2.0;
    fields.flags = flags;
    fields.epoch = 4;
    return Release(fields);
}

CanaryStep
StepOf(const Release& release, Adjacency adjacency)
{
    const std::vector<CanaryStep> steps = CanarySteps({release}, adjacency);
    EXPECT_EQ(steps.size(), 1U);
    return steps.at(0);
}

} // namespace

TEST(CanarySchedule, ShiftFollowsSamplerAndAdjacency)
{
    const Adjacency comes = Adjacency::ADD_REMOVE;
    const Adjacency changes = Adjacency::REPLACE;
    EXPECT_EQ(StepOf(MakeRelease("poisson", 0.1), comes).shift, 1.5);
    EXPECT_EQ(StepOf(MakeRelease("poisson", 0.1), changes).shift, 1.5);
    EXPECT_EQ(StepOf(MakeRelease("fixed", 0.1), comes).shift, 3.0);
    EXPECT_EQ(StepOf(MakeRelease("fixed", 0.1), changes).shift, 3.0);
    EXPECT_EQ(StepOf(MakeRelease("full", 1.0), comes).shift, 1.5);
    EXPECT_EQ(StepOf(MakeRelease("full", 1.0), changes).shift, 3.0);
    // A batch clipped as a whole stays within its bound: Mu() counts the two bounds already.
    const Release whole = MakeRelease("fixed", 0.1, ReleaseFlag::BATCH_CLIP);
    EXPECT_EQ(StepOf(whole, comes).shift, 3.0);
    EXPECT_EQ(StepOf(whole, changes).shift, 3.0);
}

TEST(CanarySchedule, BatchesOfAnEpochAreAGroup)
{
    EXPECT_EQ(StepOf(MakeRelease("shuffle", 0.1), Adjacency::ADD_REMOVE).group, 5U);
    EXPECT_EQ(StepOf(MakeRelease("shuffle", 1.0), Adjacency::ADD_REMOVE).group, 0U);
    EXPECT_EQ(StepOf(MakeRelease("poisson", 0.1), Adjacency::ADD_REMOVE).group, 0U);
}

TEST(CanarySchedule, WhatNoNodeCanInfluenceIsLeftOut)
{
    EXPECT_TRUE(CanarySteps({MakeRelease("poisson", 0.0)}, Adjacency::ADD_REMOVE).empty());
}

TEST(CanarySchedule, NoNoiseIsTheLargestShift)
{
    Release fields;
    fields.rate = 0.5;
    fields.sampler = "poisson";
    EXPECT_EQ(StepOf(Release(fields), Adjacency::ADD_REMOVE).shift, LARGEST_SHIFT);
    fields.mechanism = "gaussian";
    fields.noise = 1.0; // without a clip bound
    EXPECT_EQ(StepOf(Release(fields), Adjacency::ADD_REMOVE).shift, LARGEST_SHIFT);
}

TEST(CanarySchedule, RefusesWhatItCannotPlay)
{
    EXPECT_THROW(CanarySteps({MakeRelease("magic", 0.1)}, Adjacency::ADD_REMOVE), UsageError);
    EXPECT_THROW(CanarySteps({MakeRelease("poisson", 1.1)}, Adjacency::ADD_REMOVE), UsageError);
    Release fields = MakeRelease("poisson", 0.1);
    fields.mechanism = "laplace";
    EXPECT_THROW(CanarySteps({Release(fields)}, Adjacency::ADD_REMOVE), UsageError);
}

} // namespace dpdl
