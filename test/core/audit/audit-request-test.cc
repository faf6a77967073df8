// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../mistakes.h"
#include "../pieces.h"
#include "dpdl/audit/audit-request.h"
#include "dpdl/base/errors.h"

#include <gtest/gtest.h>

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
    EXPECT_EQ(request.noise, 0.5);
    EXPECT_EQ(request.rate, 0.01);
    EXPECT_EQ(request.steps, 100U);
    EXPECT_EQ(request.delta, 1e-5);
    EXPECT_EQ(request.epsilon, 2.0);
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
    EXPECT_EQ(literal.adjacency, Adjacency::REPLACE);
    EXPECT_EQ(literal.mode, "paper");
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

TEST(AuditRequest, HelpNamesEveryOption)
{
    const std::string help = AuditHelp();
    for (const char* name : {"--noise", "--trace", "--algorithm", "--game", "--runs", "--json"})
    {
        EXPECT_NE(help.find(name), std::string::npos) << name;
    }
}

} // namespace dpdl
