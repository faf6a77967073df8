// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "../usage-message.h"
#include "dpdl/accounting/account-options.h"
#include "dpdl/algorithm/algorithms.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace dpdl
{
namespace
{

AccountRequest
Parse(const std::string& line)
{
    std::istringstream words(line);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;)
    {
        arguments.push_back(word);
    }
    return ParseAccountArguments(arguments);
}

std::string
MessageFor(const std::string& line)
{
    return UsageMessage([&]() { Parse(line); });
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
    EXPECT_EQ(Parse("--algorithm=sgp --localSamples=10 --rounds=5 --delta=0.1").epsilon, 0.0)
        << "nothing to reach";
}

/// A command line and a part of its message.
using Mistakes = std::vector<std::pair<std::string, std::string>>;

const std::string STEPS = "--rate=0.01 --steps=10 --delta=1e-5 ";
const std::string GOOD = "--noise=1 " + STEPS;

void
ExpectMessages(const Mistakes& mistakes)
{
    for (const auto& [line, expected] : mistakes)
    {
        EXPECT_NE(MessageFor(line).find(expected), std::string::npos)
            << line << "\ngot: " << MessageFor(line) << "\nexpected: " << expected;
    }
}

TEST(AccountOptions, WhatIsNoOptionIsRefused)
{
    ExpectMessages({
        {"--nois=1", "option: 'nois' is not accepted; expected one of noise, "},
        {"--nois=1", "did you mean 'noise'?"},
        {"noise=1", "argument: 'noise=1' is not accepted; expected options of the form"},
        {"--noise " + STEPS, "argument: '--noise' is not accepted; expected --noise=VALUE"},
        {GOOD + "--json=yes", "'--json=yes' is not accepted; expected --json without a value"},
        {GOOD + "--noise=2", "'--noise=2' is not accepted; expected every option once"},
    });
}

TEST(AccountOptions, NumbersOutOfRangeAreRefused)
{
    ExpectMessages({
        {"--noise=0 " + STEPS, "option 'noise': '0' is not accepted; expected a finite number > 0"},
        {"--noise=-1 " + STEPS, "option 'noise': '-1'"},
        {"--noise=inf " + STEPS, "option 'noise': 'inf'"},
        {"--noise=nan " + STEPS, "option 'noise': 'nan'"},
        {"--noise=1x " + STEPS, "option 'noise': '1x'"},
        {"--noise= " + STEPS, "option 'noise': ''"},
        {"--noise=1 --rate=0 --steps=1 --delta=0.1", "option 'rate': '0'"},
        {"--noise=1 --rate=1.01 --steps=1 --delta=0.1", "expected a number in (0, 1]"},
        {"--noise=1 --rate=0.1 --steps=0 --delta=0.1", "option 'steps': '0'"},
        {"--noise=1 --rate=0.1 --steps=-3 --delta=0.1", "option 'steps': '-3'"},
        {"--noise=1 --rate=0.1 --steps=1.5 --delta=0.1", "option 'steps': '1.5'"},
        {"--noise=1 --rate=0.1 --steps=9223372036854775809 --delta=0.1", "option 'steps': '9223"},
        {"--noise=1 --rate=0.1 --steps=1 --delta=0", "option 'delta': '0'"},
        {"--noise=1 --rate=0.1 --steps=1 --delta=1", "expected a number in (0, 1)"},
    });
}

TEST(AccountOptions, UnknownNamesAreRefused)
{
    ExpectMessages({
        {GOOD + "--sampler=poison", "sampler: 'poison' is not accepted"},
        {GOOD + "--sampler=poison", "did you mean 'poisson'?"},
        {GOOD + "--accountant=plq", "did you mean 'pld'?"},
        {GOOD + "--adjacency=both", "adjacency: 'both'"},
        {GOOD + "--mechanism=uniform", "mechanism: 'uniform'"},
    });
}

TEST(AccountOptions, WhatIsMissingOrDoesNotBelongIsNamed)
{
    ExpectMessages({
        {"", "option 'noise' is missing"},
        {"--noise=1 --rate=0.1 --delta=0.1", "option 'steps' is missing"},
        {"--noise=1 --steps=1 --delta=0.1", "option 'rate' is missing"},
        {"--noise=1 --rate=0.1 --steps=1", "option 'delta' is missing"},
        {GOOD + "--batch=2 --localSamples=5", "expected either rate, or batch together with"},
        {"--noise=1 --batch=2 --steps=1 --delta=0.1", "batch together with localSamples"},
        {"--noise=1 --batch=6 --localSamples=5 --steps=1 --delta=0.1", "option 'batch': '6'"},
        {GOOD + "--sampler=none", "option 'rate': '0.01' is not accepted; expected a rate of 1"},
        {GOOD + "--epsilon=1", "option 'epsilon': '1' is not accepted; expected without"},
        {GOOD + "--calibrate --epsilon=1", "option 'noise': '1' is not accepted"},
        {STEPS + "--calibrate", "option 'epsilon' is missing with --calibrate"},
        {STEPS + "--calibrate --epsilon=0", "option 'epsilon': '0'"},
        {STEPS + "--calibrate --epsilon=-1", "option 'epsilon': '-1'"},
        {STEPS + "--calibrate --epsilon=nan", "option 'epsilon': 'nan'"},
        {STEPS + "--calibrate --epsilon=1 --add-only", "option 'add-only'"},
        {"--schedule=f --rate=0.1 --delta=0.1",
         "option 'rate': '0.1' is not accepted; expected "
         "with --schedule only"},
        {"--schedule=f --calibrate --delta=0.1", "option 'calibrate'"},
        {GOOD + "--rounds=5", "option 'rounds'"},
        {GOOD + "--remove-only --add-only", "option 'add-only'"},
        {GOOD + "--remove-only --adjacency=replace", "option 'remove-only'"},
    });
}

TEST(AccountOptions, WhatDoesNotSuitAnAlgorithmIsRefused)
{
    ExpectMessages({
        {"--algorithm=dyn-d2 --localSamples=5 --rounds=5 --epsilon=1 --delta=0.1",
         "did you mean 'dyn-d2p'?"},
        {"--algorithm=dyn-d2p --rounds=5 --epsilon=1 --delta=0.1", "'localSamples' is missing"},
        {"--algorithm=dyn-d2p --localSamples=5 --epsilon=1 --delta=0.1", "'rounds' is missing"},
        {"--algorithm=dyn-d2p --localSamples=5 --rounds=5 --delta=0.1", "'epsilon' is missing"},
        {"--algorithm=dyn-d2p --localSamples=5 --rounds=5 --epsilon=1 --delta=0.1 --c2=2",
         "option 'c2': '2' is not accepted; expected a parameter of dyn-d2p: batchSize, "},
        {"--algorithm=sgp --localSamples=5 --rounds=5 --delta=0.1 --batchClip",
         "option 'batchClip': '--batchClip' is not accepted; expected no parameter with sgp"},
        {"--algorithm=clip-d2p --localSamples=5 --rounds=5 --epsilon=1 --noise=1 --delta=0.1",
         "either noise or epsilon"},
        {"--algorithm=dyn-d2p --localSamples=5 --rounds=5 --epsilon=1 --delta=0.1 --mode=papr",
         "did you mean 'paper'?"},
    });
}

TEST(AccountOptions, HelpListsEverything)
{
    EXPECT_TRUE(Parse("--help").help);
    EXPECT_TRUE(Parse("--noise=1 --help").help) << "whatever else is missing";
    const std::string help = AccountHelp();
    for (const char* name :
         {"noise",     "rate",      "batch",        "steps",     "schedule",  "epsilon",
          "delta",     "calibrate", "sampler",      "adjacency", "mechanism", "accountant",
          "algorithm", "rounds",    "localSamples", "mode",      "batchSize", "muGrowth",
          "c2",        "tau",       "noisePower",   "noiseRate", "batchClip", "remove-only",
          "add-only",  "json",      "help"})
    {
        EXPECT_NE(help.find("  --" + std::string(name)), std::string::npos) << name;
    }
}

TEST(AccountOptions, EveryPublishedAlgorithmHasAnEntry)
{
    const std::vector<std::string> published = PublishedClaims().Names();
    std::size_t found = 0;
    for (const PartInfo& info : Algorithms().List())
    {
        if (std::find(published.begin(), published.end(), info.name) == published.end())
        {
            continue; // without a paper
        }
        ++found;
        const PartInfo claim = PublishedClaims().Get(info.name)->Info();
        for (const ParameterInfo& parameter : claim.parameters)
        {
            EXPECT_NE(AccountHelp().find("  --" + parameter.name), std::string::npos);
            if (info.available && parameter.name == "muGrowth")
            {
                EXPECT_EQ(std::stod(parameter.defaultValue), MakeAlgorithm(info.name).muGrowth)
                    << info.name;
            }
        }
    }
    EXPECT_EQ(found, published.size());
}

} // namespace
} // namespace dpdl
