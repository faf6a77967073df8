// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/accounting/account-options.h"
#include "dpdl/algorithm/algorithms.h"
#include "dpdl/algorithm/planned-claim.h"

#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace dpdl
{
namespace
{

AccountRequest
Parse(const std::string& line)
{
    std::istringstream words(line);
    return ParseAccountArguments({std::istream_iterator<std::string>(words), {}});
}

TEST(AccountOptions, EqualSteps)
{
    const AccountRequest request =
        Parse("--noise=1.1 --rate=0.01 --steps=1000 --delta=1e-6 --adjacency=replace "
              "--accountant=rdp --mechanism=laplace --sampler=without-replacement --json");
    EXPECT_EQ(request.form, AccountForm::CONSTANT);
    EXPECT_EQ(request.group.noise, 1.1);
    EXPECT_EQ(request.group.rate, 0.01);
    EXPECT_EQ(request.group.steps, 1000U);
    EXPECT_EQ(request.group.mechanism, "laplace");
    EXPECT_EQ(request.group.sampler, "fixed");
    EXPECT_EQ(request.question.delta, 1e-6);
    EXPECT_EQ(request.question.adjacency, Adjacency::REPLACE);
    EXPECT_EQ(request.question.direction, Direction::BOTH);
    EXPECT_EQ(request.accountant, "rdp");
    EXPECT_TRUE(request.json);
}

TEST(AccountOptions, Defaults)
{
    const AccountRequest request = Parse("--noise=1.1 --rate=0.01 --steps=1000 --delta=1e-6");
    EXPECT_EQ(request.group.mechanism, "gaussian");
    EXPECT_EQ(request.group.sampler, "poisson");
    EXPECT_EQ(request.question.adjacency, Adjacency::ADD_REMOVE);
    EXPECT_EQ(request.accountant, "pld");
    EXPECT_FALSE(request.json);
    EXPECT_FALSE(request.help);
}

TEST(AccountOptions, TheRateFromABatch)
{
    EXPECT_EQ(Parse("--noise=1 --batch=64 --localSamples=2500 --steps=1 --delta=0.1").group.rate,
              64.0 / 2500);
    EXPECT_EQ(Parse("--noise=1 --sampler=none --steps=1 --delta=0.1").group.rate, 1.0);
    EXPECT_EQ(Parse("--noise=1 --sampler=none --rate=1 --steps=1 --delta=0.1").group.rate, 1.0);
}

TEST(AccountOptions, TheOtherForms)
{
    const AccountRequest schedule = Parse("--schedule=s.csv --delta=1e-5 --remove-only");
    EXPECT_EQ(schedule.form, AccountForm::SCHEDULE);
    EXPECT_EQ(schedule.schedule, "s.csv");
    EXPECT_EQ(schedule.question.direction, Direction::REMOVE);
    const AccountRequest calibration =
        Parse("--calibrate --epsilon=2 --rate=0.1 --steps=5 --delta=1e-5");
    EXPECT_EQ(calibration.form, AccountForm::CALIBRATION);
    EXPECT_EQ(calibration.epsilon, 2.0);
    const AccountRequest claim =
        Parse("--algorithm=adp-vrsgp --localSamples=7500 --rounds=1000 --epsilon=2 --delta=1e-5 "
              "--mode=paper --c2=3 --batchClip");
    EXPECT_EQ(claim.form, AccountForm::CLAIM);
    EXPECT_EQ(claim.mode, Mode::PAPER);
    EXPECT_EQ(claim.parameters.at("c2"), 3.0);
    EXPECT_EQ(claim.parameters.count("batchClip"), 1U);
    EXPECT_EQ(Parse("--algorithm=clip-d2p --localSamples=10 --rounds=5 --noise=0.5 --delta=0.1")
                  .parameters.at("noise"),
              0.5);
    EXPECT_EQ(Parse("--algorithm=sgp --localSamples=10 --rounds=5 --delta=0.1").epsilon, 1.0)
        << "the usual target, which nothing reaches for";
}

TEST(AccountOptions, EveryParameterOfAnAlgorithmIsAnOption)
{
    for (const PartInfo& info : Algorithms().List())
    {
        for (const ParameterInfo& parameter : ClaimParameters(info.name))
        {
            EXPECT_NE(AccountHelp().find("  --" + parameter.name), std::string::npos);
        }
    }
}

} // namespace
} // namespace dpdl
