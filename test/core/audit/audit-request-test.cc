// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../pieces.h"
#include "dpdl/audit/audit-request.h"
#include "dpdl/audit/canary-game.h"
#include "dpdl/base/errors.h"

namespace dpdl
{

namespace
{

std::string
MessageOf(const std::vector<std::string>& arguments)
{
    try
    {
        ParseAuditArguments(arguments);
    }
    catch (const UsageError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(AuditRequest, ReadsEqualSteps)
{
    const AuditRequest request =
        ParseAuditArguments(Pieces("--noise=0.5 --rate=0.01 --steps=100 --delta=1e-5 --epsilon=2 "
                                   "--shift=2 --runs=77 --confidence=0.999 --seed=4 --json"));
    EXPECT_EQ(request.form, AuditForm::STEPS);
    EXPECT_EQ(request.group.noise, 0.5);
    EXPECT_EQ(request.group.rate, 0.01);
    EXPECT_EQ(request.group.steps, 100U);
    EXPECT_EQ(request.question.delta, 1e-5);
    EXPECT_EQ(request.claimed, 2.0);
    EXPECT_EQ(request.sampler, "fixed");
    EXPECT_EQ(request.runs, 77U);
    EXPECT_EQ(request.confidence, 0.999);
    EXPECT_EQ(request.seed.seed, 4U);
    EXPECT_TRUE(request.json);
    EXPECT_FALSE(request.oneRun);
}

TEST(AuditRequest, OptionsDecideTheForm)
{
    EXPECT_EQ(ParseAuditArguments({"--trace=a.db"}).form, AuditForm::TRACE);
    EXPECT_EQ(ParseAuditArguments({"--schedule=a.csv", "--delta=0.1"}).form, AuditForm::SCHEDULE);
    EXPECT_EQ(ParseAuditArguments({"--game=dpps-scalar"}).form, AuditForm::DPPS_SCALAR);
    EXPECT_TRUE(ParseAuditArguments({"--game=one-run", "--trace=a.db"}).oneRun);
    EXPECT_TRUE(ParseAuditArguments({"--help", "--steps=0"}).help);
    const AuditRequest literal =
        ParseAuditArguments(Pieces("--algorithm=dyn-d2p --localSamples=2500 --rounds=10 "
                                   "--epsilon=1 --delta=1e-4 --mode=paper --muGrowth=2 --literal"));
    EXPECT_EQ(literal.form, AuditForm::CLAIM);
    EXPECT_EQ(literal.sampler, "fixed");
    EXPECT_EQ(literal.question.adjacency, Adjacency::REPLACE);
    EXPECT_EQ(literal.mode, Mode::PAPER);
    EXPECT_EQ(literal.parameters.at("muGrowth"), 2.0);
}

TEST(AuditRequest, MistakesNameTheOption)
{
    for (const auto& [arguments, part] : MistakesOf("audit"))
    {
        const std::string message = MessageOf(Pieces(arguments));
        EXPECT_NE(message.find(part), std::string::npos) << part << " | " << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
    }
}

namespace
{

Release
MakeRelease(const std::string& sampler, double rate, ReleaseFlag flags = ReleaseFlag::NONE)
{
    return {0, 0, "gaussian", sampler, rate, 3.0, 2.0, flags, 0, 4};
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
    Release fields{0, 0, "none", "poisson", 0.5};
    EXPECT_EQ(StepOf(fields, Adjacency::ADD_REMOVE).shift, LARGEST_SHIFT);
    fields.mechanism = "gaussian";
    fields.noise = 1.0; // without a clip bound
    EXPECT_EQ(StepOf(fields, Adjacency::ADD_REMOVE).shift, LARGEST_SHIFT);
}

TEST(CanarySchedule, RefusesWhatItCannotPlay)
{
    EXPECT_THROW(CanarySteps({MakeRelease("magic", 0.1)}, Adjacency::ADD_REMOVE), UsageError);
    EXPECT_THROW(CanarySteps({MakeRelease("poisson", 1.1)}, Adjacency::ADD_REMOVE), UsageError);
    Release fields = MakeRelease("poisson", 0.1);
    fields.mechanism = "laplace";
    EXPECT_THROW(CanarySteps({fields}, Adjacency::ADD_REMOVE), UsageError);
}
} // namespace dpdl
