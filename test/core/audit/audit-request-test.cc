// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

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

void
ExpectMistake(const std::vector<std::string>& arguments, const std::string& part)
{
    const std::string message = MessageOf(arguments);
    EXPECT_NE(message.find(part), std::string::npos) << part << " | " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
}

} // namespace

TEST(AuditRequest, ReadsEqualSteps)
{
    const AuditRequest request = ParseAuditArguments({"--noise=0.5",
                                                      "--rate=0.01",
                                                      "--steps=100",
                                                      "--delta=1e-5",
                                                      "--epsilon=2",
                                                      "--shift=2",
                                                      "--runs=77",
                                                      "--confidence=0.999",
                                                      "--seed=4",
                                                      "--json"});
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
    const AuditRequest literal = ParseAuditArguments({"--algorithm=dyn-d2p",
                                                      "--localSamples=2500",
                                                      "--rounds=10",
                                                      "--epsilon=1",
                                                      "--delta=1e-4",
                                                      "--mode=paper",
                                                      "--muGrowth=2",
                                                      "--literal"});
    EXPECT_EQ(literal.form, AuditForm::CLAIM);
    EXPECT_EQ(literal.sampler, "fixed");
    EXPECT_EQ(literal.adjacency, Adjacency::REPLACE);
    EXPECT_EQ(literal.mode, "paper");
    EXPECT_EQ(literal.parameters.at("muGrowth"), 2.0);
}

TEST(AuditRequest, MistakesNameTheOption)
{
    ExpectMistake({}, "--noise, --schedule, --algorithm, --trace");
    ExpectMistake({"noise"}, "argument");
    ExpectMistake({"--nose=1", "--delta=0.1"}, "'noise'");
    ExpectMistake({"--noise"}, "'--noise' is not accepted; expected --noise=VALUE");
    ExpectMistake({"--json=1"}, "'--json=1' is not accepted; expected --json without");
    ExpectMistake({"--noise=1", "--noise=2"}, "'--noise=2' is not accepted; expected every");
    ExpectMistake({"--noise=1"},
                  "option 'delta' is missing with --noise; expected --delta=VALUE, ");
    ExpectMistake({"--noise=0", "--delta=0.1"}, "option 'noise': '0'");
    ExpectMistake({"--noise=x", "--delta=0.1"}, "option 'noise': 'x'");
    ExpectMistake({"--noise=1", "--delta=1"}, "option 'delta': '1'");
    ExpectMistake({"--noise=1", "--rate=1.5", "--delta=0.1"}, "option 'rate': '1.5'");
    ExpectMistake({"--noise=1", "--epsilon=-1", "--delta=0.1"}, "option 'epsilon': '-1'");
    ExpectMistake({"--noise=1", "--steps=99999999999999999999", "--delta=0.1"}, "option 'steps'");
    ExpectMistake({"--noise=1", "--runs=3", "--delta=0.1"}, "option 'runs': '3'");
    ExpectMistake({"--noise=1", "--confidence=1", "--delta=0.1"}, "option 'confidence': '1'");
    ExpectMistake({"--game=canari", "--delta=0.1", "--noise=1"}, "'canary'");
    ExpectMistake({"--game=dpps-scalar", "--noise=1"},
                  "option 'noise': '1' is not accepted; expected with --game=dpps-scalar only: ");
    ExpectMistake({"--noise=1", "--delta=0.1", "--shift=2", "--sampler=poisson"}, "exclude");
    ExpectMistake({"--noise=1", "--delta=0.1", "--sampler=none", "--rate=0.5"}, "option 'rate'");
    ExpectMistake({"--game=norm-ratio", "--delta=0.1", "--ratio=1"}, "option 'ratio': '1'");
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
